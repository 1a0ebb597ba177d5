// Tiles that are placed: choose one beside the board, turn and flip it, and see by its ghost where it fits and why not.
import { ask, make, report, send, words } from "./play.js";

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
export function edges(corners) {
  const taken = new Set(corners.map(([x, y]) => `${x},${y}`));
  const free = (x, y) => !taken.has(`${x},${y}`);
  return corners.map(([x, y]) =>
    (free(x, y - 1) ? `M${x} ${y}h1` : "") + (free(x, y + 1) ? `M${x} ${y + 1}h1` : "") +
    (free(x - 1, y) ? `M${x} ${y}v1` : "") + (free(x + 1, y) ? `M${x + 1} ${y}v1` : "")).join("");
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
    svg.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse" || event.buttons) this.#hover(board.under(event)); });
    svg.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.#hover(null); });
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    svg.addEventListener("wheel", (event) => {
      if (!this.mine || !this.name || event.ctrlKey) return; // With Ctrl it is the page that grows.
      event.preventDefault();
      const way = wheel.notch(event);
      if (way) this.#change(way > 0 ? 1 : 3);
    }, { passive: false });
    svg.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) this.#hover(event.target); });
    svg.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.#place(); } });
    document.addEventListener("keydown", (event) => this.#key(event));
    document.getElementById("turn")?.addEventListener("click", () => this.#change(1));
    document.getElementById("flip-tile")?.addEventListener("click", () => this.#flip());
    document.getElementById("place")?.addEventListener("click", () => this.#place());
    document.getElementById("pass")?.addEventListener("click", () => send({ pass: 1 }));
  }

  update(play) {
    const before = this.name;
    this.mine = play.mine;
    this.isSent = false;
    this.paint = play.paint;
    this.note = play.note;
    this.tiles = play.tiles;
    this.placements = new Map(Object.entries(play.placements).map(([key, squares]) => [key, new Set(squares)]));
    this.anchors = play.anchors;
    this.board.update(play);
    if (this.tray) this.#fill(play);
    const pass = document.getElementById("pass");
    if (pass) pass.disabled = !play.pass;
    this.name = null;
    this.spot = null;
    const names = Object.keys(this.tiles);
    if (this.mine && names.length) this.#choose(names.includes(before) ? before : names.length === 1 ? names[0] : null);
    this.#draw();
  }

  // The tiles at the side: the server's picture, whose groups become buttons.
  #fill(play) {
    this.tray.innerHTML = play.tray;
    const svg = this.tray.querySelector("svg");
    svg.removeAttribute("aria-hidden"); // Other pictures are for eyes only; this one is to be used.
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", `${words.tiles}: ${play.side}`);
    svg.querySelector("title")?.remove();
    for (const group of svg.querySelectorAll("[data-kind]")) {
      const tile = play.tiles[group.dataset.kind];
      if (!tile) { if (this.mine) group.setAttribute("opacity", "0.35"); continue; }
      const box = group.getBBox();
      group.prepend(make("rect", { class: "hit", x: box.x - 0.4, y: box.y - 0.4, width: box.width + 0.8, height: box.height + 0.8, rx: 0.4 }));
      const possible = tile[1].some((_, orientation) => this.placements.has(`${group.dataset.kind}:${orientation}`));
      if (!possible) group.setAttribute("opacity", "0.4");
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "0");
      group.setAttribute("aria-label", tile[0]);
      group.setAttribute("aria-pressed", "false");
      group.addEventListener("click", () => this.#choose(group.dataset.kind));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.#choose(group.dataset.kind); }
      });
    }
  }

  #choose(name) {
    if (this.isSent) return;
    this.name = name;
    this.orientation = 0;
    if (name !== null) {
      // Begin with an orientation that fits somewhere.
      const orientations = this.tiles[name][1];
      const possible = orientations.findIndex((_, orientation) => this.placements.has(`${name}:${orientation}`));
      this.orientation = Math.max(0, possible);
    }
    for (const group of this.tray?.querySelectorAll("[role=button]") ?? []) {
      group.setAttribute("aria-pressed", String(group.dataset.kind === name));
    }
    report(this.note || (name === null ? (this.mine ? words.choose : "") : this.tiles[name][0]));
    this.#draw();
  }

  #change(quarters) {
    if (!this.name || this.isSent) return;
    for (let i = 0; i < quarters; i++) this.orientation = this.tiles[this.name][1][this.orientation][1];
    this.#draw();
  }

  #flip() {
    if (!this.name || this.isSent) return;
    this.orientation = this.tiles[this.name][1][this.orientation][2];
    this.#draw();
  }

  #key(event) {
    if (!this.mine || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
    const names = Object.keys(this.tiles);
    const at = names.indexOf(this.name);
    switch (event.key.toLowerCase()) {
      case "r": return this.#change(event.shiftKey ? 3 : 1);
      case "f": return this.#flip();
      case "n": return this.#choose(names[(at + 1) % names.length]);
      case "b": return this.#choose(names[(at + names.length - (at < 0 ? 0 : 1)) % names.length]);
      case "escape": return this.#choose(null);
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
    const cells = this.tiles[this.name][1][this.orientation][0];
    const width = 1 + Math.max(...cells.map(([x]) => x));
    const height = 1 + Math.max(...cells.map(([, y]) => y));
    const [x, y] = this.spot.split(",").map(Number);
    return [x - ((width - 1) >> 1), y - ((height - 1) >> 1)];
  }

  #covered() {
    const corner = this.#corner();
    if (!corner) return new Set();
    return new Set(this.tiles[this.name][1][this.orientation][0].map(([x, y]) => `${corner[0] + x},${corner[1] + y}`));
  }

  #draw() {
    const board = this.board;
    board.clear();
    if (!this.mine) return;
    const open = new Set();
    for (const [key, squares] of this.placements) {
      const [name, orientation] = key.split(":");
      if (name !== this.name || Number(orientation) !== this.orientation) continue;
      for (const at of squares) {
        const [x, y] = at.split(",").map(Number);
        for (const [dx, dy] of this.tiles[name][1][orientation][0]) open.add(`${x + dx},${y + dy}`);
      }
    }
    if (this.isSent) return this.#ghost(true);
    for (const key of this.anchors) {
      const [cx, cy] = board.middle(key);
      board.mark("circle", { class: open.has(key) ? "anchor open" : "anchor", cx, cy, r: open.has(key) ? 0.2 : 0.14 });
    }
    const corner = this.#corner();
    if (!corner) return;
    const at = corner.join(",");
    const fits = this.placements.get(`${this.name}:${this.orientation}`)?.has(at) ?? false;
    this.#ghost(fits);
    clearTimeout(this.asking);
    if (fits) report(`${this.tiles[this.name][0]}: ${words.fits}`);
    else this.asking = setTimeout(() => this.#why(at), 120);
  }

  // The tile where it is to lie, in its own colour; with a red line around it where it does not fit.
  #ghost(fits) {
    const kind = this.isSent ? "sent" : fits ? "" : "wrong";
    const [fill, edge] = this.paint;
    const cells = [...this.#covered()].map((key) => this.board.cells.get(key)).filter(Boolean);
    for (const cell of cells) this.board.mark("rect", { class: `ghost ${kind}`, x: cell.x0, y: cell.y0, width: 1, height: 1, fill });
    this.board.mark("path", { class: `ghost-edge ${kind}`, d: edges(cells.map((cell) => [cell.x0, cell.y0])), stroke: edge });
  }

  async #why(at) {
    const asked = `${this.name}:${this.orientation}:${at}`;
    const answer = await ask({ tile: this.name, orientation: this.orientation, at });
    if (asked === `${this.name}:${this.orientation}:${this.#corner()?.join(",")}` && !answer.ok) report(answer.text, true);
  }

  #place() {
    const corner = this.#corner();
    if (!this.mine || this.isSent) return;
    if (!corner) return report(this.name ? words.point : words.choose);
    clearTimeout(this.asking);
    const at = corner.join(",");
    const fields = { tile: this.name, orientation: this.orientation, at };
    if (!this.placements.get(`${this.name}:${this.orientation}`)?.has(at)) return void send(fields); // The server says why not.
    this.isSent = true; // It lies there at once.
    this.#draw();
    const undo = boardMotion.placed(this.board.picture, [...this.#covered()]);
    send(fields, () => { undo(); this.isSent = false; this.#draw(); clearTimeout(this.asking); });
  }
}
