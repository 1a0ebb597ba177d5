// At a table without a server: the computer moves when it is asked to, and the address of the page keeps the game.
import { onUpdate, show } from "./live.js";
import { isStill } from "./motion.js";
import { post, report } from "./table.js";

const BEAT = 600; // Milliseconds in which the own move is seen before it is answered.

let shown = "";

async function follow({ position, waits }) {
  const fields = String(new URLSearchParams(position));
  if (fields === shown) return;
  shown = fields;
  history.replaceState(null, "", `?${fields}`);
  if (!waits) return;
  const pause = new Promise((over) => setTimeout(over, isStill() ? 0 : BEAT));
  const [answer] = await Promise.all([post("/answer", {}), pause]);
  if (fields !== shown) return; // A move was taken back, or a new game begun.
  if (answer.update) show(answer.update);
  else report(answer.text, true);
}

onUpdate(({ play }) => {
  if (play) follow(play);
});
follow(JSON.parse(document.getElementById("play-data").textContent));

document.addEventListener("turn", async (event) => {
  const { detail } = /** @type {CustomEvent<boolean>} */ (event);
  const answer = await post("/look", { flip: Number(detail) });
  if (answer.update) show(answer.update);
});
