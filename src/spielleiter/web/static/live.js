// Keeps a page up to date: every element with data-live names a stream; its messages replace parts of the page by id.
const lost = document.getElementById("lost");
const say = document.getElementById("say");

export function show(look) {
  for (const [id, html] of Object.entries(look.parts ?? {})) {
    const element = document.getElementById(id);
    if (!element || element.dataset.html === html) continue;
    element.innerHTML = html; // Made by our own templates, which escape every name.
    if (window.htmx) window.htmx.process(element);
    if (id === "moves") element.scrollTop = element.scrollHeight;
  }
  if (look.say && say.textContent !== look.say) say.textContent = look.say;
  document.dispatchEvent(new CustomEvent("look", { detail: look }));
}

for (const element of document.querySelectorAll("[data-live]")) {
  const source = new EventSource(element.dataset.live);
  source.onopen = () => { lost.hidden = true; };
  source.onerror = () => {
    lost.hidden = false;
    // A browser gives up after some errors; then we begin anew, and see whether the page is still there.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
  };
  source.onmessage = (message) => { lost.hidden = true; show(JSON.parse(message.data)); };
}

const german = document.documentElement.lang === "de";
setInterval(() => {
  for (const clock of document.querySelectorAll(".ticking")) {
    const begun = (clock.begun ??= performance.now() - 1000 * Number(clock.dataset.seconds));
    const text = ((performance.now() - begun) / 1000).toFixed(1);
    clock.textContent = german ? text.replace(".", ",") : text;
  }
}, 100);

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.classList.add("primary");
    setTimeout(() => button.classList.remove("primary"), 900);
  } catch {
    getSelection().selectAllChildren(source);
  }
});
const list = document.getElementById("moves");
if (list) list.scrollTop = list.scrollHeight;
