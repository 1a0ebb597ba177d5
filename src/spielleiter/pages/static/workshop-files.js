// Where the code goes to and comes from: this browser, links, files, and the class.
import { buttonById } from "./elements.js";
import { ask, clearProblem, showProblem } from "./workshop-ask.js";
import { download, packed, unpacked } from "./workshop-code.js";
import { $, data, desk, keep, said, say, shelf, words } from "./workshop-page.js";

export function changed(code) {
  keep({ code });
}

export async function openShared() {
  if (!location.hash) return;
  let code = null;
  try {
    code = await unpacked(location.hash, data.maxCode);
    if (code !== null && code.length > data.maxCode) throw new RangeError("too large");
  } catch {
    $("shared").hidden = false;
    $("shared").querySelector("p").textContent = words.badLink;
    $("take-shared").hidden = true;
    return;
  }
  if (code === null) return;
  desk.isShared = true;
  desk.editor.code = code;
  $("shared").hidden = false;
}

export function endShared(code) {
  desk.isShared = false;
  history.replaceState(null, "", location.pathname + location.search);
  $("shared").hidden = true;
  if (code !== null) desk.editor.code = code;
  keep({ code: desk.editor.code });
}

export async function share() {
  const fragment = await packed(desk.editor.code);
  if (fragment === null) {
    $("share-result").textContent = words.tooLong;
    return;
  }
  const address = `${location.origin}${location.pathname}${fragment}`;
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: address });
  field.setAttribute("aria-label", words.link);
  $("share-result").replaceChildren(field);
  field.select();
  try {
    await navigator.clipboard.writeText(address);
    $("share-result").append(` ${words.copied}`);
  } catch {
    /* Without https there is no clipboard: the field is selected. */
  }
}

export async function downloadAs(kind) {
  await ask(
    { do: "download", kind, tests: shelf.value.tests },
    {
      file({ name, data: packedFile }) {
        const bytes = Uint8Array.from(atob(packedFile), (character) => character.charCodeAt(0));
        download(name, bytes, "application/zip");
        say(said(words.downloaded, { name }));
      },
    },
  );
}

// To the class in which the visitor has a seat.
export async function handIn() {
  const button = buttonById("hand-in");
  let packedFile = null;
  await ask(
    { do: "download", kind: "zip", tests: [] },
    {
      file(event) {
        packedFile = event;
      },
    },
  );
  if (!packedFile) return;
  const bytes = Uint8Array.from(atob(packedFile.data), (character) => character.charCodeAt(0));
  const form = new FormData();
  form.append("program", new File([bytes], packedFile.name, { type: "application/zip" }));
  const answer = await fetch(button.dataset.url, {
    method: "POST",
    body: form,
    headers: { accept: "application/json" },
  }).catch(() => null);
  const reply = answer?.headers.get("content-type")?.includes("json") ? await answer.json() : null;
  $("share-result").textContent =
    reply?.text ?? (answer?.ok ? words.handedIn : said(words.notHandedIn, { why: answer?.status ?? "–" }));
}

const MAX_FILE = 4 << 20;

export async function openFile(event) {
  const field = /** @type {HTMLInputElement} */ (event.target);
  const [file] = field.files;
  if (!file) return;
  if (file.size > MAX_FILE) {
    showProblem({ line: null, text: said(words.fileTooLarge, { name: file.name }) });
    field.value = "";
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  field.value = "";
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  await ask(
    { do: "open", data: btoa(text) },
    {
      opened({ code }) {
        desk.editor.code = code;
        clearProblem();
      },
    },
  );
}
