// Playing on the board. The server says which squares there are, what is on them and which moves are legal; this module
// only shows it and sends what was tried. Whatever is not legal the server refuses, with the rule in words.
import { onLook, show } from "./live.js";
import { PieceMoves } from "./pieces.js";
import { SquareChoice } from "./squares.js";
import { TilePlacement } from "./tiles.js";

// One handler for each kind of input, as in web/play/board_input.py; and one for questions about squares.
const KINDS = { pieces: PieceMoves, tiles: TilePlacement, squares: SquareChoice };

const SVG = "http://www.w3.org/2000/svg";
const root = document.getElementById("table");
const frame = document.getElementById("frame");
const message = document.getElementById("message");
export const words = JSON.parse(root.dataset.words);

export function make(name, attributes = {}, parent = null, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent?.append(element);
  return element;
}

export function report(text, refused = false) {
  message.textContent = text;
  message.classList.toggle("refused", refused);
}

async function post(path, fields) {
  try {
    const answer = await fetch(root.dataset.table + path, {
      method: "POST", body: new URLSearchParams(fields), headers: { accept: "application/json" },
    });
    return await answer.json();
  } catch {
    return { ok: false, text: words.lost };
  }
}

export async function ask(fields) {
  try {
    const answer = await fetch(`${root.dataset.table}/try?${new URLSearchParams({ ...position, ...fields })}`, { headers: { accept: "application/json" } });
    return await answer.json();
  } catch {
    return { ok: false, text: words.lost };
  }
}

// The board as a grid of squares that can be pointed at, walked over with keys, and read aloud.
export class Board {
  constructor(play) {
    this.svg = make("svg", { class: "overlay", viewBox: `0 0 ${play.extent[0]} ${play.extent[1]}`, role: "grid", "aria-label": words.board }, frame);
    this.marks = make("g", { class: "marks", "aria-hidden": "true" }, this.svg);
    this.#lay(play);
    this.svg.addEventListener("focusin", (event) => this.#rove(event.target));
    this.svg.addEventListener("keydown", (event) => this.#walk(event));
  }

  // The squares in the order in which they are seen; anew when the board is turned.
  #lay(play) {
    this.corner = play.rows[0][0][0];
    this.cells = new Map();
    this.at = new Map();
    this.svg.replaceChildren(this.marks);
    for (const row of play.rows) {
      const group = make("g", { role: "row" }, this.svg);
      for (const [key, x, y, name] of row) {
        const cell = make("rect", { class: "cell", x, y, width: 1, height: 1, role: "gridcell", tabindex: -1, "data-square": key }, group);
        Object.assign(cell, { key, x0: x, y0: y, squareName: name });
        this.cells.set(key, cell);
        this.at.set(`${Math.round(x)},${Math.round(y)}`, cell);
      }
    }
    this.cells.values().next().value.setAttribute("tabindex", 0);
  }

  // The picture below the squares.
  get picture() { return document.querySelector("#board svg"); }

  update(play) {
    if (play.rows[0][0][0] !== this.corner) this.#lay(play);
    for (const row of play.rows) {
      for (const [key, , , name, contents] of row) {
        const cell = this.cells.get(key);
        cell.label = `${name}: ${contents}`;
        if (cell.getAttribute("aria-label") !== cell.label) cell.setAttribute("aria-label", cell.label);
        cell.setAttribute("class", "cell");
        cell.removeAttribute("aria-selected");
      }
    }
    root.classList.toggle("mine", play.mine);
    this.clear();
  }

  clear() { this.marks.replaceChildren(); }
  mark(name, attributes, text) { return make(name, attributes, this.marks, text); }
  middle(key) { const cell = this.cells.get(key); return [cell.x0 + 0.5, cell.y0 + 0.5]; }
  frame(key, kind) { const cell = this.cells.get(key); this.mark("rect", { class: kind, x: cell.x0 + 0.06, y: cell.y0 + 0.06, width: 0.88, height: 0.88, rx: 0.12 }); }

  // Where a pointer is, in the units of the picture, and the square there.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const view = this.svg.viewBox.baseVal;
    return [((event.clientX - box.left) / box.width) * view.width, ((event.clientY - box.top) / box.height) * view.height];
  }

  under(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell") ?? null;
  }

  beside(cell, dx, dy) { return this.at.get(`${Math.round(cell.x0 + dx)},${Math.round(cell.y0 + dy)}`); }

  #rove(cell) {
    if (!cell.classList.contains("cell")) return;
    for (const other of this.svg.querySelectorAll('.cell[tabindex="0"]')) other.setAttribute("tabindex", -1);
    cell.setAttribute("tabindex", 0);
  }

  #walk(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !event.target.classList.contains("cell")) return;
    event.preventDefault();
    this.beside(event.target, ...step)?.focus();
  }
}

let input = null;
let ply = -1;
let position = {}; // Where the server knows none, as on the analysis board: the fields that name it.
let room = null;
let playing = false; // Whether there is something to lose.
let sending = false;

// Sends a move that is shown already; ``undo`` takes it back from the board if it is refused.
export async function send(fields, undo = () => {}) {
  if (sending) {
    undo();
    return false;
  }
  sending = true;
  const answer = await post("/move", { ply, ...position, ...fields });
  sending = false;
  if (!answer.ok) undo();
  if (answer.look) show(answer.look);
  report(answer.ok ? "" : answer.text, !answer.ok);
  return answer.ok;
}

function update(play) {
  if (play.kind === "none") return;
  const named = play.position ?? {};
  // A new room may have as many moves.
  const isTurned = play.rows[0][0][0] !== input?.board.corner;
  const changed = play.ply !== ply || play.room !== room || JSON.stringify(named) !== JSON.stringify(position) || isTurned;
  ({ ply, room, playing } = play);
  position = named;
  for (const button of document.querySelectorAll("[data-when]")) button.disabled = !play.can.includes(button.dataset.action);
  const link = document.getElementById("spectators");
  if (link && room) link.href = `/watch/${room}`;
  document.getElementById("ply")?.setAttribute("value", ply);
  input ??= new KINDS[play.kind](new Board(play));
  if (changed) report("");
  if (changed || play.mine !== input.mine) input.update(play);
}

update(JSON.parse(document.getElementById("play-data").textContent));
onLook((look) => { if (look.play) update(look.play); });

// Also for those buttons that come with a look; without a script each is a form of its own.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-action]");
  if (!button) return;
  event.preventDefault();
  if (button.dataset.sure && playing && !confirm(words[button.dataset.sure])) return;
  button.disabled = true;
  const answer = await post(`/${button.dataset.action}`, {});
  button.disabled = false;
  button.focus({ preventScroll: true });
  report(answer.text, !answer.ok);
});

document.getElementById("typed")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("text");
  if (await send({ text: field.value })) field.value = "";
});
