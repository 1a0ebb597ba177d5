// Playing on the board. The server says which squares there are, what is on them and which moves are legal; the handlers
// only show it and send what was tried.
import { Board } from "./board.js";
import { closestTo, fieldById, linkById } from "./elements.js";
import { onUpdate, show } from "./live.js";
import { Picks } from "./picks.js";
import { PieceMoves } from "./pieces.js";
import { beat, visit } from "./progress.js";
import { SquareChoice } from "./squares.js";
import { post, report, send, setPosition, words } from "./table.js";
import { TilePlacement } from "./tiles.js";

// One hand for all games, more comfortable ones for some (game/board_input.py), and one for questions about squares.
const HANDS = { picks: Picks, pieces: PieceMoves, tiles: TilePlacement, squares: SquareChoice };

let input = null;
let shown = { key: "", playing: false, can: [] }; // What names the position, if there is something to lose, what can be done.

// Whether a button does nothing now.
const isIdle = (button) => button.matches("[data-when]") && !shown.can.includes(button.dataset.action);

function update(play) {
  if (play.hand === "none") return;
  const isTurned = play.rows[0][0][0] !== input?.board.corner;
  const { ply, room = null, playing = false, position = {} } = play;
  const key = JSON.stringify([ply, room, position]);
  const changed = key !== shown.key || isTurned;
  shown = { key, playing, can: play.can ?? [] };
  setPosition(ply, position);
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-when]"));
  for (const button of buttons) button.disabled = isIdle(button);
  const link = linkById("spectators");
  if (link && room) link.href = `/watch/${room}`;
  document.getElementById("ply")?.setAttribute("value", ply);
  input ??= new HANDS[play.hand](new Board(play));
  if (changed) report("");
  if (changed || play.mine !== input.mine) input.update(play);
}

update(JSON.parse(document.getElementById("play-data").textContent));
onUpdate(({ play, moment }) => {
  if (play) update(play);
  if (moment?.beaten) beat(...moment.beaten.split(" "));
});
const { key } = document.getElementById("table").dataset;
if (key) visit(key);

// Also for those buttons that come with an update; without a script each is a form of its own.
document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (closestTo(event, "[data-action]"));
  if (!button) return;
  event.preventDefault();
  if (button.dataset.sure && shown.playing && !confirm(words[button.dataset.sure])) return;
  button.disabled = true;
  const answer = await post(`/${button.dataset.action}`, {});
  button.disabled = isIdle(button); // What came of it may have come before the answer.
  button.focus({ preventScroll: true });
  report(answer.text, !answer.ok);
  if (answer.update) show(answer.update);
});

document.getElementById("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = fieldById("text");
  if (await send({ text: field.value })) field.value = "";
});
