// Where this browser goes on, on the start page: the way from the rules to the strongest opponent.
import { buttonById, elements, linkById } from "./elements.js";
import { beaten, lastGame, solved, wasRead } from "./progress.js";

const { games, levels } = JSON.parse(document.getElementById("path-data").textContent);
showProgress(games, levels);
if (games[lastGame()]) showPath(lastGame(), games[lastGame()], levels);

// The number of the first level above all that were beaten; as many as there are if nobody is left.
function nextLevel(game, levels) {
  return levels.findLastIndex(([name]) => beaten(game).includes(name)) + 1;
}

function showPath(key, { title, exercises }, levels) {
  const done = solved(key).filter((number) => number <= exercises).length;
  const level = nextLevel(key, levels);
  const heading = document.getElementById("path-title");
  heading.replaceChildren(
    `${heading.dataset.again}: `,
    Object.assign(document.createElement("span"), { textContent: title }),
  );
  const [rules, exercise, climb] = elements("#path-steps [data-step]");
  /** @type {HTMLAnchorElement} */ (rules).href = `/learn/${key}`;
  /** @type {HTMLAnchorElement} */ (exercise).href = `/learn/${key}/1`;
  rules.parentElement.classList.toggle("done", wasRead(key) || done > 0);
  exercise.parentElement.hidden = !exercises;
  exercise.parentElement.classList.toggle("done", exercises > 0 && done === exercises);
  if (exercises) exercise.textContent += ` ${done}/${exercises}`;
  climb.textContent += ` ${level}/${levels.length}`;
  climb.parentElement.classList.toggle("done", level === levels.length);

  const go = linkById("path-go");
  const play = buttonById("path-play");
  const learns = exercises > 0 && done < exercises && level === 0;
  if (level < levels.length) {
    play.value = `built-in ${key} ${levels[level][0]}`;
    play.textContent = levels[level][1];
  }
  play.hidden = level === levels.length;
  play.classList.toggle("primary", !learns);
  if (!learns && !play.hidden) go.before(play); // The next step comes first.
  go.classList.toggle("primary", learns || play.hidden);
  if (learns && (wasRead(key) || done > 0)) {
    const open = Array.from({ length: exercises }, (_, i) => i + 1).find(
      (number) => !solved(key).includes(number),
    );
    go.href = `/learn/${key}/${open}`;
    go.textContent = `${go.dataset.exercise} ${open}`;
  } else if (learns) {
    go.href = `/learn/${key}`;
    go.textContent = go.dataset.rules;
  } else {
    go.href = "/puzzles";
    go.textContent = go.dataset.puzzles;
  }
}

function showProgress(games, levels) {
  for (const place of elements("[data-progress]")) {
    const key = place.dataset.progress;
    const exercises = games[key]?.exercises ?? 0;
    const done = solved(key).filter((number) => number <= exercises).length;
    const level = nextLevel(key, levels);
    const parts = [];
    if (done) parts.push(`${place.dataset.exercises} ${done}/${exercises}`);
    if (level) parts.push(`${levels[level - 1][1].split(":")[0]} ${place.dataset.beaten}`);
    place.textContent = parts.join(" · ");
    place.hidden = !parts.length;
  }
}
