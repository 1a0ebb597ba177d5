// The board of the workshop: the game on it, followed while it is played, and what its player said of each move.
import { buttonById, fieldById } from "./elements.js";
import { fill } from "./motion.js";
import { ReplayViewer } from "./replay.js";
import { shapes } from "./shapes.js";
import { $, data, said, say, words } from "./workshop-page.js";

let frames = []; // The positions of the game on the board.
let game = { names: ["", ""], team: 0 };

// The position that is seen; ``undefined`` before the first game.
export const shownFrame = () => frames[viewer.ply];

// Shows a game while it is played: fast players are followed at the chosen speed, slow ones as they move.
class Follower extends ReplayViewer {
  #timer = null;
  isFollowing = false;

  follow() {
    this.isFollowing = true;
    this.open(0, 0, true);
  }

  extend(last) {
    this.last = last;
    const slider = /** @type {HTMLInputElement} */ ($("slider"));
    slider.max = String(last);
    this.mark(false);
    if (this.isFollowing && this.#timer === null) this.#step();
  }

  async #step() {
    if (!this.isFollowing || this.ply >= this.last) {
      this.#timer = null;
      return;
    }
    this.#timer = setTimeout(
      async () => {
        if (this.isFollowing) await this.go(this.ply + 1);
        this.#step();
      },
      Number(fieldById("speed").value) / 2,
    );
  }

  // By hand.
  walk(ply) {
    this.isFollowing = false;
    return super.walk(ply);
  }

  toggle() {
    this.isFollowing = false;
    return super.toggle();
  }
}

const boardFrame = document.createElement("div");
boardFrame.className = "board";
boardFrame.dataset.game = $("workshop").dataset.family;

const listeners = [];

// Calls back whenever a position of the game is drawn.
export function onDraw(listener) {
  listeners.push(listener);
}

export function drawBoard(svg) {
  const box = boardFrame.cloneNode();
  /** @type {HTMLElement} */ (box).innerHTML = shapes(svg);
  fill($("board"), /** @type {HTMLElement} */ (box).outerHTML);
}

export function draw(frame, ply) {
  for (const listener of listeners) listener();
  drawBoard(frame.svg);
  showScores(frame);
  const isEnd = ply === frames.length - 1 && frame.end;
  const status = $("status").firstElementChild;
  status.textContent = isEnd
    ? frame.end.text
    : ply
      ? said(words.move, { ply, text: frame.say })
      : words.start;
  status.className = `status-text${isEnd ? " over" : ""}`;
  showPrinted(frame);
  buttonById("think").disabled = frame.over;
}

function showScores(frame) {
  for (const [team, row] of [...$("players").children].entries()) {
    row.querySelector("strong").textContent = game.names[team] ?? "";
    row.classList.toggle("turn", frame.turn === team);
    row.classList.toggle("mine", game.team === team);
    const scores = frame.points[team].map(([before, value, after]) => `${before} ${value} ${after}`.trim());
    row.querySelector(".scores").textContent = scores.join(" · ");
  }
  $("players").hidden = false;
}

// What the player printed and noted for the move that led here.
export function showPrinted({ printed = "", notes = [], noteProblem = "" }) {
  const lines = [printed.trimEnd(), ...notes.map(noteText), noteProblem].filter(Boolean);
  $("printed").hidden = lines.length === 0;
  $("printed").querySelector("pre").textContent = lines.join("\n");
}

function noteText(note) {
  const table = Object.entries(note.table ?? {}).map(([name, value]) => `${name}: ${value}`);
  const chance = note.chance === undefined ? [] : [`${Math.round(100 * note.chance)} %`];
  return `✎ ${[note.text, ...table, ...chance].filter(Boolean).join(" · ")}`;
}

export const viewer = new Follower((ply) => frames[ply], draw);

function addMove({ text, seconds, printed, notes }) {
  const row = document.createElement("li");
  const move = document.createElement("b");
  move.textContent = text;
  row.append(move);
  if (seconds !== null && seconds !== undefined) {
    const time = document.createElement("i");
    time.textContent = `${seconds.toLocaleString(data.language, { maximumFractionDigits: 2 })} s`;
    row.append(time);
  }
  if (printed || notes?.length)
    row.append(
      Object.assign(document.createElement("span"), {
        className: "has-print",
        title: words.printed,
        textContent: "✎",
      }),
    );
  $("moves").append(row);
}

export function beginGame(event) {
  frames = [event];
  game = { names: event.names, team: event.team };
  $("moves").replaceChildren();
  viewer.follow();
  draw(event, 0);
}

export function extendGame(event) {
  frames.push(event);
  addMove(event);
  viewer.extend(frames.length - 1);
}

export function endGame(event) {
  frames.at(-1).end = event;
  if (event.printed) frames.at(-1).printed = event.printed;
  if (viewer.ply === frames.length - 1) draw(frames.at(-1), viewer.ply);
  say(event.text);
}
