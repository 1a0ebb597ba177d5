// Says below the choice of a computer player what the chosen one is like.
import { elements } from "./elements.js";

for (const choice of elements("select[data-opponents]")) {
  const select = /** @type {HTMLSelectElement} */ (choice);
  const explain = () => {
    document.getElementById(`${select.id}-text`).textContent = select.selectedOptions[0].dataset.text;
  };
  select.addEventListener("change", explain);
  explain(); // A browser may have kept another choice than the page came with.
}
