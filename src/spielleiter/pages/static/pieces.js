// Pieces that move from square to square, by clicks, by dragging or by keys; shows the line and the count that explain a distance.
import { report, send, words } from "./play.js";

export class PieceMoves {
  constructor(board) {
    this.board = board;
    this.mine = false;
    this.steps = new Map();
    this.chosen = null;
    const svg = board.svg;
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    // A finger on a piece drags it; anywhere else it scrolls the page.
    svg.addEventListener("touchmove", (event) => { if (this.dragging) event.preventDefault(); }, { passive: false });
    svg.addEventListener("pointercancel", () => { this.#drop(null); this.#draw(); });
    svg.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) this.#hover(event.target.key); });
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.#act(event.target.key); }
      if (event.key === "Escape") this.#choose(null);
    });
  }

  update(play) {
    this.mine = play.mine;
    this.board.update(play);
    this.steps = new Map();
    for (const [start, target, why, counted] of play.steps) {
      if (!this.steps.has(start)) this.steps.set(start, new Map());
      this.steps.get(start).set(target, { why, counted });
    }
    for (const start of this.steps.keys()) this.board.cells.get(start).classList.add("can");
    this.chosen = null;
    this.#drop(null);
  }

  // A click, a tap, or Enter on a square.
  #act(key) {
    if (!this.mine || !key) return;
    if (this.chosen === null || (this.steps.has(key) && key !== this.chosen && !this.steps.get(this.chosen)?.has(key))) {
      return this.#choose(key);
    }
    if (key === this.chosen) return this.#choose(null);
    this.#try(this.chosen, key);
  }

  // A legal move shows at once; what else is tried only the server can explain. ``slides``: not if it was dragged there.
  async #try(start, target, slides = true) {
    let undo;
    if (this.steps.get(start)?.has(target)) {
      const [[x0, y0], [x1, y1]] = [this.board.middle(start), this.board.middle(target)];
      undo = boardMotion.preview(this.board.picture, start, target, [x1 - x0, y1 - y0], slides);
      this.board.clear();
      this.mine = false; // Nothing can be moved until the server has answered.
    }
    if (await send({ start, target }, undo)) return;
    if (undo) this.mine = true;
    this.#draw();
  }

  #choose(key) {
    if (key !== null && !this.steps.has(key)) {
      this.chosen = null;
      this.#draw();
      if (this.mine) this.#try(key, key); // The server says why this piece cannot move.
      return;
    }
    for (const cell of this.board.svg.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
    this.chosen = key;
    this.over = null;
    if (key !== null) this.board.cells.get(key).setAttribute("aria-selected", "true");
    report("");
    this.#draw();
  }

  #hover(key) {
    if (key === this.over) return;
    this.over = key;
    if (this.chosen === null) return;
    this.#draw();
    this.#explain();
  }

  // Says why the square under the pointer is a target. Not when the board is only drawn anew: a refusal must stay.
  #explain() {
    const step = this.steps.get(this.chosen)?.get(this.over);
    if (step) report(step.why);
  }

  #draw() {
    const board = this.board;
    board.clear();
    for (const cell of board.cells.values()) {
      const isTarget = this.chosen !== null && this.steps.get(this.chosen).has(cell.key);
      cell.classList.toggle("target", isTarget);
      cell.setAttribute("aria-label", isTarget ? `${cell.label}, ${words.legal}` : cell.label);
    }
    if (this.chosen === null) return;
    board.frame(this.chosen, "selected");
    const [x0, y0] = board.middle(this.chosen);
    const targets = this.steps.get(this.chosen);
    for (const key of targets.get(this.over)?.counted ?? []) board.frame(key, "counted");
    for (const [target, { counted }] of targets) {
      const [x1, y1] = board.middle(target);
      board.mark("path", { class: target === this.over ? "line strong" : "line", d: `M${x0} ${y0}L${x1} ${y1}` });
      if (board.picture.querySelector(`[data-at="${target}"]`)) { // What is captured stays in sight.
        board.mark("circle", { class: "ring", cx: x1, cy: y1, r: 0.43 });
        if (counted.length) this.#number(x1 + 0.33, y1 - 0.33, 0.17, counted.length);
      } else if (counted.length) this.#number(x1, y1, 0.27, counted.length);
      else board.mark("circle", { class: "dot", cx: x1, cy: y1, r: 0.17 });
    }
  }

  // How far it is, in a disc.
  #number(cx, cy, r, number) {
    this.board.mark("circle", { class: "dot", cx, cy, r });
    this.board.mark("text", { class: r > 0.2 ? "count" : "count small", x: cx, y: cy + 0.44 * r }, number);
  }

  #press(event) {
    if (!this.mine || event.button !== 0) return;
    const cell = this.board.under(event);
    this.pressed = cell?.key ?? null;
    if (cell && this.steps.has(cell.key) && !(this.chosen !== null && this.steps.get(this.chosen).has(cell.key))) {
      this.wasChosen = this.chosen === cell.key;
      if (!this.wasChosen) this.#choose(cell.key);
      this.dragging = cell.key;
      this.moved = false;
      this.lifted = boardMotion.lift(this.board.picture, cell.key);
      this.board.svg.setPointerCapture(event.pointerId); // Also outside the board it has to be let go somewhere.
    }
  }

  #move(event) {
    if (!this.mine) return;
    const cell = this.board.under(event);
    if (this.dragging) {
      const [[x0, y0], [x1, y1]] = [this.board.middle(this.dragging), this.board.place(event)];
      this.moved ||= Math.hypot(x1 - x0, y1 - y0) > 0.5;
      if (this.moved) this.lifted.to([x1 - x0, y1 - y0]);
      if (this.over === (cell?.key ?? null)) return;
      this.over = cell?.key ?? null;
      this.#draw();
      this.#explain();
    } else if (this.chosen !== null) {
      this.#hover(cell?.key ?? null);
    }
  }

  // Lets go of what is dragged, and says what it was; where it may not stay it slides back.
  #drop(key) {
    const dragged = this.dragging;
    this.dragging = null;
    this.lifted?.drop(!this.steps.get(dragged)?.has(key));
    this.lifted = null;
    return dragged;
  }

  #release(event) {
    if (!this.mine || event.button !== 0) return;
    const key = this.board.under(event)?.key ?? null;
    const dragged = this.#drop(key);
    if (dragged && this.moved && key && key !== dragged) return this.#try(dragged, key, false);
    if (dragged && key === dragged) { if (this.wasChosen && !this.moved) this.#choose(null); return; }
    if (key && key === this.pressed) this.#act(key);
    else this.#draw();
  }
}
