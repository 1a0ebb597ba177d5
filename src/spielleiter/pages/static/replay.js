// Walks through a recorded game without loading the page anew: slider, buttons, keys, and a film.
import { show } from "./live.js";

const root = document.getElementById("replay");
const { base, flip } = root.dataset;
const last = Number(root.dataset.last);
const slider = document.getElementById("slider");
const auto = document.getElementById("auto");
const speed = document.getElementById("speed");
const looks = new Map();
let ply = Number(root.dataset.ply);
let film = null;
let wanted = ply;

for (const hidden of [slider, auto, speed]) hidden.hidden = false;

async function look(number) {
  if (!looks.has(number)) {
    const asked = fetch(`${base}/${number}?flip=${flip}`, { headers: { accept: "application/json" } }).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.json();
    });
    asked.catch(() => looks.delete(number));
    looks.set(number, asked);
  }
  return looks.get(number);
}

async function go(number) {
  wanted = Math.max(0, Math.min(last, number));
  slider.value = wanted;
  const target = wanted;
  let found;
  try { found = await look(target); } catch { document.getElementById("lost").hidden = false; return; }
  if (target !== wanted) return; // Somebody was faster.
  document.getElementById("lost").hidden = true;
  ply = target;
  show(found);
  document.getElementById("counter").textContent = `${ply} / ${last}`;
  document.getElementById("notation").textContent = found.notation;
  const on = document.getElementById("play-on");
  on.href = `/?position=${encodeURIComponent(found.notation)}`;
  on.hidden = found.over;
  const here = flip === "1" ? "?flip=1" : "";
  for (const [id, to] of [["back", Math.max(0, ply - 1)], ["forward", Math.min(last, ply + 1)], ["link", ply]]) {
    document.getElementById(id).href = `${base}/${to}${here}`;
  }
  document.getElementById("flip").href = `${base}/${ply}?flip=${flip === "1" ? 0 : 1}`;
  for (const form of ["svg", "png"]) document.getElementById(form)?.setAttribute("href", `${base}/${ply}/${form}`);
  for (const row of document.querySelectorAll("#moves li.now")) row.classList.remove("now");
  const row = document.querySelector(`#moves a[data-ply="${ply}"]`)?.parentElement;
  if (row) {
    row.classList.add("now");
    const list = row.parentElement;
    list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  history.replaceState(null, "", `${base}/${ply}${here}`);
  if (ply < last) look(ply + 1).catch(() => {});
}

function stop() {
  clearTimeout(film);
  film = null;
  auto.setAttribute("aria-pressed", "false");
}

function roll() {
  film = setTimeout(async () => {
    if (ply >= last) return stop();
    await go(ply + 1);
    if (film !== null) roll();
  }, Number(speed.value));
}

auto.addEventListener("click", async () => {
  if (film !== null) return stop();
  auto.setAttribute("aria-pressed", "true");
  if (ply >= last) await go(0);
  roll();
});
slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
const jumps = { first: () => 0, back: () => wanted - 1, forward: () => wanted + 1, final: () => last };
for (const [id, where] of Object.entries(jumps)) {
  document.getElementById(id).addEventListener("click", (event) => { event.preventDefault(); stop(); go(where()); });
}
document.getElementById("moves").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-ply]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  stop();
  go(Number(link.dataset.ply));
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  const where = { ArrowLeft: jumps.back, ArrowRight: jumps.forward, Home: jumps.first, End: jumps.final }[event.key];
  if (where) { event.preventDefault(); stop(); go(where()); }
  if (event.key === " " && !event.target.matches("button, a, summary")) { event.preventDefault(); auto.click(); }
});
