// The games of a match: a list to filter, and the chosen game on the board.
import { fieldById, targetOf } from "./elements.js";
import { fill } from "./motion.js";
import { ReplayViewer } from "./replay.js";
import { openGame, unpackVolume } from "./volumes.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const words = JSON.parse($("words").textContent);
const volumes = new Map();
let shown = [],
  current = null,
  opened = null,
  limit = 200;

// Everything that came from a player becomes a text node: nothing of it is ever read as HTML.
function make(tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

function outcome(game) {
  if (!game.counts) return words.void;
  return game.winner === null ? words.draw : `${game.names[game.winner]} ${words.wins}`;
}

const viewer = new ReplayViewer(
  (ply) => opened.picture(ply),
  (picture, ply) => {
    fill($("board"), picture);
    const move = ply && opened.moves.length ? ` · ${ply}. ${opened.moves[ply - 1][0]}` : "";
    const [one, two] = current.names;
    $("caption").textContent = `${one} (${data.teams[0]}) – ${two} (${data.teams[1]})${move}`;
    $("say").textContent = move;
    const thought = (ply && opened.notes[ply - 1]) || "";
    $("thought").textContent = thought && `${words.noted}: ${thought}`;
  },
);

async function show(game) {
  current = game;
  const place = Math.floor(data.games.indexOf(game) / data.games_in_volume);
  if (!volumes.has(place)) volumes.set(place, unpackVolume(data.volumes[place]));
  const volume = await volumes.get(place);
  if (current !== game) return;
  opened = openGame(volume, game.id);
  const decimal = document.documentElement.lang === "de" ? "," : ".";
  $("moves").replaceChildren(
    ...opened.moves.map(([text, seconds]) => {
      const row = make("li");
      row.append(make("b", text));
      if (seconds !== null) row.append(make("i", `${seconds.toFixed(2).replace(".", decimal)} s`));
      return row;
    }),
  );
  details(game);
  for (const row of $("rows").children)
    row.setAttribute("aria-current", String(row.getAttribute("data-id") === game.id));
  viewer.open(opened.last, opened.last);
}

function details(game) {
  const box = $("details");
  box.hidden = false;
  box.replaceChildren(make("p", `${outcome(game)}: ${game.reason}`));
  if (opened.last === 0 && game.plies) box.append(make("p", words.only_end, "note"));
  game.sides.forEach((side, at) => {
    if (side.fault) box.append(make("p", `${game.names[at]}: ${side.fault}`, "bad"));
    if (side.failure) box.append(make("p", side.failure, "bad"));
    if (side.last_words) box.append(make("pre", side.last_words, "log"));
    if (side.log) box.append(link(side.log, `${words.log}: ${game.names[at]}`));
  });
  if (game.record) box.append(link(game.record, words.record));
  box.append(make("pre", game.final, "log"));
}

function link(target, text) {
  const line = make("p");
  const anchor = make("a", text);
  anchor.href = target.split("/").map(encodeURIComponent).join("/");
  line.append(anchor);
  return line;
}

function list() {
  const wanted = fieldById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (game) =>
    [game.id, ...game.names, outcome(game), game.reason, ...game.sides.map((side) => side.fault ?? "")]
      .join(" ")
      .toLowerCase();
  shown = data.games.filter((game) => {
    const found = text(game);
    return wanted.every((word) => found.includes(word));
  });
  $("rows").replaceChildren(
    ...shown.slice(0, limit).map((game) => {
      const row = make("li");
      row.dataset.id = game.id;
      row.setAttribute("aria-current", String(game === current));
      const button = make("button");
      button.type = "button";
      button.append(
        make("span", `${game.names[0]} – ${game.names[1]}: `),
        make("b", outcome(game), game.sides.some((side) => side.fault) ? "bad" : ""),
      );
      button.append(make("small", `${game.id} · ${game.plies} ${words.moves} · ${game.reason}`));
      button.addEventListener("click", () => show(game));
      row.append(button);
      return row;
    }),
  );
  $("more").hidden = shown.length <= limit;
}

$("more").addEventListener("click", () => {
  limit += 500;
  list();
});
$("filter").addEventListener("input", list);
document.addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const next = step && shown[shown.indexOf(current) + step];
  if (!next || event.ctrlKey || event.altKey || event.metaKey || targetOf(event).matches("input, select"))
    return;
  event.preventDefault();
  show(next);
});
list();
if (data.games.length) show(data.games[0]);
