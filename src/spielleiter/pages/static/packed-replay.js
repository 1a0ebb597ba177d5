// Games that were packed into volumes (pages/replays.py): for pages that open without a server.
"use strict";

async function unpackVolume(data) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// One game of a volume: its moves, and for each position the pieces of its picture.
function openGame(volume, id) {
  const { frames, moves } = volume.games[id];
  let parts = [];
  const positions = frames.map((change) => {
    parts = parts.slice();
    if (Array.isArray(change[0])) {
      const [start, cut, ...more] = change[0];
      parts.splice(start, cut, ...more);
    } else {
      for (let at = 0; at < change.length; at += 2) parts[change[at]] = change[at + 1];
    }
    return parts;
  });
  return { moves, last: positions.length - 1, picture: (ply) => positions[ply].map((piece) => volume.pieces[piece]).join("") };
}

// A page with one game: the script of its volume calls this.
async function showGame(data) {
  if (!("DecompressionStream" in window)) return; // The last position stays as text.
  const game = openGame(await unpackVolume(data), document.getElementById("replay").dataset.id);
  const viewer = new ReplayViewer(game.picture, (picture, ply) => {
    boardMotion.fill(document.getElementById("board"), picture);
    if (ply) document.getElementById("say").textContent = `${ply}: ${game.moves[ply - 1][0]}`;
    try { history.replaceState(null, "", `#${ply}`); } catch { /* Some browsers refuse it without a server. */ }
  });
  const asked = Number(location.hash.slice(1));
  viewer.open(game.last, location.hash && Number.isInteger(asked) ? asked : game.last);
}
