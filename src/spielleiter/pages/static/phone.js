// A phone in the hall: sends the guess without a new page, and shows what this browser has guessed.
import { onLook } from "./live.js";

const page = document.getElementById("phone");
let mine = JSON.parse(page.dataset.mine);

function mark() {
  for (const card of page.querySelectorAll("[data-question]")) {
    for (const button of card.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(mine[card.dataset.question] === Number(button.value)));
    }
  }
}

page.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target, event.submitter);
  const answer = await fetch(event.target.action, {
    method: "POST", body: new URLSearchParams(form), headers: { accept: "application/json" },
  }).catch(() => null);
  if (answer?.ok) mine = await answer.json();
  mark();
});

onLook(mark);
mark();
