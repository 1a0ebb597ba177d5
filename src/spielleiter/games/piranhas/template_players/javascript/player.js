"use strict";
// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
// The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

const SIZE = 10;
const DIRECTIONS = {
  UP: [0, 1],
  UP_RIGHT: [1, 1],
  RIGHT: [1, 0],
  DOWN_RIGHT: [1, -1],
  DOWN: [0, -1],
  DOWN_LEFT: [-1, -1],
  LEFT: [-1, 0],
  UP_LEFT: [-1, 1],
};
/** What can lie on a square, in the words of both seasons. In 2019 all fish weigh the same. */
const CONTENTS = {
  EMPTY: { owner: "", weight: 0 },
  RED: { owner: "ONE", weight: 1 },
  BLUE: { owner: "TWO", weight: 1 },
  OBSTRUCTED: { owner: "KRAKEN", weight: 0 },
  ONE_S: { owner: "ONE", weight: 1 },
  ONE_M: { owner: "ONE", weight: 2 },
  ONE_L: { owner: "ONE", weight: 3 },
  TWO_S: { owner: "TWO", weight: 1 },
  TWO_M: { owner: "TWO", weight: 2 },
  TWO_L: { owner: "TWO", weight: 3 },
  SQUID: { owner: "KRAKEN", weight: 0 },
};

/** What a player has to know of a state. */
class Position {
  constructor(state) {
    this.is2019 = state.attribute("class") === "sc.plugin2019.GameState";
    [this.team, this.opponent] = state.number("turn") % 2 === 0 ? ["ONE", "TWO"] : ["TWO", "ONE"];
    // The lines of the state: columns in 2019, rows in 2026.
    this.lines = state.child("board").all(this.is2019 ? "fields" : "row").map((line) =>
      line.all("field").map((field) => CONTENTS[this.is2019 ? field.attribute("state") : field.text]));
  }

  /** What lies on a square. */
  at(x, y) {
    return this.is2019 ? this.lines[x][y] : this.lines[y][x];
  }

  /** All legal moves: the fish on x,y swims in a direction, and so comes to a target. */
  moves() {
    const found = [];
    for (let x = 0; x < SIZE; x++) {
      for (let y = 0; y < SIZE; y++) {
        if (this.at(x, y).owner !== this.team) continue;
        for (const [direction, [dx, dy]] of Object.entries(DIRECTIONS)) {
          const distance = 1 + this.fishFrom(x, y, dx, dy) + this.fishFrom(x, y, -dx, -dy);
          if (this.canSwim(x, y, dx, dy, distance)) {
            found.push({ x, y, direction, targetX: x + distance * dx, targetY: y + distance * dy });
          }
        }
      }
    }
    return found;
  }

  /** Whether the own fish on this square may swim so far in this direction. */
  canSwim(x, y, dx, dy, distance) {
    const [targetX, targetY] = [x + distance * dx, y + distance * dy];
    if (!isInside(targetX, targetY)) return false;
    const there = this.at(targetX, targetY).owner;
    if (there === this.team || there === "KRAKEN") return false;
    for (let step = 1; step < distance; step++) {
      if (this.at(x + step * dx, y + step * dy).owner === this.opponent) {
        return false; // own fish and krakens may be passed, opponents not
      }
    }
    return true;
  }

  /** How many fish lie from this square on in this direction, the square itself not counted. */
  fishFrom(x, y, dx, dy) {
    let count = 0;
    for (x += dx, y += dy; isInside(x, y); x += dx, y += dy) {
      if (this.at(x, y).weight > 0) count++;
    }
    return count;
  }

  /** How good a move is: the weight of the fish that it eats, 0 if it eats none. */
  value(move) {
    return this.at(move.targetX, move.targetY).weight;
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
  const { x, y, direction } = good[Math.floor(Math.random() * good.length)];
  if (position.is2019) return `<data class="move" x="${x}" y="${y}" direction="${direction}"/>`;
  return `<data class="move"><from x="${x}" y="${y}"/><direction>${direction}</direction></data>`;
}

module.exports = { chooseMove };
