// Tiles that are placed: choose one beside the board, turn and flip it, and see by its ghost where it fits and why not.
import { buttonById } from "./elements.js";
import { placed } from "./motion.js";
import { fillTray, readTree } from "./picks.js";
import { ask, report, send, words } from "./table.js";

const NOTCH = 60; // Of what a wheel reports in pixels: less than one notch of any of them, more than half of it.
const LINE = 40; // Some report lines instead: three for a notch.
const PAUSE = 80; // Milliseconds: what comes sooner belongs to the same notch.

// Counts the notches of a mouse wheel; fine wheels and touchpads report each in many small steps.
export class Wheel {
  #sum = 0;
  #last = -Infinity;
  #turned = -Infinity;

  // 1 or -1 where a notch is complete, else 0.
  notch({ deltaY, deltaMode, timeStamp }) {
    if (timeStamp - this.#turned < PAUSE) return 0;
    if (timeStamp - this.#last > 4 * PAUSE || this.#sum * deltaY < 0) this.#sum = 0;
    this.#last = timeStamp;
    this.#sum += deltaY * (deltaMode === 1 ? LINE : 1);
    if (Math.abs(this.#sum) < NOTCH) return 0;
    const way = Math.sign(this.#sum);
    this.#sum = 0;
    this.#turned = timeStamp;
    return way;
  }
}

// The lines around some squares: each side that no other of them shares.
function edges(corners) {
  const taken = new Set(corners.map(([x, y]) => `${x},${y}`));
  const free = (x, y) => !taken.has(`${x},${y}`);
  return corners
    .map(
      ([x, y]) =>
        (free(x, y - 1) ? `M${x} ${y}h1` : "") +
        (free(x, y + 1) ? `M${x} ${y + 1}h1` : "") +
        (free(x - 1, y) ? `M${x} ${y}v1` : "") +
        (free(x + 1, y) ? `M${x + 1} ${y}v1` : ""),
    )
    .join("");
}

const GAP = 1; // Between two tiles in a row.

// Puts the tiles into as many rows as the style sheet wants (--tray-rows), which scroll sideways where they are longer than
// the screen; with none of them, they stay where their picture has them.
function arrangeTray(tray) {
  const svg = tray.querySelector("svg");
  if (!svg) return;
  svg.dataset.home ??= svg.getAttribute("viewBox");
  const wanted = Number(getComputedStyle(tray).getPropertyValue("--tray-rows")) || 0;
  const groups = /** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("[data-kind]"));
  const tiles = [...groups];
  const isButton = (tile) => tile.getAttribute("role") === "button";
  const left = tiles.some(isButton) ? isButton : () => true; // Whose turn it is not has none.
  for (const tile of tiles) {
    tile.style.translate = "";
    tile.classList.toggle("gone", wanted > 0 && !left(tile));
  }
  if (!wanted) {
    svg.setAttribute("viewBox", svg.dataset.home);
    svg.style.width = "";
    return;
  }
  const boxes = tiles.filter(left).map((tile) => /** @type {const} */ ([tile, tile.getBBox()]));
  const length = boxes.reduce((sum, [, box]) => sum + box.width + GAP, 0) / wanted;
  let [x, y, widest, row] = [0, 0, 0, []];
  const endRow = () => {
    const height = Math.max(...row.map(([, box]) => box.height));
    for (const [tile, box, at] of row)
      tile.style.translate = `${at - box.x}px ${y + (height - box.height) / 2 - box.y}px`;
    [x, y, widest, row] = [0, y + height, Math.max(widest, x), []];
  };
  for (const [tile, box] of boxes) {
    row.push([tile, box, x]);
    x += box.width + GAP;
    if (x >= length - 0.01) endRow();
  }
  if (row.length) endRow();
  svg.setAttribute("viewBox", `${-GAP / 2} 0 ${widest} ${y}`);
  svg.style.width = `calc(${widest} * var(--tray-cell))`;
}

export class TilePlacement {
  constructor(board) {
    this.board = board;
    this.mine = false;
    this.tray = document.getElementById("tray");
    this.name = null;
    this.orientation = 0;
    this.spot = null; // The square under the middle of the tile.
    this.isSent = false; // Whether the tile lies where the server is asked for it.
    const wheel = new Wheel();
    const svg = board.svg;
    svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse" || event.buttons) this.#hover(board.under(event));
    });
    svg.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.#hover(null);
    });
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    svg.addEventListener(
      "wheel",
      (event) => {
        if (!this.mine || !this.name || event.ctrlKey) return; // With Ctrl it is the page that grows.
        event.preventDefault();
        const way = wheel.notch(event);
        if (way) this.#change(way > 0 ? 1 : 3);
      },
      { passive: false },
    );
    svg.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.#hover(event.target);
    });
    svg.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.#place();
      }
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("resize", () => arrangeTray(this.tray));
    document.getElementById("turn")?.addEventListener("click", () => this.#change(1));
    document.getElementById("flip-tile")?.addEventListener("click", () => this.#flip());
    document.getElementById("place")?.addEventListener("click", () => this.#place());
    document.getElementById("pass")?.addEventListener("click", () => send({ picks: "pass" }));
  }

  update(play) {
    const before = this.name;
    this.mine = play.mine;
    this.isSent = false;
    this.paint = play.paint;
    this.advice = play.advice ?? "";
    this.things = play.things ?? {};
    this.orientations = play.orientations ?? {};
    this.tree = readTree(play.tree ?? []);
    this.anchors = play.anchors ?? [];
    this.board.update(play);
    if (this.tray) this.#fill(play);
    const pass = buttonById("pass");
    if (pass) pass.disabled = !this.tree.has("pass");
    this.name = null;
    this.spot = null;
    const names = Object.keys(this.orientations);
    if (this.mine && names.length)
      this.#choose(names.includes(before) ? before : names.length === 1 ? names[0] : null);
    this.#draw();
  }

  // The tiles at the side; those that fit nowhere are pale.
  #fill(play) {
    const scrolled = this.tray.firstElementChild?.scrollLeft ?? 0;
    const names = Object.fromEntries(Object.keys(this.orientations).map((name) => [name, this.things[name]]));
    const buttons = fillTray(this.tray, play, names, (name) => this.#choose(name));
    for (const [name, button] of buttons) if (!this.tree.has(name)) button.setAttribute("opacity", "0.4");
    arrangeTray(this.tray);
    if (this.tray.firstElementChild) this.tray.firstElementChild.scrollLeft = scrolled;
  }

  #choose(name) {
    if (this.isSent) return;
    this.name = name;
    // Begin with an orientation that fits somewhere.
    this.orientation = Number(this.tree.get(name)?.keys().next().value ?? 0);
    for (const group of this.tray?.querySelectorAll("[role=button]") ?? []) {
      const isChosen = group.getAttribute("data-kind") === name;
      group.setAttribute("aria-pressed", String(isChosen));
      if (isChosen) this.#bringIntoView(group);
    }
    report(this.advice || (name === null ? (this.mine ? words.choose : "") : this.things[name]));
    this.#draw();
  }

  // Where the tiles scroll sideways; the page stays where it is.
  #bringIntoView(tile) {
    const scroller = this.tray.firstElementChild;
    const [box, around] = [tile.getBoundingClientRect(), scroller.getBoundingClientRect()];
    if (box.left < around.left || box.right > around.right)
      scroller.scrollLeft += box.left + box.width / 2 - around.left - around.width / 2;
  }

  // The chosen tile as it is turned: its cells, and which orientation a turn and a flip lead to.
  get #shape() {
    return this.orientations[this.name][this.orientation];
  }

  // Where the upper left corner of its box may be.
  get #fitting() {
    return this.tree.get(this.name)?.get(String(this.orientation)) ?? new Map();
  }

  #change(quarters) {
    if (!this.name || this.isSent) return;
    for (let i = 0; i < quarters; i++) this.orientation = this.#shape[1];
    this.#draw();
  }

  #flip() {
    if (!this.name || this.isSent) return;
    this.orientation = this.#shape[2];
    this.#draw();
  }

  #key(event) {
    if (
      !this.mine ||
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      event.target.matches("input, select, textarea")
    )
      return;
    const names = Object.keys(this.orientations);
    const at = names.indexOf(this.name);
    switch (event.key.toLowerCase()) {
      case "r":
        return this.#change(event.shiftKey ? 3 : 1);
      case "f":
        return this.#flip();
      case "n":
        return this.#choose(names[(at + 1) % names.length]);
      case "b":
        return this.#choose(names[(at + names.length - (at < 0 ? 0 : 1)) % names.length]);
      case "escape":
        return this.#choose(null);
    }
  }

  #hover(cell) {
    const key = cell?.key ?? null;
    if (key === this.spot || this.isSent) return;
    this.spot = key;
    this.#draw();
  }

  #press(event) {
    if (!this.mine || event.pointerType === "mouse") return;
    const cell = this.board.under(event);
    // A finger places the tile with its second tap on the ghost.
    this.armed = cell !== null && this.#covered().has(cell.key);
    if (!this.armed) this.#hover(cell);
  }

  #release(event) {
    if (!this.mine || event.button !== 0) return;
    if (event.pointerType === "mouse" || this.armed) this.#place();
    else if (this.name) report(words.place);
  }

  // The upper left square of the ghost's box, kept on the board where that is possible.
  #corner() {
    if (!this.name || !this.spot) return null;
    const [cells] = this.#shape;
    const width = 1 + Math.max(...cells.map(([x]) => x));
    const height = 1 + Math.max(...cells.map(([, y]) => y));
    const [x, y] = this.spot.split(",").map(Number);
    return [x - ((width - 1) >> 1), y - ((height - 1) >> 1)];
  }

  #covered() {
    const corner = this.#corner();
    if (!corner) return new Set();
    return new Set(this.#shape[0].map(([x, y]) => `${corner[0] + x},${corner[1] + y}`));
  }

  #draw() {
    const board = this.board;
    board.clear();
    if (!this.mine) return;
    const open = new Set();
    for (const at of this.#fitting.keys()) {
      const [x, y] = at.split(",").map(Number);
      for (const [dx, dy] of this.#shape[0]) open.add(`${x + dx},${y + dy}`);
    }
    if (this.isSent) return this.#ghost(true);
    for (const anchor of this.anchors) {
      const key = anchor.join(",");
      const [cx, cy] = board.middle(key);
      board.mark("circle", {
        class: open.has(key) ? "anchor open" : "anchor",
        cx,
        cy,
        r: open.has(key) ? 0.2 : 0.14,
      });
    }
    const corner = this.#corner();
    if (!corner) return;
    const at = corner.join(",");
    const fits = this.#fitting.has(at);
    this.#ghost(fits);
    clearTimeout(this.asking);
    if (fits) report(`${this.things[this.name]}: ${words.fits}`);
    else this.asking = setTimeout(() => this.#why(at), 120);
  }

  // The tile where it is to lie, in its own colour; with a red line around it where it does not fit.
  #ghost(fits) {
    const kind = this.isSent ? "sent" : fits ? "" : "wrong";
    const [fill, edge] = this.paint;
    const cells = [...this.#covered()].map((key) => this.board.cells.get(key)).filter(Boolean);
    for (const cell of cells)
      this.board.mark("rect", {
        class: `ghost ${kind}`,
        x: cell.points[0][0],
        y: cell.points[0][1],
        width: 1,
        height: 1,
        fill,
      });
    this.board.mark("path", {
      class: `ghost-edge ${kind}`,
      d: edges(cells.map((cell) => cell.points[0])),
      stroke: edge,
    });
  }

  async #why(at) {
    const picks = this.#picks(at);
    const answer = await ask({ picks });
    if (picks === this.#picks(this.#corner()?.join(",")) && !answer.ok) report(answer.text, true);
  }

  #picks(at) {
    return `${this.name} ${this.orientation} ${at}`;
  }

  #place() {
    const corner = this.#corner();
    if (!this.mine || this.isSent) return;
    if (!corner) return report(this.name ? words.point : words.choose);
    clearTimeout(this.asking);
    const at = corner.join(",");
    const fields = { picks: this.#picks(at) };
    if (!this.#fitting.has(at)) return void send(fields); // The server says why not.
    this.isSent = true; // It lies there at once.
    this.#draw();
    const undo = placed(this.board.picture, [...this.#covered()]);
    send(fields, () => {
      undo();
      this.isSent = false;
      this.#draw();
      clearTimeout(this.asking);
    });
  }
}
