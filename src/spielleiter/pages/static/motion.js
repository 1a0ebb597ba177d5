// Boards that move: whoever shows a new picture of a board does it here, and the piece of the last move slides from where
// it was. What moved is said by the pictures themselves (game/drawing.py).
const TIMING = { duration: 200, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => still.matches;

// The move that leads from one picture to the next: ``squares``, ``shift`` in units of the picture, whether it is the
// only one between them, and whether it is taken back. ``null`` if there is none, or if it is shown already.
function between(before, after) {
  const move = ({ last, step }) => ({
    squares: last.split(" "),
    shift: (step ?? "0 0").split(" ").map(Number),
  });
  const turns = Number(after.turn) - Number(before.turn);
  if (turns > 0 && after.last && after.last !== before.last)
    return { ...move(after), alone: turns === 1, back: false };
  if (turns === -1 && before.last) return { ...move(before), alone: true, back: true };
  return null;
}

export const pieceOn = (svg, square) => svg.querySelector(`[data-at="${square}"]`);
// Above all other pieces, and still below what is drawn over them.
const raise = (svg, piece) => [...svg.querySelectorAll("[data-at]")].at(-1).after(piece);
const shifted = ([dx, dy]) => `${dx}px ${dy}px`;

function animate(element, frames) {
  return still.matches ? null : element.animate(frames, TIMING);
}

// A piece that is no longer there, in front of the picture or behind ``front``, for as long as it moves.
function farewell(svg, piece, frames, front = null) {
  const copy = piece.cloneNode(true);
  delete copy.dataset.at;
  if (front) front.before(copy);
  else svg.append(copy);
  const animation = animate(copy, frames);
  if (animation) animation.onfinish = () => copy.remove();
  else copy.remove();
}

const FADE = [{ opacity: 1 }, { opacity: 0 }];
const APPEAR = [
  { opacity: 0.2, scale: 1.3 },
  { opacity: 1, scale: 1 },
];

// Shows how ``after``, which is on the page, came from ``before``, which was there. Says whether a piece was taken.
function slide(before, after, { squares: [from, to], shift: [dx, dy], alone, back }) {
  const taken = alone && !back && to ? pieceOn(before, to) : null;
  const tile = pieceOn(back ? before : after, from);
  if (back) {
    const mover = pieceOn(after, from);
    if (mover) animate(mover, [{ translate: shifted([dx, dy]) }, { translate: "0 0" }]);
    else if (tile) farewell(after, tile, FADE);
    return false;
  }
  if (tile) {
    tile.classList.add("appears");
    animate(tile, APPEAR);
    return false;
  }
  const mover = pieceOn(after, to);
  if (mover) {
    raise(after, mover);
    if (taken) farewell(after, taken, FADE, mover);
    animate(mover, [{ translate: shifted([-dx, -dy]) }, { translate: "0 0" }]);
  } else if (alone && pieceOn(before, from)) {
    // It left the board with its move.
    farewell(after, pieceOn(before, from), [
      { translate: "0 0" },
      { translate: shifted([dx, dy]), opacity: 0.4 },
    ]);
  }
  return taken !== null;
}

function move(before, after) {
  const found = between(before.dataset, after.dataset);
  if (!found) return;
  const captured = slide(before, after, found);
  after.dispatchEvent(new CustomEvent("boardmove", { bubbles: true, detail: { captured } }));
}

// Sets what an element contains; boards in it move from where they were. ``html`` is made by our own templates, which
// escape every name.
export function fill(element, html) {
  const before = [...element.querySelectorAll("svg[data-turn]")];
  const rooms = before.map((svg) => svg.closest("[data-room]"));
  element.innerHTML = html;
  const after = element.querySelectorAll("svg[data-turn]");
  if (before.length !== after.length) return;
  after.forEach((svg, i) => {
    if (rooms[i]?.dataset.room === svg.closest("[data-room]")?.dataset.room) move(before[i], svg);
  });
}

// Shows a move before the server has judged it; what is returned takes it back. ``slides``: else it is there at once.
export function preview(svg, from, to, shift, slides) {
  const [mover, taken] = [pieceOn(svg, from), pieceOn(svg, to)];
  const { turn, last } = svg.dataset;
  if (!mover) return () => {};
  if (taken) {
    taken.dataset.taken = taken.dataset.at;
    delete taken.dataset.at;
  }
  raise(svg, mover);
  mover.dataset.at = to;
  mover.style.translate = shifted(shift);
  if (slides) animate(mover, [{ translate: "0 0" }, { translate: shifted(shift) }]);
  Object.assign(svg.dataset, { turn: Number(turn) + 1, last: `${from} ${to}` });
  svg.dispatchEvent(new CustomEvent("boardmove", { bubbles: true, detail: { captured: taken !== null } }));
  return () => {
    if (taken) {
      taken.dataset.at = taken.dataset.taken;
      delete taken.dataset.taken;
    }
    mover.dataset.at = from;
    mover.style.translate = "";
    animate(mover, [{ translate: shifted(shift) }, { translate: "0 0" }]);
    Object.assign(svg.dataset, { turn, last });
  };
}

// The same for a tile that lies there: its picture comes with the server's answer and must not appear a second time.
export function placed(svg, squares) {
  const { last } = svg.dataset;
  svg.dataset.last = squares.join(" ");
  svg.dispatchEvent(new CustomEvent("boardmove", { bubbles: true, detail: { captured: false } }));
  return () => {
    svg.dataset.last = last;
  };
}

// Lifts a piece so that it can follow a pointer.
export function lift(svg, square) {
  const piece = pieceOn(svg, square);
  if (!piece) return { to() {}, drop() {} };
  raise(svg, piece);
  piece.classList.add("lifted");
  return {
    to(shift) {
      piece.style.translate = shifted(shift);
    },
    drop(slides) {
      // Back to where it was, at once or so that one sees it.
      const { translate } = piece.style;
      piece.classList.remove("lifted");
      piece.style.translate = "";
      if (slides && translate) animate(piece, [{ translate }, { translate: "0 0" }]);
    },
  };
}
