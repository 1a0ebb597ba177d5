// The workshop: a player is written on the left and plays on the right. Python runs in a worker (workshop-python.js); what
// comes from there is only ever shown as text, and pictures as shapes.
import { buttonById, closestTo, elements, fieldById } from "./elements.js";
import { ask, busy, python, showProblem } from "./workshop-ask.js";
import { draw, shownFrame, viewer } from "./workshop-board.js";
import { Editor } from "./workshop-editor.js";
import { changed, downloadAs, endShared, handIn, openFile, openShared, share } from "./workshop-files.js";
import {
  $,
  data,
  desk,
  keep,
  number,
  opponent,
  playerName,
  said,
  say,
  shelf,
  words,
} from "./workshop-page.js";
import { runTests, saveTest, showTests, think } from "./workshop-thought.js";

const nonce = /** @type {HTMLElement} */ ($("workshop-style")).dataset.nonce;
const side = fieldById("side");

// --- run, match -------------------------------------------------------------------------------------------------------

function run() {
  return ask({ do: "run", team: Number(side.value) }, {});
}

const MATCH_GAMES = 20;
async function match() {
  $("match-card").hidden = false;
  $("match-games").replaceChildren();
  $("match-sentences").replaceChildren();
  $("match-score").textContent = "";
  const bar = /** @type {HTMLProgressElement} */ ($("match-progress"));
  Object.assign(bar, { max: MATCH_GAMES, value: 0 });
  bar.hidden = false;
  $("match-card").scrollIntoView({ block: "nearest" });
  const against = opponent.value;
  const isWhole = await ask(
    { do: "match", games: MATCH_GAMES },
    {
      game(event) {
        bar.value = event.done;
        addGame(event, against);
      },
      summary(event) {
        const { points, games, won, drawn, lost, pairs } = event;
        $("match-score").textContent = said(words.score, {
          points: number(points),
          games,
          won,
          drawn,
          lost,
          pairs: pairs.join(" · "),
        });
        $("match-sentences").replaceChildren(...event.sentences.map(paragraph));
      },
    },
  );
  bar.hidden = true;
  if (isWhole) say($("match-sentences").textContent);
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), { textContent: text });
}

function addGame({ points, first, text, problem, moves, start, team }, against) {
  const row = document.createElement("li");
  row.className = points === 1 ? "won" : points === 0 ? "lost" : "drawn";
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: points === 1 ? "1" : points === 0 ? "0" : "½",
    title: `${text}${first ? "" : ` (${words.second})`}`,
  });
  button.setAttribute("aria-label", `${button.textContent}: ${button.title}`);
  if (problem) row.classList.add("fault");
  button.addEventListener("click", async () => {
    await ask({ do: "look", start, moves, team, opponent: against }, { end() {} });
    viewer.isFollowing = false;
    if (problem) showProblem(problem);
    $("workshop").scrollIntoView({ block: "start" });
  });
  row.append(button);
  $("match-games").append(row);
}

// --- tasks ------------------------------------------------------------------------------------------------------------

function showSolved() {
  for (const row of elements("#ladder [data-task]")) {
    const isSolved = Boolean(shelf.value.solved[row.dataset.task]);
    row.classList.toggle("solved", isSolved);
    row.querySelector("[data-solved]").textContent = isSolved ? words.solved : "";
  }
}

$("ladder").addEventListener("click", async (event) => {
  const button = closestTo(event, "li > button");
  if (!button) return;
  const row = button.parentElement;
  const result = row.querySelector(".task-result");
  const progress = document.createElement("progress");
  result.replaceChildren(progress);
  let lost = null;
  const isWhole = await ask(
    { do: "task", task: row.dataset.task },
    {
      step(step) {
        Object.assign(progress, { max: step.total, value: step.done });
        if (step.passed === null) return;
        result.textContent = `${step.passed ? "✓ " : ""}${step.text}`;
        result.classList.toggle("good", step.passed);
        if (step.passed) keep({ solved: { ...shelf.value.solved, [row.dataset.task]: true } });
        if (step.problem) showProblem(step.problem);
        lost = step.game;
      },
    },
  );
  if (!isWhole) result.textContent = $("problem").hidden ? "" : words.notJudged;
  if (lost) {
    const look = Object.assign(document.createElement("button"), {
      type: "button",
      className: "button small",
      textContent: words.lookAtLoss,
    });
    look.addEventListener("click", () => ask({ do: "look", ...lost }, {}));
    result.append(" ", look);
  }
  showSolved();
});

// --- the tour ---------------------------------------------------------------------------------------------------------

let tourStep = -1;
function showTour(step) {
  for (const place of elements("[data-tour].shown")) place.classList.remove("shown");
  tourStep = step < words.tour.length ? step : -1;
  $("tour").hidden = tourStep < 0;
  if (tourStep < 0) {
    keep({ hasSeenTour: true });
    return;
  }
  const [title, text] = words.tour[step];
  $("tour-title").textContent = `${step + 1} / ${words.tour.length}: ${title}`;
  $("tour-text").textContent = text;
  buttonById("tour-next").textContent = step + 1 < words.tour.length ? words.next : words.finish;
  for (const place of elements(`[data-tour="${step + 1}"]`)) place.classList.add("shown");
}

async function begin() {
  if (!("WebAssembly" in window) || !("compileStreaming" in WebAssembly)) {
    $("no-wasm").hidden = false;
    return;
  }
  $("no-storage").hidden = shelf.isKept;
  playerName.value = shelf.value.name;
  desk.editor = await Editor.open({
    address: new URL(`${data.files}editor.js`, location.href).href, // Not seen from the module that imports it.
    place: $("editor"),
    nonce,
    code: shelf.value.code ?? data.starter,
    completions: data.completions,
    words,
    changed,
    run,
  });
  await openShared();
  addEventListener("hashchange", openShared);
  showTests();
  showSolved();
  $("run").addEventListener("click", run);
  $("match").addEventListener("click", match);
  $("think").addEventListener("click", think);
  $("stop").addEventListener("click", () => python.stop());
  $("close-thought").addEventListener("click", () => shownFrame() && draw(shownFrame(), viewer.ply));
  $("save-test").addEventListener("click", saveTest);
  $("run-tests").addEventListener("click", runTests);
  $("share").addEventListener("click", share);
  $("hand-in")?.addEventListener("click", handIn);
  $("take-shared").addEventListener("click", () => endShared(null));
  $("drop-shared").addEventListener("click", () => endShared(shelf.value.code ?? data.starter));
  $("reset").addEventListener("click", () => {
    if (confirm(words.sureReset)) desk.editor.code = data.starter;
  });
  $("download-folder").addEventListener("click", () => downloadAs("folder"));
  $("download-zip").addEventListener("click", () => downloadAs("zip"));
  $("open-file").addEventListener("change", openFile);
  $("show-tour").addEventListener("click", () => showTour(0));
  $("tour-next").addEventListener("click", () => showTour(tourStep + 1));
  $("tour-end").addEventListener("click", () => showTour(Infinity));
  if (!shelf.value.hasSeenTour && !desk.isShared) showTour(0);
  playerName.addEventListener("change", () => keep({ name: playerName.value.trim() }));
  fieldById("workshop-game").addEventListener("change", (event) => {
    const { selectedOptions } = /** @type {HTMLSelectElement} */ (event.target);
    location.assign(selectedOptions[0].dataset.href);
  });
  busy(false);
  $("load-text").textContent = words.loading;
  await python.start();
}

begin().catch((problem) => {
  $("loading").hidden = false;
  $("load-text").textContent = said(words.cannotLoad, { why: problem.message });
});
