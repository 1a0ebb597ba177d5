"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const words = data.words;
const volumes = new Map();
let shown = [], current = null, frames = [], moves = [], ply = 0, limit = 200;

// A text node for everything that came from a player: nothing of it is ever read as HTML.
function make(tag, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

async function volume(place) {
  if (!volumes.has(place)) {
    const bytes = Uint8Array.from(atob(data.volumes[place]), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    volumes.set(place, JSON.parse(await new Response(stream).text()));
  }
  return volumes.get(place);
}

function outcome(game) {
  if (!game.counts) return words.void;
  return game.winner === null ? words.draw : `${game.names[game.winner]} ${words.wins}`;
}

async function show(game) {
  current = game;
  const packed = await volume(data.places[game.id]);
  if (current !== game) return;
  const told = packed.games[game.id];
  frames = told.frames.map((frame) => () => frame.map((at) => packed.pieces[at]).join(""));
  moves = told.moves;
  $("ply").max = frames.length - 1;
  go(frames.length - 1);
  details(game);
  for (const row of $("rows").children) row.setAttribute("aria-current", row.dataset.id === game.id);
}

function go(to) {
  ply = Math.max(0, Math.min(frames.length - 1, to));
  $("board").innerHTML = frames[ply]();
  $("ply").value = ply;
  const [one, two] = current.names;
  const played = ply && moves.length ? ` · ${ply}. ${moves[ply - 1]}` : "";
  $("caption").textContent = `${one} (${data.teams[0]}) – ${two} (${data.teams[1]})${played}`;
}

function details(game) {
  const box = $("details");
  box.replaceChildren(make("p", `${outcome(game)}: ${game.reason}`));
  if (frames.length === 1 && game.plies) box.append(make("p", words.only_end, "hint"));
  game.sides.forEach((side, at) => {
    if (side.fault) box.append(make("p", `${game.names[at]}: ${side.fault}`, "bad"));
    if (side.words) box.append(make("pre", side.words));
    if (side.log) link(box, side.log, `${words.log}: ${game.names[at]}`);
  });
  if (game.record) link(box, game.record, words.record);
  box.append(make("pre", game.final));
}

function link(box, target, text) {
  const anchor = make("a", text);
  anchor.href = target.split("/").map(encodeURIComponent).join("/");
  const line = make("p");
  line.append(anchor);
  box.append(line);
}

function list() {
  const wanted = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (game) => [game.id, ...game.names, outcome(game), game.reason, ...game.sides.map((s) => s.fault || "")].join(" ").toLowerCase();
  shown = data.games.filter((game) => { const t = text(game); return wanted.every((word) => t.includes(word)); });
  const rows = shown.slice(0, limit).map((game) => {
    const row = make("li");
    row.dataset.id = game.id;
    row.tabIndex = 0;
    const faulty = game.sides.some((side) => side.fault);
    row.append(make("span", `${game.names[0]} – ${game.names[1]}: `), make("b", outcome(game), faulty ? "bad" : ""));
    row.append(document.createElement("br"), make("small", `${game.id} · ${game.plies} · ${game.reason}`));
    row.onclick = () => show(game);
    row.onkeydown = (event) => { if (event.key === "Enter") show(game); };
    return row;
  });
  $("rows").replaceChildren(...rows);
  $("more").hidden = shown.length <= limit;
}

function neighbour(step) {
  const at = shown.indexOf(current) + step;
  if (shown[at]) show(shown[at]);
}

$("first").onclick = () => go(0);
$("back").onclick = () => go(ply - 1);
$("forward").onclick = () => go(ply + 1);
$("last").onclick = () => go(frames.length - 1);
$("ply").oninput = () => go(Number($("ply").value));
$("more").onclick = () => { limit += 500; list(); };
$("filter").oninput = list;
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" && event.target.type === "search") return;
  const keys = { ArrowLeft: () => go(ply - 1), ArrowRight: () => go(ply + 1), ArrowUp: () => neighbour(-1), ArrowDown: () => neighbour(1), Home: () => go(0), End: () => go(frames.length - 1) };
  if (current && keys[event.key] && document.activeElement !== $("ply")) { event.preventDefault(); keys[event.key](); }
});
list();
if (data.games.length) show(data.games[0]);
