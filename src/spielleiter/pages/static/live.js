// Keeps a page up to date: every element with data-live names a stream; its messages replace parts of the page by id.
import { closestTo, elements, submitted, targetOf } from "./elements.js";
import { fill, isStill } from "./motion.js";
import { request } from "./server.js";

const lost = document.getElementById("lost");
const say = document.getElementById("say");
const SILENCE = 40000; // The server says something every 15 seconds; after this long the line is dead.
const PLACE_KEPT = 20000;
const BEAT = 600; // From an own move to the answer: the piece arrives (motion.js), and then there is a pause of 400 ms.
const listeners = [];
const shown = new Map(); // What each part of the page was last set to.
const held = new Set(); // Parts that show something else for a while.
let latest = null;
let own = null; // The own move that was made last: the ply after it, and when the answer to it may be shown.
let ahead = Number(document.documentElement.dataset.now) - performance.now() / 1000; // The server's clock minus ours.

// Calls back with every update (pages/updates.py); with the latest at once, which may have come before anybody listened.
export function onUpdate(listener) {
  listeners.push(listener);
  if (latest) listener(latest);
}

export function show(update) {
  if (update.now !== undefined) ahead = update.now - performance.now() / 1000;
  arrange(update.lists ?? {});
  const parts = Object.entries(update.parts ?? {});
  for (const [id, changes] of Object.entries(update.patches ?? {}))
    parts.push([id, patched(shown.get(id), changes)]);
  for (const [id, html] of parts) {
    const element = document.getElementById(id);
    if (shown.get(id) === html) continue;
    shown.set(id, html); // Also of a part that this page does not show: the next message may be about what changed in it.
    if (!element || held.has(id)) continue;
    const focused = focusOf(element);
    const { scrollTop } = element;
    const atEnd = scrollTop + element.clientHeight >= element.scrollHeight - 30;
    fill(element, html);
    if (id === "moves") element.scrollTop = atEnd ? element.scrollHeight : scrollTop; // Who reads is not disturbed.
    focused?.();
  }
  if (update.say && say.textContent !== update.say) say.textContent = update.say;
  latest = { ...latest, ...update }; // A page may have several streams.
  for (const listener of listeners) listener(update);
  if (update.follow) setTimeout(() => location.replace(update.follow), 1500); // The game goes on in another room.
  tick();
}

// The visitor has made the move that leads to ``ply``; ``shown`` is done when it is on the board. The answer is not shown
// before the eye has followed it. Where only others move, as in a match of programs, nothing waits.
export function expectAnswer(ply, shown) {
  const pause = () => new Promise((over) => setTimeout(over, isStill() ? 0 : BEAT));
  own = { ply, rest: shown.then(pause) };
}
const isAnswer = ({ moment }) => own !== null && moment !== undefined && moment.ply > own.ply;

// Shows parts of the page before the stream does, which goes on from what it has sent itself.
export function glimpse({ parts }) {
  for (const [id, html] of Object.entries(parts)) if (!held.has(id)) fill(document.getElementById(id), html);
}

// Lets a part of the page be: it does not follow the stream until it is released, and then shows what came last.
export function hold(id) {
  held.add(id);
}
export function release(id) {
  if (held.delete(id) && shown.has(id)) fill(document.getElementById(id), shown.get(id));
}

// Positions as the server draws them, by their addresses: each is asked for once.
export class Looks {
  #found = new Map();

  async #fetch(address) {
    const answer = await request(address, { headers: { accept: "application/json" } }).catch((problem) => {
      lost.hidden = false;
      throw problem;
    });
    lost.hidden = true;
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  at(address) {
    if (!this.#found.has(address)) {
      this.#found.set(address, this.#fetch(address));
      this.#found.get(address).catch(() => this.#found.delete(address));
    }
    return this.#found.get(address);
  }

  set(address, look) {
    this.#found.set(address, Promise.resolve(look));
  }
  clear() {
    this.#found.clear();
  }
}

// The text with changes in it, as web/patches.py writes them: [first piece, number of pieces, new pieces],
// with [first, number] among the new ones for pieces of the old text.
function patched(text, changes) {
  const old = text.split(">");
  const pieces = [...old];
  for (const [first, number, fresh] of changes.reverse()) {
    const added = fresh.flatMap((piece) =>
      typeof piece === "string" ? piece : old.slice(piece[0], piece[0] + piece[1]),
    );
    pieces.splice(first, number, ...added);
  }
  return pieces.join(">");
}

// How to give the focus back to where it was, if it was in this element.
function focusOf(element) {
  const active = document.activeElement;
  if (active === element || !element.contains(active)) return null;
  const index = [...element.querySelectorAll("a, button")].indexOf(active);
  return () => element.querySelectorAll("a, button")[index]?.focus({ preventScroll: true });
}

// Puts the children of elements into the order that the server says, with new ones and without old ones. All are looked
// up first: one that moves from list to list is for a moment in none.
function arrange(orders) {
  const lists = Object.entries(orders).map(([id, ids]) => [
    document.getElementById(id),
    ids.map((child) => {
      const there = document.getElementById(child);
      if (there) return there;
      shown.delete(child);
      return Object.assign(document.createElement("div"), { id: child });
    }),
  ]);
  for (const [parent, children] of lists) {
    const same =
      children.length === parent.children.length &&
      children.every((child, i) => child === parent.children[i]);
    if (same) continue;
    if (!children.length) keepPlace(parent);
    parent.replaceChildren(...children);
  }
}

