// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.

import type { Element } from "./client.ts";

const YEAR: number = __YEAR__;
const SIDE = 20;
const COLORS = ["BLUE", "YELLOW", "RED", "GREEN"];
const PIECES: Record<string, string> = {
  MONO: "#", DOMINO: "##", TRIO_L: "#. ##", TRIO_I: "# # #", TETRO_O: "## ##", TETRO_T: "### .#.",
  TETRO_I: "# # # #", TETRO_L: "#. #. ##", TETRO_Z: "##. .##", PENTO_L: "#. #. #. ##", PENTO_T: "### .#. .#.",
  PENTO_V: "#.. #.. ###", PENTO_S: ".### ##..", PENTO_Z: "##. .#. .##", PENTO_I: "# # # # #",
  PENTO_P: "## ## #.", PENTO_W: "#.. ##. .##", PENTO_U: "#.# ###", PENTO_R: "..# ### .#.",
  PENTO_X: ".#. ### .#.", PENTO_Y: ".# ## .# .#",
};
const ROTATIONS: Record<string, (square: Square) => Square> = {
  NONE: ([x, y]) => [x, y],
  RIGHT: ([x, y]) => [-y, x],
  MIRROR: ([x, y]) => [-x, -y],
  LEFT: ([x, y]) => [y, -x],
};

type Square = [x: number, y: number];
/** One way in which a piece can lie; its bounding box begins at 0,0. */
type Orientation = { rotation: string; flipped: boolean; cells: Square[] };
type Move = Orientation & { kind: string; x: number; y: number };

/** Every way in which a piece can lie, each once. */
function orientations(picture: string): Orientation[] {
  const piece: Square[] = [];
  picture.split(" ").forEach((row, y) => [...row].forEach((mark, x) => mark === "#" && piece.push([x, y])));
  const found = new Map<string, Orientation>();
  for (const [rotation, rotate] of Object.entries(ROTATIONS)) {
    for (const flipped of [false, true]) {
      const turned = piece.map(rotate).map(([x, y]): Square => [flipped ? -x : x, y]);
      const left = Math.min(...turned.map(([x]) => x));
      const top = Math.min(...turned.map(([, y]) => y));
      const cells = turned.map(([x, y]): Square => [x - left, y - top]);
      const name = cells.map(String).sort().join(" ");
      if (!found.has(name)) found.set(name, { rotation, flipped, cells });
    }
  }
  return [...found.values()];
}

const ORIENTATIONS = Object.fromEntries(Object.entries(PIECES).map(([kind, picture]) => [kind, orientations(picture)]));

/** What a player has to know of a <state>. */
class Position {
  readonly color: string;
  private readonly covered = new Map<string, string>();
  private readonly isFirst: boolean;
  private readonly pieces: string[];

  constructor(state: Element) {
    this.color = COLORS[state.number("turn") % 4]!;
    for (const field of state.child("board").all("field")) {
      this.covered.set(`${field.number("x")},${field.number("y")}`, field.attribute("content"));
    }
    this.isFirst = ![...this.covered.values()].includes(this.color);
    const left = state.child(`${this.color.toLowerCase()}Shapes`).all("shape").map((shape) => shape.text);
    this.pieces = this.isFirst ? [state.attribute("startPiece")] : left;
  }

  private touches(squares: Square[]): boolean {
    return squares.some(([x, y]) => this.covered.get(`${x},${y}`) === this.color);
  }

  /** Whether the colour may cover this square of the board. */
  private isOpen(x: number, y: number): boolean {
    return !this.covered.has(`${x},${y}`) && !this.touches([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]);
  }

  /** Whether this open square is one of those of which a piece must cover at least one. */
  private isCorner(x: number, y: number): boolean {
    const [side, end] = [x === 0 || x === SIDE - 1, y === 0 || y === SIDE - 1];
    if (this.isFirst) return YEAR === 2021 ? side && end : side || end; // in 2021 it covers a corner of the board
    return this.touches([[x - 1, y - 1], [x + 1, y - 1], [x - 1, y + 1], [x + 1, y + 1]]);
  }

  /** One of the largest pieces that fit, or undefined if there is none. */
  choose(): Move | undefined {
    const open = Array.from({ length: SIDE }, (_, x) => Array.from({ length: SIDE }, (_, y) => this.isOpen(x, y)));
    const corners: Square[] = [];
    open.forEach((column, x) => column.forEach((free, y) => free && this.isCorner(x, y) && corners.push([x, y])));
    for (let size = 5; size > 0; size--) {
      const moves: Move[] = [];
      for (const kind of this.pieces) {
        for (const orientation of ORIENTATIONS[kind] ?? []) {
          if (orientation.cells.length === size) addMoves(moves, kind, orientation, open, corners);
        }
      }
      if (moves.length > 0) return moves[Math.floor(Math.random() * moves.length)];
    }
    return undefined;
  }
}

/** Adds every placement of a piece that lies like this; some of them more than once. */
function addMoves(moves: Move[], kind: string, orientation: Orientation, open: boolean[][], corners: Square[]): void {
  for (const [cornerX, cornerY] of corners) {
    for (const [cellX, cellY] of orientation.cells) {
      const [left, top] = [cornerX - cellX, cornerY - cellY];
      if (orientation.cells.every(([x, y]) => open[left + x]?.[top + y])) {
        moves.push({ kind, ...orientation, x: left, y: top });
      }
    }
  }
}

/** The data to answer a request in this state with. */
export function chooseMove(state: Element): string {
  const position = new Position(state);
  const { color } = position;
  const move = position.choose();
  if (!move) return `<data class="sc.plugin${YEAR}.SkipMove"><color>${color}</color></data>`;
  return `<data class="sc.plugin${YEAR}.SetMove"><piece color="${color}" kind="${move.kind}" ` +
    `rotation="${move.rotation}" isFlipped="${move.flipped}"><position x="${move.x}" y="${move.y}"/></piece></data>`;
}
