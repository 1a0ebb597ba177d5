// The workshop: a player is written on the left and plays on the right. Python runs in a worker (workshop-python.js); what
// comes from there is only ever shown as text, and pictures as shapes.
import { buttonById, closestTo, elements, fieldById } from "./elements.js";
import { fill } from "./motion.js";
import { ReplayViewer } from "./replay.js";
import { shapes } from "./shapes.js";
import { download, packed, Shelf, unpacked } from "./workshop-code.js";
import { Editor } from "./workshop-editor.js";
import { Python } from "./workshop-python.js";

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("workshop-data").textContent);
const words = JSON.parse($("workshop-words").textContent);
const nonce = /** @type {HTMLElement} */ ($("workshop-style")).dataset.nonce;
const shelf = new Shelf(data.game);
const opponent = fieldById("opponent");
const side = fieldById("side");
const playerName = fieldById("player-name");
const say = (text) => {
  $("say").textContent = text;
};
const said = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));

let frames = []; // The positions of the game on the board.
let game = { names: ["", ""], team: 0 };
let editor = null;
let isShared = false; // The code in the editor is that of a link, and not kept.

// --- the board --------------------------------------------------------------------------------------------------------

// Shows a game while it is played: fast players are followed at the chosen speed, slow ones as they move.
class Follower extends ReplayViewer {
  #timer = null;
  isFollowing = false;

  follow() {
    this.isFollowing = true;
    this.open(0, 0, true);
  }

  extend(last) {
    this.last = last;
    const slider = /** @type {HTMLInputElement} */ ($("slider"));
    slider.max = String(last);
    this.mark(false);
    if (this.isFollowing && this.#timer === null) this.#step();
  }

  async #step() {
    if (!this.isFollowing || this.ply >= this.last) {
      this.#timer = null;
      return;
    }
    this.#timer = setTimeout(
      async () => {
        if (this.isFollowing) await this.go(this.ply + 1);
        this.#step();
      },
      Number(fieldById("speed").value) / 2,
    );
  }

  // By hand.
  walk(ply) {
    this.isFollowing = false;
    return super.walk(ply);
  }

  toggle() {
    this.isFollowing = false;
    return super.toggle();
  }
}

const boardFrame = document.createElement("div");
boardFrame.className = "board";
boardFrame.dataset.game = $("workshop").dataset.family;

function drawBoard(svg) {
  const box = boardFrame.cloneNode();
  /** @type {HTMLElement} */ (box).innerHTML = shapes(svg);
  fill($("board"), /** @type {HTMLElement} */ (box).outerHTML);
}

function draw(frame, ply) {
  closeThought();
  drawBoard(frame.svg);
  showScores(frame);
  const isEnd = ply === frames.length - 1 && frame.end;
  const status = $("status").firstElementChild;
  status.textContent = isEnd
    ? frame.end.text
    : ply
      ? said(words.move, { ply, text: frame.say })
      : words.start;
  status.className = `status-text${isEnd ? " over" : ""}`;
  showPrinted(frame);
  buttonById("think").disabled = frame.over;
}

function showScores(frame) {
  for (const [team, row] of [...$("players").children].entries()) {
    row.querySelector("strong").textContent = game.names[team] ?? "";
    row.classList.toggle("turn", frame.turn === team);
    row.classList.toggle("mine", game.team === team);
    const scores = frame.points[team].map(([before, value, after]) => `${before} ${value} ${after}`.trim());
    row.querySelector(".scores").textContent = scores.join(" · ");
  }
  $("players").hidden = false;
}

// What the player printed and noted for the move that led here.
function showPrinted({ printed = "", notes = [], noteProblem = "" }) {
  const lines = [printed.trimEnd(), ...notes.map(noteText), noteProblem].filter(Boolean);
  $("printed").hidden = lines.length === 0;
  $("printed").querySelector("pre").textContent = lines.join("\n");
}

function noteText(note) {
  const table = Object.entries(note.table ?? {}).map(([name, value]) => `${name}: ${value}`);
  const chance = note.chance === undefined ? [] : [`${Math.round(100 * note.chance)} %`];
  return `✎ ${[note.text, ...table, ...chance].filter(Boolean).join(" · ")}`;
}

