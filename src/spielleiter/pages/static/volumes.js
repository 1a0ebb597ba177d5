// Games that were packed into volumes (pages/replays.py): for pages that open without a server.
export async function unpackVolume(data) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// One game of a volume: its moves, what players noted for them where that was packed, and for each position the pieces of its picture.
export function openGame(volume, id) {
  const { frames, moves, notes = [] } = volume.games[id];
  let parts = [];
  const positions = frames.map((change) => {
    parts = parts.slice();
    if (Array.isArray(change[0])) {
      for (const [start, cut, ...more] of change) parts.splice(start, cut, ...more);
    } else {
      for (let at = 0; at < change.length; at += 2) parts[change[at]] = change[at + 1];
    }
    return parts;
  });
  return {
    moves,
    notes,
    last: positions.length - 1,
    picture: (ply) => positions[ply].map((piece) => volume.pieces[piece]).join(""),
  };
}
