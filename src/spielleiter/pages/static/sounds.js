// Sounds of a board, made by the browser itself: move, capture, own turn, end (won, lost, or of others) or a solved puzzle. None before the first click, as browsers
// demand, and none where they are switched off; a browser that forbids them plays in silence.
import { onUpdate } from "./live.js";

// Each note: when it begins in seconds, its pitch at the beginning and at the end in Hz, how long it lasts, how loud it is.
const SOUNDS = {
  move: [[0, 320, 170, 0.07, 0.3]],
  capture: [
    [0, 240, 90, 0.09, 0.35],
    [0.06, 150, 60, 0.12, 0.3],
  ],
  turn: [
    [0.16, 660, 660, 0.1, 0.1],
    [0.26, 880, 880, 0.14, 0.1],
  ],
  end: [
    [0.1, 523, 523, 0.18, 0.14],
    [0.26, 659, 659, 0.18, 0.14],
    [0.42, 784, 784, 0.4, 0.14],
  ],
  won: [
    [0.1, 523, 523, 0.14, 0.16],
    [0.22, 659, 659, 0.14, 0.16],
    [0.34, 784, 784, 0.14, 0.16],
    [0.46, 1047, 1047, 0.6, 0.18],
    [0.46, 659, 659, 0.6, 0.1],
  ],
  // The winner of a season: a call, and a chord that stays.
  fanfare: [
    [0, 392, 392, 0.16, 0.16],
    [0.18, 523, 523, 0.16, 0.16],
    [0.36, 659, 659, 0.16, 0.16],
    [0.54, 784, 784, 0.34, 0.18],
    [0.9, 659, 659, 0.16, 0.16],
    [1.08, 784, 784, 1.4, 0.18],
    [1.08, 659, 659, 1.4, 0.12],
    [1.08, 523, 523, 1.4, 0.12],
    [1.08, 1047, 1047, 1.4, 0.1],
  ],
  lost: [
    [0.1, 392, 392, 0.25, 0.13],
    [0.35, 311, 311, 0.25, 0.13],
    [0.6, 262, 247, 0.7, 0.13],
  ],
};
const KEY = "spielleiter.sound";
const button = document.getElementById("sound");
let context = null;
let isOn = read() !== "off";

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Some browsers store nothing.
  }
}

function wake() {
  try {
    context ??= new AudioContext();
    context.resume().catch(() => {});
  } catch {
    /* Forbidden, or unknown. */
  }
}

function play(name) {
  if (!isOn || context?.state !== "running" || document.hidden) return;
  for (const [at, from, to, seconds, gain] of SOUNDS[name]) {
    const start = context.currentTime + at;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, start + seconds);
    volume.gain.setValueAtTime(gain, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
}

function show() {
  button.setAttribute("aria-pressed", String(isOn));
}

button.hidden = !("AudioContext" in window);
button.addEventListener("click", () => {
  isOn = !isOn;
  try {
    localStorage.setItem(KEY, isOn ? "on" : "off");
  } catch {
    /* Then until the page is left. */
  }
  show();
  play("move");
});
show();
for (const type of ["pointerdown", "keydown"]) addEventListener(type, wake, { once: true, capture: true });
document.addEventListener("boardmove", (event) => {
  const { detail } = /** @type {CustomEvent<{ captured: boolean }>} */ (event);
  play(detail.captured ? "capture" : "move");
});
document.addEventListener("solved", () => play("end"));

let last = null;
onUpdate(({ moment }) => {
  if (!moment) return;
  if (moment.ending === "fanfare") {
    if (last !== null && last.ending !== "fanfare") play("fanfare");
  } else if (last !== null && moment.room === last.room) {
    if (moment.over && !last.over) play(moment.ending in SOUNDS ? moment.ending : "end");
    else if (moment.mine && !last.mine) play("turn");
  }
  last = moment;
});
