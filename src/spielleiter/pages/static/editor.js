// The board editor: stamps on squares, checked by the server after every change. A board that the rules forbid keeps the
// picture of the last good one, with what was changed since on top.
import { Board } from "./board.js";
import { fieldById, linkById } from "./elements.js";
import { show } from "./live.js";
import { report, words } from "./table.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("editor-data").textContent);
const board = new Board(data.squares);
board.update(data.squares);
$("table").classList.add("mine");
const keys = data.squares.rows.map((row) => row.map(([key]) => key)); // In the order of the notation.
let good = data.rows; // What the picture shows.
let rows = structuredClone(good);
let asked = 0;
let painting = false;
let timer = 0;

const stamp = () => /** @type {HTMLInputElement} */ (document.querySelector("#stamps input:checked")).value;
const named = (token) =>
  document.querySelector(`#stamps input[value="${CSS.escape(token)}"] + span`)?.textContent ?? words.empty;

function draw() {
  board.clear();
  for (const [y, row] of keys.entries()) {
    for (const [x, key] of row.entries()) {
      const cell = board.cells.get(key);
      cell.setAttribute("aria-label", `${cell.squareName}: ${rows[y][x] ? named(rows[y][x]) : words.empty}`);
      if (rows[y][x] === good[y][x]) continue;
      const [cx, cy] = board.middle(key);
      board.frame(key, "changed");
      board.mark("text", { class: "stamped", x: cx, y: cy + 0.18 }, rows[y][x] || "×");
    }
  }
}

function put(cell) {
  if (!cell?.key) return;
  const y = keys.findIndex((row) => row.includes(cell.key));
  const x = keys[y].indexOf(cell.key);
  if (rows[y][x] === stamp()) return;
  rows[y][x] = stamp();
  changed();
}

function changed() {
  draw();
  clearTimeout(timer);
  timer = setTimeout(() => check({ rows: JSON.stringify(rows), ...fields() }), 120);
}

function fields() {
  const inputs = /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    $("fields").querySelectorAll("input, select")
  );
  return Object.fromEntries(Array.from(inputs, (field) => [field.name, field.value]));
}

// Asks the server; the answer to an older question comes too late.
async function check(what) {
  const number = ++asked;
  let answer;
  try {
    const body = new URLSearchParams({ game: data.game, ...what });
    answer = await (await fetch("/analysis/edit", { method: "POST", body })).json();
  } catch {
    answer = { ok: false, text: words.lost };
  }
  if (number !== asked) return;
  report(answer.text, !answer.ok);
  for (const id of ["analyse", "play-on"]) $(id).classList.toggle("disabled", !answer.ok);
  if (answer.ok) accept(answer);
}

function accept({ update, rows: fresh, fields: values }) {
  const { notation } = update;
  show(update);
  good = fresh;
  rows = structuredClone(good);
  values.forEach((value, number) => {
    const field = fieldById(`field-${number}`);
    if (document.activeElement !== field) field.value = value;
  });
  fieldById("position").value = notation;
  linkById("analyse").href = `/analysis?position=${encodeURIComponent(notation)}`;
  linkById("play-on").href = `/?position=${encodeURIComponent(notation)}`;
  history.replaceState(null, "", `/analysis/edit?position=${encodeURIComponent(notation)}`);
  draw();
}

board.svg.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  painting = true;
  event.target.releasePointerCapture?.(event.pointerId); // So that a finger paints the squares it moves over.
  put(board.under(event));
});
board.svg.addEventListener("pointermove", (event) => {
  if (painting && event.buttons) put(board.under(event));
});
addEventListener("pointerup", () => {
  painting = false;
});
board.svg.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  put(event.target);
});
for (const id of ["analyse", "play-on"]) {
  $(id).addEventListener("click", (event) => {
    if ($(id).classList.contains("disabled")) event.preventDefault();
  });
}
$("fields").addEventListener("input", changed);
$("clear").addEventListener("click", () => {
  rows = rows.map((row) => row.map(() => ""));
  changed();
});
$("reset").addEventListener("click", () => check({ position: data.start }));
$("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  check({ position: fieldById("position").value });
});
draw();