// A list that says what to show without games (data-empty) keeps its place for a while: the next game begins soon, and
// what stands below it should not jump up and down.
function keepPlace(list) {
  if (!list.dataset.empty) return;
  clearTimeout(list.kept);
  list.style.minHeight = `${list.offsetHeight}px`;
  list.classList.add("kept");
  list.kept = setTimeout(() => {
    list.style.minHeight = "";
    list.classList.remove("kept");
  }, PLACE_KEPT);
}

// A stream of updates; without an address it waits until it is told what to follow.
export class Line {
  constructor(address = null) {
    this.address = address;
    this.waiting = []; // Messages that are not shown yet, in their order.
    this.open();
    // A browser has only a few lines to a server: a page that nobody sees gives its own back.
    document.addEventListener("visibilitychange", () => (document.hidden ? this.close() : this.open()));
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.open();
    });
    // A line that is cut is silent for a while, and nobody should take an old position for the present one. It may
    // still lead to this very machine: a new one shows it.
    addEventListener("offline", () => {
      this.close();
      this.open();
    });
    setInterval(() => this.#watch(), 5000);
  }

  follow(address) {
    this.close();
    this.address = address;
    this.open();
  }

  open() {
    if (this.source || this.address === null || document.hidden) return;
    const source = new EventSource(this.address);
    this.source = source;
    this.heard = performance.now();
    const alive = () => {
      this.heard = performance.now();
      lost.hidden = true;
    };
    source.onopen = alive;
    source.addEventListener("beat", alive);
    source.onmessage = (message) => {
      alive();
      this.waiting.push(JSON.parse(message.data));
      if (this.waiting.length === 1) this.#show(this.waiting);
    };
    source.onerror = () => {
      lost.hidden = false;
      if (source.readyState === EventSource.CLOSED) {
        this.close();
        setTimeout(() => this.#again(), 2000);
      }
    };
  }

  close() {
    this.source?.close();
    this.source = null;
    this.waiting = [];
  }

  // Shows what has come, and what comes meanwhile, until this is another line.
  async #show(waiting) {
    while (waiting.length && waiting === this.waiting) {
      if (isAnswer(waiting[0])) {
        await own.rest;
        own = null;
        continue;
      }
      try {
        show(waiting[0]);
      } catch (problem) {
        // Changes of something that we do not have: ask for all of it.
        console.info(problem);
        this.close();
        setTimeout(() => this.open(), 1000);
      }
      waiting.shift();
    }
  }

  // A browser gives up when the answer is no stream. If the page is gone, the server says what to do; else try again.
  async #again() {
    try {
      const answer = await fetch(location.href, { method: "HEAD" });
      if (answer.redirected) return location.replace(answer.url);
      if (answer.ok) return this.open();
      if (answer.status === 404 || answer.status === 403) return location.reload();
    } catch {
      /* The server is away. */
    }
    setTimeout(() => this.#again(), 2000);
  }

  #watch() {
    if (!this.source || performance.now() - this.heard < SILENCE) return;
    lost.hidden = false;
    this.close();
    this.open();
  }
}

// That of the page first; the bar of a class has one of its own.
const followed = [...elements("main [data-live]"), ...elements("body > [data-live]")];
export const lines = followed.map((element) => new Line(element.dataset.live));

// A table at which nobody looks is cleared after some time; a page in the background still counts as looking.
const [table] = elements("[data-live][data-table]");
if (table) {
  addEventListener("pagehide", () => navigator.sendBeacon(`${table.dataset.table}/leave`));
  setInterval(() => {
    if (document.hidden) fetch(location.href, { method: "HEAD" }).catch(() => {});
  }, 30000);
}

const german = document.documentElement.lang === "de";
function tick() {
  if (!lost.hidden) return; // Nobody knows whether the player still thinks.
  for (const clock of elements(".ticking")) {
    const since = Math.max(0, performance.now() / 1000 + ahead - Number(clock.dataset.asked));
    const text = clock.dataset.left ? countdown(Number(clock.dataset.left) - since) : since.toFixed(1);
    const seconds = german ? text.replace(".", ",") : text;
    clock.classList.toggle(
      "short",
      clock.dataset.left !== undefined && Number(clock.dataset.left) - since < 10,
    );
    if (clock.textContent !== seconds) clock.textContent = seconds;
  }
  for (const clock of elements(".countdown")) {
    const left = Math.max(0, Math.ceil(Number(clock.dataset.until) - performance.now() / 1000 - ahead));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}
setInterval(tick, 100);

// What is left on a clock, as formatting.countdown says it.
function countdown(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return (Math.floor(10 * left) / 10).toFixed(1);
  return `${Math.floor(left / 60)}:${String(Math.floor(left) % 60).padStart(2, "0")}`;
}

// Forms whose effect the stream shows are sent without leaving the page.
document.addEventListener("submit", async (event) => {
  if (!targetOf(event).matches("[data-stay]")) return;
  event.preventDefault();
  const { form, body } = submitted(event);
  await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => {
    lost.hidden = false;
  });
});

document.addEventListener("click", async (event) => {
  const button = closestTo(event, "[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.classList.add("primary");
    setTimeout(() => button.classList.remove("primary"), 900);
  } catch {
    getSelection().selectAllChildren(source);
  }
});
const list = document.getElementById("moves");
if (list) list.scrollTop = list.scrollHeight;