const viewer = new Follower((ply) => frames[ply], draw);

function addMove({ text, seconds, printed, notes }) {
  const row = document.createElement("li");
  const move = document.createElement("b");
  move.textContent = text;
  row.append(move);
  if (seconds !== null && seconds !== undefined) {
    const time = document.createElement("i");
    time.textContent = `${seconds.toLocaleString(data.language, { maximumFractionDigits: 2 })} s`;
    row.append(time);
  }
  if (printed || notes?.length)
    row.append(
      Object.assign(document.createElement("span"), {
        className: "has-print",
        title: words.printed,
        textContent: "✎",
      }),
    );
  $("moves").append(row);
}

function beginGame(event) {
  frames = [event];
  game = { names: event.names, team: event.team };
  $("moves").replaceChildren();
  viewer.follow();
  draw(event, 0);
}

const heard = {
  start: beginGame,
  ply(event) {
    frames.push(event);
    addMove(event);
    viewer.extend(frames.length - 1);
  },
  end(event) {
    frames.at(-1).end = event;
    if (event.printed) frames.at(-1).printed = event.printed;
    if (viewer.ply === frames.length - 1) draw(frames.at(-1), viewer.ply);
    say(event.text);
    if (event.problem) showProblem(event.problem);
  },
  problem: showProblem,
  thinking() {},
};

// --- problems ---------------------------------------------------------------------------------------------------------

function showProblem({ line, text, hint = "" }) {
  const place = line ? `${said(words.line, { line })}: ` : "";
  $("problem-text").textContent = `${place}${text}`;
  $("problem-hint").textContent = hint;
  $("problem").hidden = false;
  editor.mark(line);
}

function clearProblem() {
  $("problem").hidden = true;
  editor.mark(null);
}

// --- asking Python ----------------------------------------------------------------------------------------------------

const STEPS = {
  wasm: words.loading,
  python: words.starting,
  package: words.unpacking,
  ready: "",
};
let done = 0;
const python = new Python(data, (step) => {
  done = step === "ready" ? 0 : Math.min(7, done + 1);
  const bar = /** @type {HTMLProgressElement} */ ($("load-progress"));
  bar.value = done;
  if (step in STEPS) $("load-text").textContent = STEPS[step];
  $("loading").hidden = step === "ready";
});

const BUSY = ["run", "match", "think", "run-tests"];
function busy(isBusy) {
  for (const id of BUSY) buttonById(id).disabled = isBusy;
  for (const button of elements("#ladder button, #files button")) {
    /** @type {HTMLButtonElement} */ (button).disabled = isBusy;
  }
  $("stop").hidden = !isBusy;
  if (!isBusy && frames.length) buttonById("think").disabled = Boolean(frames[viewer.ply]?.over);
}

