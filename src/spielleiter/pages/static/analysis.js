// The analysis board: a tree of moves beside those of the game, walked with the replay viewer. The server says what is
// legal and what the engine finds; the tree lives here and in the address of the page.
import { buttonById, closestTo, linkById, targetOf } from "./elements.js";
import { Line, Looks, onUpdate, show } from "./live.js";
import { ReplayViewer } from "./replay.js";

const $ = (id) => document.getElementById(id);
const { base, words } = { base: $("table").dataset.base, words: JSON.parse($("table").dataset.words) };
const data = JSON.parse($("analysis-data").textContent);
const looks = new Looks();

class Move {
  /** @param {Move | null} parent */
  constructor(text = "", parent = null) {
    this.text = text;
    this.parent = parent;
    this.isPlayed = parent === null;
    /** @type {Move[]} */
    this.children = [];
    /** @type {Move | null} */
    this.chosen = null;
  }

  // The child with this move; a new one if there is none.
  child(text) {
    const found = this.children.find((each) => each.text === text);
    if (found) return found;
    const fresh = new Move(text, this);
    this.children.push(fresh);
    return fresh;
  }

  /** @returns {Move[]} */
  get path() {
    return this.parent ? [...this.parent.path, this] : [];
  }
  get moves() {
    return this.path.map((move) => move.text);
  }

  // Remembers this way, so that going back and on again leads here.
  choose() {
    for (const move of this.path) move.parent.chosen = move;
  }

  // The whole line: up to here, and on as it was chosen last.
  /** @returns {Move[]} */
  get line() {
    const next = this.chosen ?? this.children[0];
    return next ? next.line : this.path;
  }

  get address() {
    return new URLSearchParams({ position: data.start, moves: this.moves.join(";"), flip: data.flip });
  }
  look() {
    return looks.at(`/analysis/look?${this.address}`);
  }
}

// --- the tree ---
const root = new Move();
const played = [root]; // The moves of the game, which variations depart from.
function grow(texts) {
  for (const text of texts) {
    const before = played.at(-1);
    const move = before.child(text); // Perhaps somebody looked at it as a variation.
    move.isPlayed = true;
    before.children = [move, ...before.children.filter((each) => each !== move)];
    played.push(move);
  }
}
grow(data.moves);
const leaves = data.variations.map(([ply, texts]) => {
  const path = [played[ply]];
  for (const text of texts) path.push(path.at(-1).child(text));
  return path;
});
let current = data.line === null ? played[data.count] : leaves[data.line][data.count];
let line = [];

// The variations as the server reads them: each leads from a move of the game to its own end.
function variations() {
  const found = [];
  const visit = (move, ply, path) => {
    const sides = move.children.filter((each) => !each.isPlayed);
    for (const each of sides) visit(each, ply, [...path, each]);
    if (path.length && !sides.length) found.push({ ply, path });
  };
  for (const [ply, move] of played.entries()) visit(move, ply, []);
  return found;
}

function query() {
  const parts = new URLSearchParams(base === "/analysis" ? { position: data.start } : {});
  const found = variations();
  if (found.length)
    parts.set(
      "tree",
      found.map(({ ply, path }) => `${ply}:${path.map((move) => move.text).join(";")}`).join("|"),
    );
  const inside = found.findIndex(({ path }) => path.includes(current));
  parts.set(
    "at",
    inside < 0 ? String(played.indexOf(current)) : `${inside}.${found[inside].path.indexOf(current) + 1}`,
  );
  if (data.flip === "1") parts.set("flip", "1");
  return parts;
}

// --- what is shown ---
const engine = data.engine ? new Line() : null;

function listMoves() {
  const list = $("moves");
  list.replaceChildren(
    ...line.map((move) => {
      const item = document.createElement("li");
      item.classList.toggle("side", !move.isPlayed);
      item.append(Object.assign(document.createElement("b"), { textContent: move.text }));
      for (const other of move.parent.children) {
        if (other === move) continue;
        const button = Object.assign(document.createElement("button"), {
          type: "button",
          className: "alternative move",
          textContent: other.text,
        });
        button.setAttribute("aria-label", `${words.instead} ${other.text}`);
        button.addEventListener("click", (event) => {
          event.stopPropagation();
          go(other);
        });
        item.append(button);
      }
      return item;
    }),
  );
  $("no-moves").hidden = line.length > 0;
}

// After a change of the tree, or of the line that is walked: ``isDrawn`` if the board shows the present position.
function reopen(isDrawn) {
  current.choose();
  line = current.line;
  listMoves();
  viewer.open(line.length, current.path.length, isDrawn);
  if (isDrawn) settle();
}

function go(move) {
  current = move;
  reopen(false);
}

// Whatever depends on the position that is on the board now.
function settle() {
  const address = query();
  history.replaceState(null, "", `${base}?${address}`);
  buttonById("remove").disabled = current.isPlayed;
  linkById("export").href = `${base}/record?${address}`;
  address.set("flip", data.flip === "1" ? "0" : "1");
  linkById("flip").href = `${base}?${address}`;
  engine?.follow(`/analysis/events?${current.address}`);
}

function draw(look, ply) {
  current = ply ? line[ply - 1] : root;
  current.choose();
  show(look);
  place(look);
  settle();
  line[ply]?.look().catch(() => {});
}

function place(look) {
  $("notation").textContent = look.notation;
  const edit = linkById("edit"); // Not every game has an editor.
  if (edit) edit.href = `/analysis/edit?position=${encodeURIComponent(look.notation)}`;
  linkById("play-on").href = `/?position=${encodeURIComponent(look.notation)}`;
  $("play-on").hidden = look.over;
}

const viewer = new ReplayViewer((ply) => (ply ? line[ply - 1] : root).look(), draw);
reopen(true);

// A move on the board.
onUpdate((look) => {
  if (look.moved === undefined) return;
  current = current.child(look.moved);
  looks.set(`/analysis/look?${current.address}`, { ...look, moved: undefined });
  place(look);
  reopen(true);
});

// --- what people do ---
$("lines")?.addEventListener("click", (event) => {
  const button = closestTo(event, "[data-moves]");
  if (!button) return;
  go(button.dataset.moves.split(";").reduce((move, text) => move.child(text), current));
});

function remove() {
  if (current.isPlayed) return;
  const { parent } = current;
  parent.children = parent.children.filter((each) => each !== current);
  parent.chosen = null;
  go(parent);
}
$("remove").addEventListener("click", remove);

$("share").addEventListener("click", async () => {
  const button = $("share");
  try {
    await navigator.clipboard.writeText(location.href);
    const { textContent } = button;
    button.textContent = words.copied;
    setTimeout(() => {
      button.textContent = textContent;
    }, 1500);
  } catch {
    /* The address of the page is the link, too. */
  }
});

document.addEventListener("keydown", (event) => {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    targetOf(event).matches("input, select, textarea, .cell")
  )
    return;
  if (event.key === "Delete") return remove();
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const sisters = current.parent?.children ?? [];
  if (!step || sisters.length < 2) return;
  event.preventDefault();
  go(sisters[(sisters.indexOf(current) + step + sisters.length) % sisters.length]);
});

// A game that is played: new moves come at its end, and whoever is there goes with it.
onUpdate(({ played: moves }) => {
  const fresh = moves?.slice(played.length - 1) ?? [];
  if (!fresh.length) return;
  const isAtEnd = current === played.at(-1);
  grow(fresh);
  if (isAtEnd) current = played.at(-1);
  reopen(!isAtEnd);
});
if (data.running) new Line(`${base}/events`);
