// The cells of a board, above its picture.
import { words } from "./table.js";

const SVG = "http://www.w3.org/2000/svg";
const root = document.getElementById("table");
const frame = document.getElementById("frame");

export function make(name, attributes = {}, parent = null, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent?.append(element);
  return element;
}

// A polygon with round corners, as the outline of a path; ``scale`` shrinks it towards its middle.
function rounded(points, [cx, cy], scale = 1, radius = 0) {
  const corners = points.map(([x, y]) => [cx + (x - cx) * scale, cy + (y - cy) * scale]);
  const towards = ([x0, y0], [x1, y1]) => {
    const share = Math.min(0.5, radius / Math.hypot(x1 - x0, y1 - y0));
    return `${x0 + (x1 - x0) * share} ${y0 + (y1 - y0) * share}`;
  };
  return `${corners
    .map((corner, i) => {
      const [before, after] = [corners.at(i - 1), corners[(i + 1) % corners.length]];
      return `${i ? "L" : "M"}${towards(corner, before)}Q${corner.join(" ")} ${towards(corner, after)}`;
    })
    .join("")}Z`;
}

// The board as a grid of cells that can be pointed at, walked over with keys, and read aloud.
export class Board {
  constructor(play) {
    this.svg = make(
      "svg",
      {
        class: "overlay",
        viewBox: `0 0 ${play.extent[0]} ${play.extent[1]}`,
        role: "grid",
        "aria-label": words.board,
      },
      frame,
    );
    this.marks = make("g", { class: "marks", "aria-hidden": "true" }, this.svg);
    this.#lay(play);
    this.svg.addEventListener("focusin", (event) => this.#rove(event.target));
    this.svg.addEventListener("keydown", (event) => this.#walk(event));
  }

  // The squares in the order in which they are seen; anew when the board is turned.
  #lay(play) {
    this.corner = play.rows[0][0][0];
    this.cells = new Map();
    this.walk = null;
    this.svg.replaceChildren(this.marks);
    for (const row of play.rows) {
      const group = make("g", { role: "row" }, this.svg);
      for (const [key, x, y, name, , shape = 0] of row) {
        const points = play.shapes[shape].map(([dx, dy]) => [x + dx, y + dy]);
        const middle = [0, 1].map(
          (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length,
        );
        const cell = make(
          "path",
          {
            class: "cell",
            x,
            y,
            d: `M${points.map((point) => point.join(" ")).join("L")}Z`,
            role: "gridcell",
            tabindex: -1,
            "data-square": key,
          },
          group,
        );
        Object.assign(cell, { key, points, middle, squareName: name });
        this.cells.set(key, cell);
      }
    }
    this.cells.values().next().value.setAttribute("tabindex", 0);
  }

  // The picture below the squares.
  get picture() {
    return document.querySelector("#board svg");
  }

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

  clear() {
    this.marks.replaceChildren();
  }
  mark(name, attributes, text) {
    return make(name, attributes, this.marks, text);
  }
  middle(key) {
    return this.cells.get(key).middle;
  }
  // Draws the outline of a cell, a little smaller than it is.
  frame(key, kind) {
    const { points, middle } = this.cells.get(key);
    return this.mark("path", { class: kind, d: rounded(points, middle, 0.88, 0.12) });
  }

  // Where a pointer is, in the units of the picture, and the square there.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const view = this.svg.viewBox.baseVal;
    return [
      ((event.clientX - box.left) / box.width) * view.width,
      ((event.clientY - box.top) / box.height) * view.height,
    ];
  }

  under(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell") ?? null;
  }

  // The nearest cell in a direction. Who walks on in the same direction stays near the line on which they began, so that
  // the way up and down a board of hexagons is straight.
  beside(cell, [dx, dy]) {
    const isSameWalk = this.walk?.at === cell && this.walk.isUpright === (dx === 0);
    const origin = isSameWalk ? this.walk.origin : cell.middle;
    let [best, shortest] = [null, Infinity];
    for (const other of this.cells.values()) {
      const [x, y] = [other.middle[0] - cell.middle[0], other.middle[1] - cell.middle[1]];
      const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
      if (ahead < 0.1 || aside > ahead + 0.01) continue;
      const astray = dx === 0 ? other.middle[0] - origin[0] : other.middle[1] - origin[1];
      const distance = Math.hypot(ahead, aside) + Math.abs(astray) / 10;
      if (distance < shortest - 0.001) [best, shortest] = [other, distance];
    }
    if (best) this.walk = { at: best, origin, isUpright: dx === 0 };
    return best;
  }

  #rove(cell) {
    if (!cell.classList.contains("cell")) return;
    for (const other of this.svg.querySelectorAll('.cell[tabindex="0"]')) other.setAttribute("tabindex", -1);
    cell.setAttribute("tabindex", 0);
  }

  #walk(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || !event.target.classList.contains("cell")) return;
    event.preventDefault();
    this.beside(event.target, step)?.focus();
  }
}
