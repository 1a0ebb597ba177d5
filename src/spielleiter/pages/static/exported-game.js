// A game on a page of the exported site. Its volume is a script that dispatches what it holds: without a server nothing
// can be fetched.
import { fill } from "./motion.js";
import { ReplayViewer } from "./replay.js";
import { openGame, unpackVolume } from "./volumes.js";

const { id, volume } = document.getElementById("replay").dataset;

document.addEventListener("volume", async (event) => {
  const { detail } = /** @type {CustomEvent<string>} */ (event);
  const game = openGame(await unpackVolume(detail), id);
  const viewer = new ReplayViewer(game.picture, (picture, ply) => {
    fill(document.getElementById("board"), picture);
    if (ply) document.getElementById("say").textContent = `${ply}: ${game.moves[ply - 1][0]}`;
    try {
      history.replaceState(null, "", `#${ply}`);
    } catch {
      /* Some browsers refuse it without a server. */
    }
  });
  const asked = Number(location.hash.slice(1));
  viewer.open(game.last, location.hash && Number.isInteger(asked) ? asked : game.last);
});

// Else the last position stays as text.
if ("DecompressionStream" in window) {
  document.head.append(Object.assign(document.createElement("script"), { src: volume }));
}
