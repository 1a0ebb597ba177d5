// Remembers in this browser which exercises were solved, and marks them wherever they are linked.
import { elements } from "./elements.js";
import { read, solve, solved } from "./progress.js";

function mark() {
  for (const place of elements("[data-learned]")) {
    const done = solved(place.dataset.learned);
    for (const link of elements("[data-exercise]", place)) {
      link.classList.toggle("solved", done.includes(Number(link.dataset.exercise)));
    }
    const [count] = elements("[data-learned-count]", place);
    if (count && done.length) {
      count.textContent = `✓ ${done.length} / `;
      count.hidden = false;
    }
  }
}

const feedback = document.getElementById("feedback");
function look() {
  if (!feedback?.querySelector(".right")) return;
  const [, , game, number] = document.getElementById("table").dataset.table.split("/");
  solve(game, Number(number));
  mark();
}

if (feedback)
  new MutationObserver(() => {
    look();
    document.getElementById("next")?.focus();
  }).observe(feedback, { childList: true });
look();
const [lesson] = elements("[data-rules-of]");
if (lesson) read(lesson.dataset.rulesOf);
mark();
