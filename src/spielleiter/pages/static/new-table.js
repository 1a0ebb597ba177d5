// Shows of each seat only the fields that its kind of player needs; without this script all are shown.
for (const seat of document.querySelectorAll("[data-seat]")) {
  const update = () => {
    const kind = seat.querySelector("input[type=radio]:checked")?.value;
    for (const more of seat.querySelectorAll("[data-for]")) more.hidden = !more.dataset.for.split(" ").includes(kind);
  };
  seat.addEventListener("change", update);
  update();
}
