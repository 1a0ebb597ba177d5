// What this browser remembers of puzzles: which are solved, the streak, the last one of each stream. Without storage all
// puzzles work the same, and nothing is counted.
import { elements } from "./elements.js";
import { onUpdate, show } from "./live.js";

const STORE = "puzzles";
const REPLY_AFTER = 600; // Milliseconds in which the own move is seen before it is answered.

function remembered() {
  const nothing = { run: 0, best: 0, solved: {}, missed: {}, days: 0, lastDay: null, places: {} };
  try {
    return { ...nothing, ...JSON.parse(localStorage.getItem(STORE)) };
  } catch {
    // Forbidden by the browser, or written by somebody else.
    return nothing;
  }
}

function remember(memory) {
  try {
    localStorage.setItem(STORE, JSON.stringify(memory));
  } catch {
    /* Nothing is counted then. */
  }
}

// A puzzle counts once: as solved if no move before was wrong and the solution was not seen; solved later it is solved,
// but the streak has begun anew. On its day it counts for the day, also if it was met in a stream before.
function count({ id, progress, day }) {
  const memory = remembered();
  if (progress === "solved" && !memory.solved[id]) {
    memory.solved[id] = 1;
    if (!memory.missed[id]) memory.run += 1;
    memory.best = Math.max(memory.best, memory.run);
  } else if ((progress === "wrong" || progress === "shown") && !memory.solved[id]) {
    memory.missed[id] = 1;
    memory.run = 0;
  }
  if (progress === "solved" && day && day !== memory.lastDay) {
    const wasYesterday = memory.lastDay && (Date.parse(day) - Date.parse(memory.lastDay)) / 86400000 === 1;
    memory.days = wasYesterday ? memory.days + 1 : 1;
    memory.lastDay = day;
  }
  remember(memory);
}

function showCounts(today) {
  const memory = remembered();
  const missedDay = today && memory.lastDay && Date.parse(today) - Date.parse(memory.lastDay) > 86400000;
  const counts = {
    run: memory.run,
    best: memory.best,
    days: missedDay ? 0 : memory.days,
    solved: Object.keys(memory.solved).length,
  };
  for (const element of elements("[data-count]")) element.textContent = counts[element.dataset.count];
  for (const id of ["streak", "run"]) document.getElementById(id)?.removeAttribute("hidden");
}

const data = JSON.parse(document.getElementById("puzzle-data").textContent);
if (data.id) count(data);
showCounts(data.day);

// Streams go on where this browser left them.
const stream = new URLSearchParams(location.search).get("stream");
if (data.id && stream) {
  const memory = remembered();
  memory.places[stream] = data.id;
  remember(memory);
}
const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-stream]"));
for (const link of links) {
  const place = remembered().places[link.dataset.stream];
  if (place) link.href += `&after=${place}`;
}

onUpdate((look) => {
  if (!look.puzzle) return;
  history.replaceState(null, "", look.puzzle.address);
  if (look.reply) return setTimeout(() => show(look.reply), REPLY_AFTER);
  count(look.puzzle);
  showCounts();
  if (look.puzzle.progress === "solved") document.dispatchEvent(new Event("solved"));
  if (look.puzzle.progress !== "open") elements("#result a")[0]?.focus({ preventScroll: true });
});