// Sends a request with the code as it is; says whether it was answered to its end.
async function ask(request, listeners) {
  if (python.isBusy) return false;
  clearProblem();
  busy(true);
  let result;
  try {
    result = await python.call(
      {
        game: data.game,
        language: data.language,
        code: editor.code,
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

const number = (value) => value.toLocaleString(data.language, { maximumFractionDigits: 1 });

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

// --- what would my player do here? ------------------------------------------------------------------------------------

let thought = null;

async function think() {
  const frame = frames[viewer.ply];
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

// --- tests of one's own -----------------------------------------------------------------------------------------------

function showTests() {
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

function saveTest() {
  if (!thought) return;
  const test = { position: thought.position, move: thought.notation, label: thought.move };
  keep({
    tests: [...shelf.value.tests.filter((other) => other.position !== test.position), test].slice(-50),
  });
  showTests();
  say(words.kept);
}

async function runTests() {
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

// --- the code ---------------------------------------------------------------------------------------------------------

function keep(changes) {
  if (isShared) return;
  $("no-storage").hidden = shelf.keep(changes);
}

function changed(code) {
  keep({ code });
}

async function openShared() {
  if (!location.hash) return;
  let code = null;
  try {
    code = await unpacked(location.hash, data.maxCode);
    if (code !== null && code.length > data.maxCode) throw new RangeError("too large");
  } catch {
    $("shared").hidden = false;
    $("shared").querySelector("p").textContent = words.badLink;
    $("take-shared").hidden = true;
    return;
  }
  if (code === null) return;
  isShared = true;
  editor.code = code;
  $("shared").hidden = false;
}

function endShared(code) {
  isShared = false;
  history.replaceState(null, "", location.pathname + location.search);
  $("shared").hidden = true;
  if (code !== null) editor.code = code;
  keep({ code: editor.code });
}

async function share() {
  const fragment = await packed(editor.code);
  if (fragment === null) {
    $("share-result").textContent = words.tooLong;
    return;
  }
  const address = `${location.origin}${location.pathname}${fragment}`;
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: address });
  field.setAttribute("aria-label", words.link);
  $("share-result").replaceChildren(field);
  field.select();
  try {
    await navigator.clipboard.writeText(address);
    $("share-result").append(` ${words.copied}`);
  } catch {
    /* Without https there is no clipboard: the field is selected. */
  }
}

async function downloadAs(kind) {
  await ask(
    { do: "download", kind, tests: shelf.value.tests },
    {
      file({ name, data: packedFile }) {
        const bytes = Uint8Array.from(atob(packedFile), (character) => character.charCodeAt(0));
        download(name, bytes, "application/zip");
        say(said(words.downloaded, { name }));
      },
    },
  );
}

// To the class in which the visitor has a seat.
async function handIn() {
  const button = buttonById("hand-in");
  let packedFile = null;
  await ask(
    { do: "download", kind: "zip", tests: [] },
    {
      file(event) {
        packedFile = event;
      },
    },
  );
  if (!packedFile) return;
  const bytes = Uint8Array.from(atob(packedFile.data), (character) => character.charCodeAt(0));
  const form = new FormData();
  form.append("program", new File([bytes], packedFile.name, { type: "application/zip" }));
  const answer = await fetch(button.dataset.url, {
    method: "POST",
    body: form,
    headers: { accept: "application/json" },
  }).catch(() => null);
  const reply = answer?.headers.get("content-type")?.includes("json") ? await answer.json() : null;
  $("share-result").textContent =
    reply?.text ?? (answer?.ok ? words.handedIn : said(words.notHandedIn, { why: answer?.status ?? "–" }));
}

const MAX_FILE = 4 << 20;

async function openFile(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const [file] = field.files;
  if (!file) return;
  if (file.size > MAX_FILE) {
    showProblem({ line: null, text: said(words.fileTooLarge, { name: file.name }) });
    field.value = "";
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  field.value = "";
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  await ask(
    { do: "open", data: btoa(text) },
    {
      opened({ code }) {
        editor.code = code;
        clearProblem();
      },
    },
  );
}

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
  editor = await Editor.open({
    address: `${data.files}editor.js`,
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
  $("close-thought").addEventListener("click", () => frames.length && draw(frames[viewer.ply], viewer.ply));
  $("save-test").addEventListener("click", saveTest);
  $("run-tests").addEventListener("click", runTests);
  $("share").addEventListener("click", share);
  $("hand-in")?.addEventListener("click", handIn);
  $("take-shared").addEventListener("click", () => endShared(null));
  $("drop-shared").addEventListener("click", () => endShared(shelf.value.code ?? data.starter));
  $("reset").addEventListener("click", () => {
    if (confirm(words.sureReset)) editor.code = data.starter;
  });
  $("download-folder").addEventListener("click", () => downloadAs("folder"));
  $("download-zip").addEventListener("click", () => downloadAs("zip"));
  $("open-file").addEventListener("change", openFile);
  $("show-tour").addEventListener("click", () => showTour(0));
  $("tour-next").addEventListener("click", () => showTour(tourStep + 1));
  $("tour-end").addEventListener("click", () => showTour(Infinity));
  if (!shelf.value.hasSeenTour && !isShared) showTour(0);
  playerName.addEventListener("change", () => keep({ name: playerName.value.trim() }));
  fieldById("workshop-game").addEventListener("change", (event) => {
    location.assign(`/workshop/${/** @type {HTMLSelectElement} */ (event.target).value}`);
  });
  busy(false);
  $("load-text").textContent = words.loading;
  await python.start();
}

begin().catch((problem) => {
  $("loading").hidden = false;
  $("load-text").textContent = said(words.cannotLoad, { why: problem.message });
});
