// What this browser remembers of the way from the rules of a game to its strongest opponent: the exercises that were
// solved, the levels that were beaten, and which game it was last. Where a browser stores nothing, nothing is remembered.
const SOLVED = "spielleiter-learned";
const PATH = "spielleiter-path";

function load(key) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {}; // Forbidden, or written by somebody else.
  }
}

function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    /* Then it is forgotten. */
  }
}

const list = (value) => (Array.isArray(value) ? value : []);

/** @returns {number[]} The exercises of a game that were solved. */
export const solved = (game) => list(load(SOLVED)[game]);

export function solve(game, number) {
  const all = load(SOLVED);
  all[game] = [...new Set([...list(all[game]), number])];
  store(SOLVED, all);
  visit(game);
}

/** @returns {string[]} The names of the levels of a game that were beaten. */
export const beaten = (game) => list(load(PATH).beaten?.[game]);

export function beat(game, level) {
  const path = load(PATH);
  path.beaten = { ...path.beaten, [game]: [...new Set([...beaten(game), level])] };
  store(PATH, path);
}

/** @returns {boolean} Whether the rules of a game were opened. */
export const wasRead = (game) => list(load(PATH).read).includes(game);

export function read(game) {
  const path = load(PATH);
  path.read = [...new Set([...list(path.read), game])];
  store(PATH, path);
  visit(game);
}

/** @returns {string | undefined} The game that was last learned or played. */
export const lastGame = () => load(PATH).last;

export function visit(game) {
  const path = load(PATH);
  path.last = game;
  store(PATH, path);
}
