// A recorded game on the live pages: the server draws each position when it is looked at.
import { show } from "./live.js";

const { base, embedded, last, ply } = document.getElementById("replay").dataset;
const $ = (id) => document.getElementById(id);
let flip = document.getElementById("replay").dataset.flip;
const looks = new Map();

function look(number) {
  if (!looks.has(number)) {
    const asked = fetch(`${base}/${number}?flip=${flip}`, { headers: { accept: "application/json" } }).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      $("lost").hidden = true;
      return answer.json();
    });
    asked.catch(() => { looks.delete(number); $("lost").hidden = false; });
    looks.set(number, asked);
  }
  return looks.get(number);
}

function draw(found, number) {
  show(found);
  if (number < Number(last)) look(number + 1).catch(() => {});
  if (embedded !== undefined) return; // In a frame there is the board alone, and the address stays.
  $("notation").textContent = found.notation;
  $("play-on").href = `/?position=${encodeURIComponent(found.notation)}`;
  $("play-on").hidden = found.over;
  $("analyse").href = `${base}/analysis?at=${number}`;
  const query = flip === "1" ? "?flip=1" : "";
  for (const [id, to] of [["back", Math.max(0, number - 1)], ["forward", Math.min(Number(last), number + 1)], ["link", number]]) {
    $(id).href = `${base}/${to}${query}`;
  }
  $("flip").href = `${base}/${number}?flip=${flip === "1" ? 0 : 1}`;
  for (const form of ["svg", "png"]) $(form)?.setAttribute("href", `${base}/${number}/${form}`);
  history.replaceState(null, "", `${base}/${number}${query}`);
}

const viewer = new ReplayViewer(look, draw);
$("flip")?.addEventListener("click", (event) => {
  event.preventDefault();
  flip = flip === "1" ? "0" : "1";
  looks.clear();
  viewer.walk(viewer.ply);
});
viewer.open(Number(last), Number(ply), true);

// A film takes some seconds: the link says how far it is, and then downloads it.
$("gif")?.addEventListener("click", async (event) => {
  event.preventDefault();
  const link = $("gif");
  if (link.dataset.making) return;
  link.dataset.making = "1";
  try {
    for (;;) {
      const { done, total, ready } = await (await fetch(link.href, { headers: { accept: "application/json" } })).json();
      link.textContent = ready || !total ? "GIF …" : `GIF ${Math.floor((100 * done) / total)} %`;
      if (ready) break;
      await new Promise((resolve) => { setTimeout(resolve, 300); });
    }
    location.assign(link.href);
  } catch { $("lost").hidden = false; }
  link.textContent = "GIF";
  delete link.dataset.making;
});
