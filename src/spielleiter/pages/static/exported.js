// On every page of an exported folder: offline after the first visit, and the same page in the other language.
import { elements, linkById } from "./elements.js";
import { start } from "./exported-server.js";

const language = linkById("language");
addEventListener("pageshow", point);
addEventListener("popstate", point);
language.addEventListener("pointerdown", point);
language.addEventListener("focus", point);

// At the address that the page has now, which changes with a game.
function point() {
  const address = new URL(language.href);
  address.search = location.search;
  address.hash = location.hash;
  language.href = address.href;
}

// Whoever reads an exercise will want an answer soon.
if (document.getElementById("table")) start().catch(() => {});

// Only https and this machine itself can keep pages.
if ("serviceWorker" in navigator) {
  navigator.serviceWorker
    .register(`../offline.js?${document.documentElement.lang}`, { scope: "../" })
    .catch((problem) => console.info(problem));
  navigator.serviceWorker.ready.then(() => {
    for (const place of elements("[data-offline]")) place.hidden = false;
  });
}
