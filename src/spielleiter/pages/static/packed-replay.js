// Steps through one game: buttons, keys, slider, clicks on moves. Its pictures come from a volume (see replays.py).
"use strict";
const root = document.getElementById("replay");
const $ = (id) => document.getElementById(id);
const rows = $("moves").children;
const bars = new Map([...document.querySelectorAll("#times [data-ply]")].map((bar) => [Number(bar.dataset.ply), bar]));
let frames = [];
let pieces = [];
let ply = 0;
let film = null;

// Each position is told by what differs from the one before it.
function follow(changes) {
  let parts = [];
  return changes.map((change) => {
    parts = parts.slice();
    if (Array.isArray(change[0])) {
      const [start, cut, ...more] = change[0];
      parts.splice(start, cut, ...more);
    } else {
      for (let at = 0; at < change.length; at += 2) parts[change[at]] = change[at + 1];
    }
    return parts;
  });
}

function go(to) {
  rows[ply - 1]?.classList.remove("now");
  bars.get(ply)?.classList.remove("now");
  ply = Math.max(0, Math.min(frames.length - 1, to));
  $("board").innerHTML = frames[ply].map((piece) => pieces[piece]).join("");
  $("slider").value = ply;
  $("counter").textContent = `${ply} / ${frames.length - 1}`;
  const row = rows[ply - 1];
  if (row) {
    row.classList.add("now");
    const list = row.parentElement;
    list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
    $("say").textContent = `${ply}: ${row.firstElementChild.textContent}`;
  }
  bars.get(ply)?.classList.add("now");
}

function walk(to) {
  stop();
  go(to);
  try { history.replaceState(null, "", `#${ply}`); } catch { /* Some browsers do not like it without a server. */ }
}

function stop() {
  clearInterval(film);
  film = null;
  $("auto").setAttribute("aria-pressed", "false");
  $("auto").textContent = root.dataset.play;
}

function toggle() {
  if (film !== null) return stop();
  if (ply === frames.length - 1) go(0);
  film = setInterval(() => (ply < frames.length - 1 ? go(ply + 1) : stop()), 700);
  $("auto").setAttribute("aria-pressed", "true");
  $("auto").textContent = root.dataset.pause;
}

const jumps = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, final: () => frames.length - 1 };
for (const [id, where] of Object.entries(jumps)) $(id).addEventListener("click", () => walk(where()));
$("auto").addEventListener("click", toggle);
$("slider").addEventListener("input", () => walk(Number($("slider").value)));
$("moves").addEventListener("click", (event) => {
  const at = [...rows].indexOf(event.target.closest("li"));
  if (at >= 0) walk(at + 1);
});
document.addEventListener("keydown", (event) => {
  if (!frames.length || event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
  const where = { ArrowLeft: jumps.back, ArrowRight: jumps.forward, Home: jumps.first, End: jumps.final }[event.key];
  if (where) { event.preventDefault(); walk(where()); }
  if (event.key === " " && !event.target.matches("button, a, summary")) { event.preventDefault(); toggle(); }
});

window.volume = async (data) => {
  if (!("DecompressionStream" in window)) return; // The last position stays as text.
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const told = JSON.parse(await new Response(stream).text());
  pieces = told.pieces;
  frames = follow(told.games[root.dataset.game]);
  $("slider").max = frames.length - 1;
  for (const id of ["scrub", "keys"]) $(id).hidden = false;
  root.classList.add("ready");
  const asked = Number(location.hash.slice(1));
  go(location.hash && Number.isInteger(asked) ? asked : frames.length - 1);
};
