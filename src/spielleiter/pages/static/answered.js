// A page that Python renders in the browser: its file is only the frame. The address of what is shown stands in its query.
import { request } from "./server.js";

const loading = document.getElementById("python-loading");
const fields = new URLSearchParams(location.search);

function address() {
  const at = fields.get("at");
  const base = document.documentElement.dataset.answers;
  if (at === null) return `${base}${location.search}`;
  const rest = new URLSearchParams(fields);
  rest.delete("at");
  return `${base}/${at}?${rest}`;
}

async function open() {
  const html = await (await request(address(), {})).text();
  const page = new DOMParser().parseFromString(html, "text/html");
  document.title = page.title;
  document.body.className = page.body.className;
  const main = document.getElementById("main");
  main.replaceChildren(...page.getElementById("main").childNodes);
  const data = page.querySelectorAll('body > script[type="application/json"]:not(#python-data)');
  document.body.append(...data);
  for (const script of page.querySelectorAll('body > script[type="module"]')) {
    const name = script.getAttribute("src").split("/").at(-1);
    if (name !== "exported.js") await import(new URL(name, import.meta.url).href);
  }
}

open().catch((problem) => {
  loading.hidden = false;
  loading.querySelector("progress").hidden = true;
  const text = loading.querySelector("span");
  text.textContent = text.dataset.failed.replace("{why}", problem.message);
});
