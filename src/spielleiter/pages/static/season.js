// A page of the season that changes where the season has changed: what one reads stays in its place.
import { onUpdate } from "./live.js";

const AGAIN = 3000; // Milliseconds, if the server did not answer.
const version = () => document.getElementById("season").dataset.version;
let newest = version();
let isFetching = false;

async function fetchPage() {
  if (isFetching || version() === newest) return;
  isFetching = true;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["season-tabs", "season-top", "season"]) {
      const fresh = page.getElementById(id);
      if (fresh) follow(document.getElementById(id), fresh);
    }
  } catch {
    setTimeout(fetchPage, AGAIN);
  }
  isFetching = false;
}

onUpdate(({ season }) => {
  if (season) newest = season;
  fetchPage();
});

// Makes ``old`` like ``fresh``, touching only what differs.
function follow(old, fresh) {
  for (const { name, value } of fresh.attributes ?? []) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...(old.attributes ?? [])])
    if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((child, at) => {
    const there = before[at];
    if (!there) old.append(child);
    else if (there.nodeType !== child.nodeType || there.nodeName !== child.nodeName) there.replaceWith(child);
    else if (child.nodeType === Node.TEXT_NODE) {
      if (there.data !== child.data) there.data = child.data;
    } else if (!there.isEqualNode(child)) follow(there, child);
  });
  for (const child of before.slice(after.length)) child.remove();
}
