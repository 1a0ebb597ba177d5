// Remembers in this browser which exercises were solved, and marks them wherever they are linked.
import { elements } from "./elements.js";

const KEY = "spielleiter-learned";

function load() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // A browser may forbid it.
  }
}

function solve(game, number) {
  const learned = load();
  learned[game] = [...new Set([...(learned[game] ?? []), number])];
  try {
    localStorage.setItem(KEY, JSON.stringify(learned));
  } catch {
    /* Then it is forgotten. */
  }
}

function mark() {
  const learned = load();
  for (const place of elements("[data-learned]")) {
    const solved = learned[place.dataset.learned] ?? [];
    for (const link of elements("[data-exercise]", place)) {
      link.classList.toggle("solved", solved.includes(Number(link.dataset.exercise)));
    }
    const [count] = elements("[data-learned-count]", place);
    if (count && solved.length) {
      count.textContent = `✓ ${solved.length} / `;
      count.hidden = false;
    }
  }
}

const feedback = document.getElementById("feedback");
function look() {
  if (!feedback?.querySelector(".right")) return;
  const [, , game, number] = location.pathname.split("/");
  solve(game, Number(number));
  mark();
}

if (feedback)
  new MutationObserver(() => {
    look();
    document.getElementById("next")?.focus();
  }).observe(feedback, { childList: true });
look();
mark();
