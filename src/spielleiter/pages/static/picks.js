// The hand that plays every game: a move is a sequence of picks, cells of the board, things beside it and numbers, by
// clicks, taps, keys or a screen reader. Shows what can be picked next; why something else cannot the server says.
import { make } from "./board.js";
import { buttonById } from "./elements.js";
import { pieceOn } from "./motion.js";
import { report, send, words } from "./table.js";

// The tree of the legal moves (web/play/board_input.py): what can be picked, and what behind it. A move is complete where
// nothing follows, or where the empty pick is among what follows.
export function readTree(tree) {
  const entries = Array.isArray(tree) ? tree.map((pick) => [pick, []]) : Object.entries(tree);
  return new Map(entries.map(([pick, behind]) => [pick, readTree(behind)]));
}

// Shows the picture of the things in ``tray``; those of ``names`` become buttons, which are returned by their names.
export function fillTray(tray, { tray: picture, side, mine }, names, pick) {
  tray.innerHTML = picture;
  const svg = tray.querySelector("svg");
  svg.removeAttribute("aria-hidden"); // Other pictures are for eyes only; this one is to be used.
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `${words.tiles}: ${side}`);
  svg.querySelector("title")?.remove();
  const buttons = new Map();
  for (const group of /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-kind]"))) {
    const name = group.dataset.kind;
    if (!names[name]) {
      if (mine) group.setAttribute("opacity", "0.35");
      continue;
    }
    const box = group.getBBox();
    group.prepend(
      make("rect", {
        class: "hit",
        x: box.x - 0.4,
        y: box.y - 0.4,
        width: box.width + 0.8,
        height: box.height + 0.8,
        rx: 0.4,
      }),
    );
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "0");
    group.setAttribute("aria-label", names[name]);
    group.setAttribute("aria-pressed", "false");
    group.addEventListener("click", () => pick(name));
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        pick(name);
      }
    });
    buttons.set(name, group);
  }
  return buttons;
}

const isComplete = (node) => node.size === 0 || node.has("");
const isNumber = (pick) => /^-?[0-9]+$/.test(pick);

