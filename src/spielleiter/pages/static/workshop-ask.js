// Asks Python, with the code as it is, and says what is wrong with it.
import { buttonById, elements } from "./elements.js";
import { beginGame, endGame, extendGame, shownFrame } from "./workshop-board.js";
import { $, data, desk, number, opponent, playerName, said, words } from "./workshop-page.js";
import { Python } from "./workshop-python.js";

export function showProblem({ line, text, hint = "" }) {
  const place = line ? `${said(words.line, { line })}: ` : "";
  $("problem-text").textContent = `${place}${text}`;
  $("problem-hint").textContent = hint;
  $("problem").hidden = false;
  desk.editor.mark(line);
}

export function clearProblem() {
  $("problem").hidden = true;
  desk.editor.mark(null);
}

const heard = {
  start: beginGame,
  ply: extendGame,
  end(event) {
    endGame(event);
    if (event.problem) showProblem(event.problem);
  },
  problem: showProblem,
  thinking() {},
};

const STEPS = {
  wasm: words.loading,
  python: words.starting,
  package: words.unpacking,
  engine: words.loadingEngine,
  ready: "",
};
let done = 0;
export const python = new Python(data, (step) => {
  done = step === "ready" ? 0 : Math.min(7, done + 1);
  const bar = /** @type {HTMLProgressElement} */ ($("load-progress"));
  bar.value = done;
  if (step in STEPS) $("load-text").textContent = STEPS[step];
  $("loading").hidden = step === "ready";
});

const BUSY = ["run", "match", "think", "run-tests"];
export function busy(isBusy) {
  for (const id of BUSY) buttonById(id).disabled = isBusy;
  for (const button of elements("#ladder button, #files button")) {
    /** @type {HTMLButtonElement} */ (button).disabled = isBusy;
  }
  $("stop").hidden = !isBusy;
  if (!isBusy && shownFrame()) buttonById("think").disabled = Boolean(shownFrame().over);
}

// Whether the engine is there for those who play on it; if not, that is said.
let isBringing = false;
async function hasEngine({ do: wanted }) {
  if (!["run", "match"].includes(wanted) || !data.engineOpponents.includes(opponent.value)) return true;
  isBringing = true;
  try {
    await python.bringEngine();
    return true;
  } catch (problem) {
    showProblem({ line: null, text: said(words.noEngine, { why: String(problem) }) });
    return false;
  } finally {
    isBringing = false;
  }
}

// Sends a request with the code as it is; says whether it was answered to its end.
export async function ask(request, listeners) {
  if (python.isBusy || isBringing) return false;
  clearProblem();
  busy(true);
  let result;
  try {
    if (!(await hasEngine(request))) return false;
    result = await python.call(
      {
        game: data.game,
        language: data.language,
        code: desk.editor.code,
        name: playerName.value.trim(),
        opponent: opponent.value,
        seconds: data.seconds,
        ...request,
      },
      (event) => ({ ...heard, ...listeners })[event.event]?.(event),
    );
  } catch (problem) {
    $("loading").hidden = false;
    $("load-text").textContent = said(words.cannotLoad, { why: String(problem) });
    return false;
  } finally {
    busy(false);
  }
  if (result.how === "killed") {
    const text =
      result.seconds === null ? words.silent : said(words.endless, { seconds: number(result.seconds) });
    showProblem({ line: result.line, text, hint: words.endlessHint });
  }
  if (result.how === "broken") showProblem({ line: result.line, text: words.broken, hint: words.brokenHint });
  return result.how === "done";
}
