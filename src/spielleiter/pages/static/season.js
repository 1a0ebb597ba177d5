// Asks now and then whether the season has changed, and changes the page where it has: what one reads stays in its place.
const EVERY = 3000;
const lost = document.getElementById("lost");
let stamp = null;
let waiting = null;

async function look() {
  clearTimeout(waiting);
  if (!document.hidden) {
    try {
      const answer = await fetch(location.href, { headers: stamp ? { "if-none-match": stamp } : {}, cache: "no-store" });
      lost.hidden = true;
      if (answer.ok) {
        stamp = answer.headers.get("etag");
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const id of ["season-tabs", "season-top", "season"]) {
          const fresh = page.getElementById(id);
          if (fresh) follow(document.getElementById(id), fresh);
        }
      }
    } catch { lost.hidden = false; }
  }
  waiting = setTimeout(look, EVERY);
}

// Makes ``old`` like ``fresh``, touching only what differs.
function follow(old, fresh) {
  for (const { name, value } of fresh.attributes ?? []) {
    if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...(old.attributes ?? [])]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  after.forEach((child, at) => {
    const there = before[at];
    if (!there) old.append(child);
    else if (there.nodeType !== child.nodeType || there.nodeName !== child.nodeName) there.replaceWith(child);
    else if (child.nodeType === Node.TEXT_NODE) { if (there.data !== child.data) there.data = child.data; }
    else if (!there.isEqualNode(child)) follow(there, child);
  });
  for (const child of before.slice(after.length)) child.remove();
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
waiting = setTimeout(look, EVERY);