export class Picks {
  constructor(board) {
    this.board = board;
    this.mine = false;
    this.tree = new Map();
    this.things = {};
    this.notes = {};
    this.path = [];
    this.tray = document.getElementById("tray");
    this.numbers = document.getElementById("numbers");
    this.buttons = new Map();
    const svg = board.svg;
    svg.addEventListener("click", (event) => this.#pick(board.under(event)?.key));
    svg.addEventListener("pointermove", (event) => this.#explain(board.under(event)?.key));
    svg.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.#explain(event.target.key);
    });
    svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.#pick(event.target.key);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#back();
    });
    document.getElementById("pick-back")?.addEventListener("click", () => this.#back());
    document.getElementById("done")?.addEventListener("click", () => this.#play());
  }

  update(play) {
    this.mine = play.mine;
    this.tree = readTree(play.tree ?? []);
    this.notes = play.notes ?? {};
    this.advice = play.advice ?? "";
    this.things = play.things ?? this.things; // Whose turn it is not still sees what was there.
    this.path = [];
    this.over = null;
    this.board.update(play);
    if (this.tray) this.#fill(play);
    this.#tell();
    this.#draw();
  }

  // What was picked has led here.
  #node(path = this.path) {
    return path.reduce((node, pick) => node?.get(pick), this.tree);
  }

  // What people call a pick.
  #name(pick) {
    return this.board.cells.get(pick)?.squareName ?? this.things[pick] ?? pick;
  }

  // The things beside the board: those in the picture, and a button for each of the others.
  #fill(play) {
    this.tray.replaceChildren();
    this.buttons = play.tray ? fillTray(this.tray, play, this.things, (name) => this.#pick(name)) : new Map();
    const others = Object.keys(this.things).filter((name) => !this.buttons.has(name));
    if (others.length) this.tray.append(this.#group(others));
    const around = /** @type {HTMLElement} */ (this.tray.closest(".tray"));
    around.hidden = !this.mine && !Object.keys(this.things).length;
  }

  #group(picks) {
    const group = document.createElement("div");
    group.className = "things";
    for (const pick of picks) {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button small", textContent: this.#name(pick) });
      button.dataset.pick = pick;
      button.addEventListener("click", () => this.#pick(pick));
      button.addEventListener("pointerenter", () => this.#explain(pick));
      button.addEventListener("focus", () => this.#explain(pick));
      this.buttons.set(pick, button);
      group.append(button);
    }
    return group;
  }

  // What is not possible behind the last pick may be instead of it, or of one before.
  #pick(pick) {
    if (!this.mine || !pick) return;
    if (pick === this.path.at(-1) && !this.#node().has(pick)) return this.#back();
    let length = this.path.length;
    while (length > 0 && !this.#node(this.path.slice(0, length)).has(pick)) length--;
    const path = [...this.path.slice(0, length), pick];
    if (!this.#node(path) && !this.path.length && this.#isBesideThePieces(pick)) return report(this.advice);
    if (!this.#node(path)) return void send({ picks: [...this.path, pick].join(" ") }); // The server says why not.
    this.path = path;
    if (this.#node().size === 0) return this.#play();
    this.#tell();
    this.#draw();
  }

  // A cell without a piece, where moves begin with pieces: nobody has tried anything.
  #isBesideThePieces(pick) {
    const starts = [...this.#node([]).keys()].filter((key) => this.board.cells.has(key));
    const hasPiece = (key) => pieceOn(this.board.picture, key);
    return this.board.cells.has(pick) && !hasPiece(pick) && starts.length > 0 && starts.every(hasPiece);
  }

  #back() {
    if (!this.mine || !this.path.length) return;
    this.path.pop();
    this.#tell();
    this.#draw();
  }

  async #play() {
    if (!this.mine || !this.path.length || !isComplete(this.#node())) return;
    this.mine = false; // Nothing can be picked until the server has answered.
    this.#draw();
    if (await send({ picks: this.path.join(" ") }, undefined, true)) return;
    this.mine = true;
    this.path = [];
    this.#draw();
  }

  // Says what was picked, and what can be done now.
  #tell() {
    if (!this.mine) return;
    if (!this.path.length) return report(this.advice);
    const note = this.notes[this.path.join(" ")]?.[0];
    report(`${this.path.map((pick) => this.#name(pick)).join(", ")}${note ? `: ${note}` : " …"}`);
  }

  // Says what is to be known of a move before the pick that completes it.
  #explain(pick) {
    if (!this.mine || !pick || pick === this.over) return;
    this.over = pick;
    const note = this.#node().has(pick) && this.notes[[...this.path, pick].join(" ")];
    if (!note) return;
    report(note[0]);
    this.#draw();
    for (const key of note[1]) this.board.frame(key, "counted");
  }

  #draw() {
    const [board, node] = [this.board, this.mine ? this.#node() : new Map()];
    board.clear();
    for (const [key, cell] of board.cells) {
      const [isNext, isPicked] = [node.has(key), this.path.includes(key)];
      cell.classList.toggle("target", isNext);
      cell.setAttribute("aria-label", isNext ? `${cell.label}, ${words.legal}` : cell.label);
      if (isPicked) cell.setAttribute("aria-selected", "true");
      else cell.removeAttribute("aria-selected");
      if (isPicked) board.frame(key, "selected");
      if (!isNext) continue;
      const [cx, cy] = board.middle(key);
      // A ring, as what is on the cell (a picture, a number of fish) has to stay visible.
      board.mark("circle", { class: "ring", cx, cy, r: 0.4 });
    }
    this.#drawButtons(node);
  }

  #drawButtons(node) {
    const numbers = [...node.keys()].filter(isNumber);
    if (this.numbers?.dataset.numbers !== numbers.join(" ")) {
      this.numbers?.replaceChildren(...(numbers.length ? [this.#group(numbers)] : []));
      if (this.numbers) this.numbers.dataset.numbers = numbers.join(" ");
    }
    for (const [pick, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(this.path.includes(pick)));
      button.classList.toggle("impossible", !node.has(pick) && !this.path.includes(pick));
    }
    const [back, done] = [buttonById("pick-back"), buttonById("done")];
    if (back) back.disabled = !this.mine || !this.path.length;
    if (done) done.disabled = !this.mine || !this.path.length || !isComplete(node);
  }
}
