// Pieces that move from square to square, by clicks, by dragging or by keys; shows the line and the count that explain a
// distance. A piece that comes to the board needs only one square.
import { lift, pieceOn, preview } from "./motion.js";
import { readTree } from "./picks.js";
import { report, send, words } from "./table.js";

export class PieceMoves {
  constructor(board) {
    this.board = board;
    this.mine = false;
    this.tree = new Map();
    this.notes = {};
    this.chosen = null;
    const svg = board.svg;
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    // A finger on a piece drags it; anywhere else it scrolls the page.
    svg.addEventListener(
      "touchmove",
      (event) => {
        if (this.dragging) event.preventDefault();
      },
      { passive: false },
    );
    svg.addEventListener("pointerleave", () => {
      if (!this.dragging) this.#hover(null);
    });
    svg.addEventListener("pointercancel", () => {
      this.#drop(null);
      this.#draw();
    });
    svg.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.#hover(event.target.key);
    });
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.#act(event.target.key);
      }
      if (event.key === "Escape") this.#choose(null);
    });
  }

  update(play) {
    this.mine = play.mine;
    this.board.update(play);
    this.tree = readTree(play.tree ?? []);
    this.notes = play.notes ?? {};
    for (const start of this.tree.keys()) this.board.cells.get(start).classList.add("can");
    this.chosen = null;
    this.over = null;
    this.#raise(null);
    this.#drop(null);
    this.#draw();
    this.#advise(play.advice);
  }

  // What to know before the first pick, as long as it holds.
  #advise(advice = "") {
    if (advice || this.advice) report(advice);
    this.advice = advice;
  }

  // Whether a square alone is a move.
  #isWhole(key) {
    return this.tree.get(key)?.size === 0;
  }

  #isTarget(key) {
    return this.chosen === null ? this.#isWhole(key) : this.tree.get(this.chosen).has(key);
  }

  // A click, a tap, or Enter on a square.
  #act(key) {
    if (!this.mine || !key) return;
    if (this.#isWhole(key)) return this.#try([key]);
    if (
      this.chosen === null ||
      (this.tree.has(key) && key !== this.chosen && !this.tree.get(this.chosen)?.has(key))
    ) {
      return this.#choose(key);
    }
    if (key === this.chosen) return this.#choose(null);
    this.#try([this.chosen, key]);
  }

  // A legal move shows at once; what else is tried only the server can explain. ``slides``: not if it was dragged there.
  async #try(picks, slides = true) {
    const [start, target] = picks;
    let undo;
    if (this.#isWhole(start) || this.tree.get(start)?.has(target)) {
      undo = target ? this.#preview(start, target, slides) : () => {};
      this.board.clear();
      this.mine = false; // Nothing can be moved until the server has answered.
    }
    if (await send({ picks: picks.join(" ") }, undo)) return;
    if (undo) this.mine = true;
    this.#draw();
  }

  #preview(start, target, slides) {
    const [[x0, y0], [x1, y1]] = [this.board.middle(start), this.board.middle(target)];
    return preview(this.board.picture, start, target, [x1 - x0, y1 - y0], slides);
  }

  #choose(key) {
    if (key !== null && !this.tree.has(key)) {
      this.chosen = null;
      this.#draw();
      if (!pieceOn(this.board.picture, key)) return report(""); // Nobody has tried anything.
      if (this.mine) this.#try([key]); // The server says why this piece cannot move.
      return;
    }
    for (const cell of this.board.svg.querySelectorAll("[aria-selected]"))
      cell.removeAttribute("aria-selected");
    this.chosen = key;
    this.over = null;
    if (key !== null) this.board.cells.get(key).setAttribute("aria-selected", "true");
    report("");
    this.#draw();
  }

  #hover(key) {
    if (key === this.over) return;
    this.over = key;
    this.#raise(key);
    if (this.chosen !== null) this.#draw();
    this.#explain();
  }

  // A piece that can be taken up rises a little towards the pointer.
  #raise(key) {
    this.raised?.classList.remove("raised");
    const isOwn = this.mine && this.tree.has(key) && !this.#isTarget(key);
    this.raised = isOwn ? pieceOn(this.board.picture, key) : null;
    this.raised?.classList.add("raised");
  }

  // Says why the square under the pointer is a target. Not when the board is only drawn anew: a refusal must stay.
  #explain() {
    const note = this.#note(this.over);
    if (note) report(note[0]);
  }

  // Why a piece goes to a square, and the squares that decide it.
  #note(key) {
    return this.notes[this.chosen === null ? key : `${this.chosen} ${key}`];
  }

  #draw() {
    const board = this.board;
    board.clear();
    for (const cell of board.cells.values()) {
      const isTarget = this.mine && this.#isTarget(cell.key);
      cell.classList.toggle("target", isTarget);
      const canMove = this.mine && this.chosen === null && this.tree.has(cell.key);
      const what = isTarget ? words.legal : canMove ? words.movable : "";
      cell.setAttribute("aria-label", what ? `${cell.label}, ${what}` : cell.label);
    }
    if (!this.mine) return;
    if (this.chosen === null) {
      for (const key of this.tree.keys()) if (this.#isWhole(key)) this.#place(key);
      return;
    }
    board.frame(this.chosen, "selected");
    const [x0, y0] = board.middle(this.chosen);
    for (const key of this.#note(this.over)?.[1] ?? []) board.frame(key, "counted");
    for (const target of this.tree.get(this.chosen).keys()) {
      const [x1, y1] = board.middle(target);
      const counted = this.#note(target)?.[1] ?? [];
      board.mark("path", {
        class: target === this.over ? "line strong" : "line",
        d: `M${x0} ${y0}L${x1} ${y1}`,
      });
      if (this.#isTaken(target)) {
        // What is captured stays in sight.
        board.mark("circle", { class: "ring", cx: x1, cy: y1, r: 0.43 });
        if (counted.length) this.#number(x1 + 0.33, y1 - 0.33, 0.17, counted.length);
      } else if (counted.length) this.#number(x1, y1, 0.27, counted.length);
      else this.#dot([x1, y1]);
    }
  }

  // Whether the picture has something on a square.
  #isTaken(key) {
    return pieceOn(this.board.picture, key) !== null;
  }

  // A square on which a piece can come to the board. There may be many of them, with something on each.
  #place(key) {
    const [cx, cy] = this.board.middle(key);
    if (this.#isTaken(key)) this.board.mark("circle", { class: "ring thin", cx, cy, r: 0.43 });
    else this.#dot([cx, cy]);
  }

  #dot([cx, cy]) {
    this.board.mark("circle", { class: "dot", cx, cy, r: 0.17 });
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
    if (cell && this.tree.has(cell.key) && !this.#isTarget(cell.key)) {
      this.wasChosen = this.chosen === cell.key;
      if (!this.wasChosen) this.#choose(cell.key);
      this.dragging = cell.key;
      this.moved = false;
      this.lifted = lift(this.board.picture, cell.key);
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
    } else this.#hover(cell?.key ?? null);
  }

  // Lets go of what is dragged, and says what it was; where it may not stay it slides back.
  #drop(key) {
    const dragged = this.dragging;
    this.dragging = null;
    this.lifted?.drop(!this.tree.get(dragged)?.has(key));
    this.lifted = null;
    return dragged;
  }

  #release(event) {
    if (!this.mine || event.button !== 0) return;
    const key = this.board.under(event)?.key ?? null;
    const dragged = this.#drop(key);
    if (dragged && this.moved && key && key !== dragged) return this.#try([dragged, key], false);
    if (dragged && key === dragged) {
      if (this.wasChosen && !this.moved) this.#choose(null);
      return;
    }
    if (key && key === this.pressed) this.#act(key);
    else this.#draw();
  }
}
