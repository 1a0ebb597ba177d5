// In a folder without a server Python answers, in a worker of the page; server.js is this module there. Where no headers can
// say what a worker may reach, a frame with the strictest policy opens it (python.html), and the worker inherits that.
import { Python } from "./workshop-python.js";

const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };

let python = null;
/** @type {Promise<any>} */
let last = Promise.resolve();

const loading = document.getElementById("python-loading");

// The bar that shows how far Python is; it is seen while somebody waits.
function progress() {
  const bar = loading.querySelector("progress");
  bar.value = Math.min(bar.max - 1, bar.value + 1);
}

// Starts Python, so that it is ready when it is needed.
export function start() {
  python ??= new Python(JSON.parse(document.getElementById("python-data").textContent), progress);
  return python.start();
}

// What comes back for an address, with fields if something is to be done; one after the other.
/** @param {string} address @param {RequestInit} [options] */
export function request(address, { body } = {}) {
  const answered = last.then(async () => {
    const fields = body ? Object.fromEntries(/** @type {URLSearchParams} */ (body)) : null;
    loading.hidden = false;
    await start();
    const opponent = fields?.opponent ?? new URLSearchParams(address.split("?")[1]).get("opponent");
    // Where it cannot be loaded, the answer says so.
    if (python.data.engineOpponents.includes(opponent)) await python.bringEngine().catch(() => {});
    loading.hidden = true;
    let answer = null;
    const { how, text = how } = await python.call(
      {
        address,
        fields,
        language: document.documentElement.lang,
      },
      (event) => {
        answer = event;
      },
    );
    if (answer === null) throw new Error(text);
    return new Response(answer.html ?? JSON.stringify(answer.json));
  });
  last = answered.catch(() => {});
  return answered;
}

// Files are stored compressed, under a name of which no web server makes its own sense.
/** @param {string} address */
export async function file(address) {
  const packed = await fetch(`${address}.packed`);
  if (!packed.ok) return packed;
  const type = TYPES[address.split(".").at(-1)] ?? "application/octet-stream";
  return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), {
    headers: { "content-type": type },
  });
}

const asScript = async (answer) =>
  URL.createObjectURL(new Blob([await (await answer).text()], { type: "text/javascript" }));

/** @param {string} address */
export const scriptFor = (address) => asScript(file(address));

let opened = null;
function frame() {
  opened ??= new Promise((resolve, reject) => {
    const element = document.createElement("iframe");
    Object.assign(element, { src: new URL("python.html", import.meta.url).href, hidden: true });
    element.addEventListener("load", () => resolve(element.contentWindow));
    element.addEventListener("error", reject);
    document.body.append(element);
  });
  return opened;
}

/** @param {string} address */
export async function openWorker(address) {
  const [script, { Worker: FramedWorker }] = await Promise.all([asScript(fetch(address)), frame()]);
  return new FramedWorker(script, { type: "module" });
}
