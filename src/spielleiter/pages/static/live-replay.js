// A recorded game on the live pages: the server draws each position when it is looked at.
import { linkById } from "./elements.js";
import { Line, Looks, onUpdate, show } from "./live.js";
import { ReplayViewer } from "./replay.js";

const { base, embedded, last, notes, ply } = document.getElementById("replay").dataset;
const $ = (id) => document.getElementById(id);
let flip = document.getElementById("replay").dataset.flip;
const looks = new Looks();
const film = new Line();

// Without the notes of the players where they were hidden; without any there are none to hide.
const hidden = notes === "0" ? "&notes=0" : "";

const look = (number) => looks.at(`${base}/${number}?flip=${flip}${hidden}`);

function draw(found, number) {
  show(found);
  if (number < Number(last)) look(number + 1).catch(() => {});
  if (embedded !== undefined) return; // In a frame there is the board alone, and the address stays.
  $("notation").textContent = found.notation;
  linkById("play-on").href = `/?position=${encodeURIComponent(found.notation)}`;
  $("play-on").hidden = found.over;
  linkById("analyse").href = `${base}/analysis?at=${number}`;
  const query =
    hidden && document.getElementById("notes") ? `?flip=${flip}${hidden}` : flip === "1" ? "?flip=1" : "";
  const toggle = $("toggle-notes");
  if (toggle) linkById("toggle-notes").href = `${base}/${number}?flip=${flip}&notes=${hidden ? 1 : 0}`;
  const places = { back: Math.max(0, number - 1), forward: Math.min(Number(last), number + 1), link: number };
  for (const [id, to] of Object.entries(places)) linkById(id).href = `${base}/${to}${query}`;
  linkById("flip").href = `${base}/${number}?flip=${flip === "1" ? 0 : 1}`;
  for (const form of ["svg", "png"]) $(form)?.setAttribute("href", `${base}/${number}/${form}`);
  history.replaceState(null, "", `${base}/${number}${query}`);
}

const viewer = new ReplayViewer(look, draw);
$("flip")?.addEventListener("click", (event) => {
  event.preventDefault();
  flip = flip === "1" ? "0" : "1";
  viewer.walk(viewer.ply);
});
viewer.open(Number(last), Number(ply), true);

// A film takes some seconds: the link says how far it is, and then downloads it.
$("gif")?.addEventListener("click", (event) => {
  event.preventDefault();
  film.follow(`${linkById("gif").href}/events`);
});
onUpdate(({ download }) => {
  if (!download) return;
  film.follow(null);
  location.assign(download);
});
