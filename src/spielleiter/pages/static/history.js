// Earlier positions of a game that goes on, and the board turned: on the page of a table and on that of a spectator.
import { closestTo, elements } from "./elements.js";
import { hold, Looks, lines, onUpdate, release } from "./live.js";
import { fill } from "./motion.js";
import { ReplayViewer } from "./replay.js";

const [page] = elements("main [data-base]");
const { base } = page.dataset;
const $ = (id) => document.getElementById(id);
const notes = new URLSearchParams(location.search).get("notes") === "1" ? "&notes=1" : "";
let isTurned = new URLSearchParams(location.search).get("flip") === "1";
const looks = new Looks();
let room = null;

// In the address of the page, for when it is loaded again.
function remember(name, value) {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(null, "", address);
}

function earlier(ply) {
  if (ply === viewer.last) return null; // That is on its way to the page anyhow.
  const position = page.dataset.position ? `&${page.dataset.position}` : "";
  return looks.at(`${base}/ply/${ply}?flip=${Number(isTurned)}${notes}${position}`);
}

function draw(look, ply) {
  page.classList.toggle("past", look !== null);
  const parts = ["board", ...(notes ? ["notes"] : [])];
  if (look === null) return parts.forEach(release);
  for (const id of parts) {
    hold(id);
    fill($(id), look.parts[id]);
  }
  $("say").textContent = look.say;
  if (ply > 0) earlier(ply - 1)?.catch(() => {}); // Most people go on in the same direction.
}

const viewer = new ReplayViewer(earlier, draw);
viewer.open(Number(page.dataset.ply), Number(page.dataset.ply), true);

onUpdate(({ moment }) => {
  if (!moment) return;
  if (moment.room !== room || moment.ply < viewer.last) looks.clear(); // A move was taken back, or a new game begun.
  if (page.dataset.table && moment.room && moment.room !== room) remember("room", moment.room); // If the server restarts, this finds the record.
  room = moment.room;
  if (viewer.grow(moment.ply)) draw(null);
});

// A link to a move of this game, as to the one with which it was lost.
document.getElementById("after")?.addEventListener("click", (event) => {
  const link = closestTo(event, "a[data-ply]");
  if (!link) return;
  event.preventDefault();
  viewer.walk(Number(link.dataset.ply));
  $("frame").scrollIntoView({ block: "nearest" });
});

$("flip").addEventListener("click", (event) => {
  event.preventDefault();
  isTurned = !isTurned;
  remember("flip", Number(isTurned));
  if (!page.dataset.live) document.dispatchEvent(new CustomEvent("turn", { detail: isTurned }));
  else lines[0].follow(`${base}/events?flip=${Number(isTurned)}${notes}`);
  if (viewer.ply !== viewer.last) viewer.go(viewer.ply);
});
