"use strict";
// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It goes to a field with as many fish as possible. To make it better, begin with value.
// Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.

const SIZE = 8;
const PENGUINS = 4; // of each team
const DIRECTIONS = [[2, 0], [-2, 0], [1, 1], [-1, -1], [1, -1], [-1, 1]];

/** What a player has to know of a state. */
class Position {
  constructor(state) {
    this.fish = Array.from({ length: 2 * SIZE }, () => Array(SIZE).fill(0)); // how many on fish[x][y]
    this.penguins = { ONE: [], TWO: [] };
    state.child("board").all("list").forEach((row, y) => {
      row.all("field").forEach((field, index) => {
        const x = 2 * index + (y % 2);
        if (field.text in this.penguins) this.penguins[field.text].push([x, y]);
        else this.fish[x][y] = Number(field.text);
      });
    });
    this.team = state.number("turn") % 2 === 0 ? "ONE" : "TWO";
    // A team that cannot move is passed over: it must be the other one that is asked.
    if (this.moves().length === 0) this.team = this.team === "ONE" ? "TWO" : "ONE";
  }

  /** All legal moves: a penguin comes to a target; start is null if it is placed. */
  moves() {
    const own = this.penguins[this.team];
    if (own.length < PENGUINS) return this.placements();
    return own.flatMap((start) => this.targets(start).map((target) => ({ start, target })));
  }

  /** All ways to place a penguin. */
  placements() {
    const found = [];
    for (let x = 0; x < 2 * SIZE; x++) {
      for (let y = 0; y < SIZE; y++) {
        if (this.fish[x][y] === 1) found.push({ start: null, target: [x, y] });
      }
    }
    return found;
  }

  /** All fields to which the penguin on this field can slide. */
  targets([startX, startY]) {
    const found = [];
    for (const [dx, dy] of DIRECTIONS) {
      let [x, y] = [startX + dx, startY + dy];
      while (this.fish[x]?.[y] > 0) { // holes, penguins and the edge are in the way
        found.push([x, y]);
        [x, y] = [x + dx, y + dy];
      }
    }
    return found;
  }

  /** How good a move is: the fish that it gets. */
  value({ target: [x, y] }) {
    return this.fish[x][y];
  }
}

/** The data of the move to answer with: one of the best, chosen at random. */
function chooseMove(state) {
  const position = new Position(state);
  const moves = position.moves();
  const best = Math.max(...moves.map((move) => position.value(move)));
  const good = moves.filter((move) => position.value(move) === best);
  const { start, target } = good[Math.floor(Math.random() * good.length)];
  const from = start === null ? "" : `<from x="${start[0]}" y="${start[1]}"/>`;
  return `<data class="move">${from}<to x="${target[0]}" y="${target[1]}"/></data>`;
}

module.exports = { chooseMove };
