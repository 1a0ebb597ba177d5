// Shows of each seat only the fields that its kind of player needs; without this script all are shown.
import { elements } from "./elements.js";

for (const seat of elements("[data-seat]")) {
  const update = () => {
    const chosen = /** @type {HTMLInputElement | null} */ (seat.querySelector("input[type=radio]:checked"));
    for (const more of elements("[data-for]", seat))
      more.hidden = !more.dataset.for.split(" ").includes(chosen?.value);
  };
  seat.addEventListener("change", update);
  update();
}
