// A question with answers to choose from: the chosen one is judged without leaving the page.
import { submitted } from "./elements.js";
import { send } from "./table.js";

document.querySelector(".choice-form").addEventListener("submit", (event) => {
  event.preventDefault();
  send(Object.fromEntries(submitted(/** @type {SubmitEvent} */ (event)).body));
});
