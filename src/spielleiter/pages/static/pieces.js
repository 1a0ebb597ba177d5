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
    svg.addEventListener("pointercancel", () => { this.dragging = null; this.#draw(); });
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
    this.dragging = null;
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

  async #try(start, target) {
    const accepted = await send({ start, target });
    if (!accepted) this.#draw();
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

  #draw(pointer = null) {
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
    const strong = targets.get(this.over);
    for (const [target, { counted }] of targets) {
      const [x1, y1] = board.middle(target);
      board.mark("path", { class: target === this.over ? "line strong" : "line", d: `M${x0} ${y0}L${x1} ${y1}` });
      board.mark("circle", { class: "dot", cx: x1, cy: y1, r: counted.length ? 0.27 : 0.17 });
      if (counted.length) board.mark("text", { class: "count", x: x1, y: y1 + 0.12 }, counted.length);
    }
    for (const key of strong?.counted ?? []) board.frame(key, "counted");
    if (pointer) board.mark("path", { class: "drag", d: `M${x0} ${y0}L${pointer[0]} ${pointer[1]}` });
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
    }
  }

  #move(event) {
    if (!this.mine) return;
    const cell = this.board.under(event);
    if (this.dragging && cell?.key !== this.dragging) {
      this.moved = true;
      const changed = this.over !== (cell?.key ?? null);
      this.over = cell?.key ?? null;
      this.#draw(this.board.place(event));
      if (changed) this.#explain();
    } else if (this.chosen !== null) {
      this.#hover(cell?.key ?? null);
    }
  }

  #release(event) {
    if (!this.mine || event.button !== 0) return;
    const key = this.board.under(event)?.key ?? null;
    const dragged = this.dragging;
    this.dragging = null;
    if (dragged && this.moved && key && key !== dragged) return this.#try(dragged, key);
    if (dragged && key === dragged) { if (this.wasChosen && !this.moved) this.#choose(null); return; }
    if (key && key === this.pressed) this.#act(key);
    else this.#draw();
  }
}
