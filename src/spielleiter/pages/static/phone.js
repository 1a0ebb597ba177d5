// A phone in the hall: sends the guess without a new page, and shows what this browser has guessed.
import { elements, submitted } from "./elements.js";
import { onUpdate } from "./live.js";

const page = document.getElementById("phone");
let mine = JSON.parse(page.dataset.mine);

function mark() {
  for (const card of elements("[data-question]", page)) {
    for (const button of card.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(mine[card.dataset.question] === Number(button.value)));
    }
  }
}

page.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { form, body } = submitted(event);
  const answer = await fetch(form.action, {
    method: "POST",
    body,
    headers: { accept: "application/json" },
  }).catch(() => null);
  if (answer?.ok) mine = await answer.json();
  mark();
});

onUpdate(mark);
mark();
