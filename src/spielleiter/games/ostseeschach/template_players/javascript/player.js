"use strict";
// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.

const SIZE = 8;
/** Where the pieces go, as steps [forward, to the side]. */
const STEPS = {
  Herzmuschel: [[1, -1], [1, 1]],
  Moewe: [[1, 0], [-1, 0], [0, 1], [0, -1]],
  Seestern: [[1, 0], [1, 1], [1, -1], [-1, 1], [-1, -1]],
  Robbe: [[2, 1], [2, -1], [1, 2], [1, -2], [-1, 2], [-1, -2], [-2, 1], [-2, -1]],
};

/** What a player has to know of a state. */
class Position {
  constructor(state) {
    this.team = state.number("turn") % 2 === 0 ? "ONE" : "TWO";
    // A piece or a stack of pieces on board[x][y]; x counts the lines from the start line of ONE.
    this.board = Array.from({ length: SIZE }, () => Array(SIZE).fill(null));
    for (const entry of state.child("board").child("pieces").all("entry")) {
      const [square, piece] = [entry.child("coordinates"), entry.child("piece")];
      this.board[square.number("x")][square.number("y")] =
        { kind: piece.attribute("type"), team: piece.attribute("team"), height: piece.number("count") };
    }
  }

  /** All legal moves: the piece on x,y goes to a target. */
  moves() {
    const forward = this.team === "ONE" ? 1 : -1;
    const found = [];
    for (let x = 0; x < SIZE; x++) {
      for (let y = 0; y < SIZE; y++) {
        if (!this.isOwn(x, y)) continue;
        for (const [ahead, aside] of STEPS[this.board[x][y].kind]) {
          const [targetX, targetY] = [x + forward * ahead, y + aside];
          if (isInside(targetX, targetY) && !this.isOwn(targetX, targetY)) found.push({ x, y, targetX, targetY });
        }
      }
    }
    return found;
  }

  isOwn(x, y) {
    return this.board[x][y] !== null && this.board[x][y].team === this.team;
  }

  /** How many ambers this move wins. */
  ambers({ x, y, targetX, targetY }) {
    const [piece, below] = [this.board[x][y], this.board[targetX][targetY]];
    const lastLine = this.team === "ONE" ? SIZE - 1 : 0;
    let count = 0;
    if (below !== null && piece.height + below.height >= 3) count++;
    if (targetX === lastLine && piece.kind !== "Robbe") count++;
    return count;
  }

  /** How good a move is: two for each amber, one for landing on an opponent. */
  value(move) {
    return 2 * this.ambers(move) + (this.board[move.targetX][move.targetY] !== null ? 1 : 0);
  }
}

function isInside(x, y) {
  return x >= 0 && x < SIZE && y >= 0 && y < SIZE;
}

/** The data of the move to answer with: one of the best, chosen at random. */
function chooseMove(state) {
  const position = new Position(state);
  const moves = position.moves();
  const best = Math.max(...moves.map((move) => position.value(move)));
  const good = moves.filter((move) => position.value(move) === best);
  const { x, y, targetX, targetY } = good[Math.floor(Math.random() * good.length)];
  return `<data class="move"><from x="${x}" y="${y}"/><to x="${targetX}" y="${targetY}"/></data>`;
}

module.exports = { chooseMove };
