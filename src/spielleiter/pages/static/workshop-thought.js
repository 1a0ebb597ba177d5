// What the player would do in a position, and the positions that are kept as tests of it.
import { elements } from "./elements.js";
import { ask, showProblem } from "./workshop-ask.js";
import { drawBoard, onDraw, shownFrame, showPrinted } from "./workshop-board.js";
import { $, data, keep, said, say, shelf, words } from "./workshop-page.js";

let thought = null;

export async function think() {
  const frame = shownFrame();
  await ask(
    { do: "think", position: frame?.position ?? data.position },
    {
      thought(event) {
        thought = { ...event, position: frame?.position ?? data.position };
        drawBoard(event.svg);
        showPrinted(event);
        $("thought").hidden = false;
        $("thought-title").textContent = event.move
          ? said(words.wouldPlay, { move: event.move })
          : words.noMove;
        $("thought-note").textContent = event.values.length
          ? said(words.values, { considered: event.considered, moves: event.moves })
          : said(words.noValues, { moves: event.moves });
        $("values").replaceChildren(...event.values.map((value, at) => valueRow(value, at, event.values)));
        $("save-test").hidden = !event.notation;
        if (event.problem) showProblem(event.problem);
        say($("thought-title").textContent);
      },
    },
  );
}

function valueRow({ move, value, number: amount, chosen, svg }, at, all) {
  const row = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.setAttribute("aria-pressed", String(chosen));
  const name = Object.assign(document.createElement("b"), { textContent: move });
  const bar = /** @type {HTMLMeterElement} */ (document.createElement("meter"));
  const [low, high] = [
    Math.min(...all.map((each) => each.number)),
    Math.max(...all.map((each) => each.number)),
  ];
  Object.assign(bar, { min: 0, max: 1, value: high > low ? (amount - low) / (high - low) : 1 });
  bar.setAttribute("aria-hidden", "true");
  button.append(name, bar, Object.assign(document.createElement("i"), { textContent: value }));
  if (chosen)
    button.append(
      Object.assign(document.createElement("span"), { className: "badge good", textContent: words.chosen }),
    );
  const show = () => {
    drawBoard(svg);
    for (const other of elements("#values button"))
      other.setAttribute("aria-pressed", String(other === button));
  };
  button.addEventListener("click", show);
  button.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = /** @type {HTMLElement | undefined} */ ($("values").children[at + step]?.firstElementChild);
    next?.focus();
    next?.click();
  });
  row.append(button);
  return row;
}

function closeThought() {
  thought = null;
  $("thought").hidden = true;
}
onDraw(closeThought);

// --- tests of one's own -----------------------------------------------------------------------------------------------

export function showTests() {
  $("tests-card").hidden = shelf.value.tests.length === 0;
  $("tests").replaceChildren(
    ...shelf.value.tests.map((test, at) => {
      const row = document.createElement("li");
      const text = Object.assign(document.createElement("span"), {
        textContent: said(words.test, { move: test.label }),
      });
      const result = Object.assign(document.createElement("span"), { className: "test-result" });
      const drop = Object.assign(document.createElement("button"), {
        type: "button",
        className: "button small",
        textContent: words.drop,
      });
      drop.addEventListener("click", () => {
        keep({ tests: shelf.value.tests.filter((_, other) => other !== at) });
        showTests();
      });
      row.append(text, result, drop);
      return row;
    }),
  );
}

export function saveTest() {
  if (!thought) return;
  const test = { position: thought.position, move: thought.notation, label: thought.move };
  keep({
    tests: [...shelf.value.tests.filter((other) => other.position !== test.position), test].slice(-50),
  });
  showTests();
  say(words.kept);
}

export async function runTests() {
  await ask(
    { do: "tests", tests: shelf.value.tests },
    {
      tested({ number: at, passed, move, problem }) {
        const result = $("tests").children[at].querySelector(".test-result");
        result.textContent = passed ? "✓" : `✗ ${problem ? problem.text : said(words.played, { move })}`;
        result.classList.toggle("good", passed);
      },
    },
  );
}
