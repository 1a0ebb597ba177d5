// Steps through a game with buttons, slider, keys, clicks on moves, and plays it: on the live pages, on the exported site
// and in the report of a match alike.
import { closestTo, fieldById, targetOf } from "./elements.js";

// The bar above or below which a click on a chart of times was: that of a quick move is too low to be hit.
function nearestBar(event) {
  const distance = (bar) => {
    const { left, right } = bar.getBoundingClientRect();
    return Math.abs((left + right) / 2 - event.clientX);
  };
  const bars = /** @type {SVGRectElement[]} */ ([
    ...(closestTo(event, ".chart")?.querySelectorAll("[data-ply]") ?? []),
  ]);
  return bars.reduce((near, bar) => (near && distance(near) <= distance(bar) ? near : bar), null);
}

export class ReplayViewer {
  #film = null;
  #wanted = 0;

  // ``load(ply)`` gives what a position needs, at once or as a promise; ``draw(loaded, ply)`` then shows it.
  constructor(load, draw) {
    this.load = load;
    this.draw = draw;
    this.ply = 0;
    this.last = 0;
    const jumps = {
      first: () => 0,
      back: () => this.#wanted - 1,
      forward: () => this.#wanted + 1,
      final: () => this.last,
    };
    for (const [id, target] of Object.entries(jumps)) {
      this.#element(id).addEventListener("click", (event) => {
        event.preventDefault();
        this.walk(target());
      });
    }
    this.#element("auto")?.addEventListener("click", () => this.toggle());
    this.#slider?.addEventListener("input", () => this.walk(Number(this.#slider.value)));
    this.#element("moves").addEventListener("click", (event) => {
      const row = closestTo(event, "li");
      if (!row || !this.last || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.walk(1 + [...row.parentElement.children].indexOf(row));
    });
    this.#element("times")?.addEventListener("click", (event) => {
      const part = closestTo(event, "[data-ply]") ?? nearestBar(event);
      if (part && this.last) this.walk(Number(part.dataset.ply));
    });
    document.addEventListener("keydown", (event) => {
      // On a board that is played on, the arrows walk over its squares.
      if (
        !this.last ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.altKey ||
        event.metaKey ||
        targetOf(event).matches("input, select, textarea")
      )
        return;
      const target = {
        ArrowLeft: jumps.back,
        ArrowRight: jumps.forward,
        Home: jumps.first,
        End: jumps.final,
      }[event.key];
      if (target) {
        event.preventDefault();
        this.walk(target());
      }
      if (event.key === " " && this.#element("auto") && !targetOf(event).matches("button, a, summary")) {
        event.preventDefault();
        this.toggle();
      }
    });
  }

  #element(id) {
    return document.getElementById(id);
  }

  get #slider() {
    return /** @type {HTMLInputElement | null} */ (this.#element("slider"));
  }

  // Begins with a game of ``last`` moves at ``ply``, which may be on the page already.
  open(last, ply, isDrawn = false) {
    this.stop();
    this.last = last;
    if (this.#slider) this.#slider.max = String(last);
    for (const id of ["scrub", "auto", "slider", "speed", "keys"])
      if (this.#element(id)) this.#element(id).hidden = false;
    if (!isDrawn) return this.go(ply);
    this.ply = this.#wanted = ply;
    this.mark();
  }

  // The game has gone on, or back: whoever was at its end still is, whoever looks at an earlier move stays there.
  grow(last) {
    const isAtEnd = this.ply === this.last || this.ply > last;
    this.last = last;
    if (isAtEnd) this.ply = this.#wanted = last;
    this.mark(false);
    return isAtEnd;
  }

  // Goes there by hand: that ends the film.
  walk(ply) {
    this.stop();
    return this.go(ply);
  }

  async go(ply) {
    const target = Math.max(0, Math.min(this.last, ply));
    this.#wanted = target;
    if (this.#slider) this.#slider.value = String(target);
    let loaded;
    try {
      loaded = await this.load(target);
    } catch {
      return; // Whoever loads says what went wrong.
    }
    if (target !== this.#wanted) return; // Somebody was faster.
    this.ply = target;
    this.draw(loaded, target);
    this.mark();
  }

  // Marks the present move in the list and in the chart of times; the list shows it, unless somebody reads there.
  mark(scrolls = true) {
    this.#element("counter").textContent = `${this.ply} / ${this.last}`;
    for (const old of document.querySelectorAll("#moves li.now, #times .now")) old.classList.remove("now");
    for (const part of document.querySelectorAll(`#times [data-ply="${this.ply}"]`))
      part.classList.add("now");
    const list = this.#element("moves");
    const row = /** @type {HTMLElement | undefined} */ (list.children[this.ply - 1]);
    if (!row) return;
    row.classList.add("now");
    if (!scrolls) return;
    list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  toggle() {
    if (this.#film !== null) return this.stop();
    const button = this.#element("auto");
    button.textContent = button.dataset.pause;
    button.classList.add("primary");
    this.#film = 0;
    this.#roll(this.ply >= this.last);
  }

  async #roll(fromStart) {
    if (fromStart) await this.go(0);
    if (this.#film === null) return;
    this.#film = setTimeout(
      async () => {
        if (this.ply >= this.last) return this.stop();
        await this.go(this.ply + 1);
        this.#roll(false);
      },
      Number(fieldById("speed").value),
    );
  }

  stop() {
    clearTimeout(this.#film);
    this.#film = null;
    const button = this.#element("auto");
    if (!button) return;
    button.textContent = button.dataset.play;
    button.classList.remove("primary");
  }
}
