// Where the code of the workshop is kept: in this browser, in files, and in links.

const MAX_LINK = 100_000; // Characters of the code in a link.

/** The player of one game in this browser: its code, its name, its tests and the tasks that it solves. */
export class Shelf {
  #key;
  isKept = true;

  constructor(game) {
    this.#key = `spielleiter-workshop-${game}`;
    this.value = { code: null, name: "", tests: [], solved: {}, hasSeenTour: false };
    try {
      this.value = { ...this.value, ...JSON.parse(localStorage.getItem(this.#key)) };
      localStorage.setItem(this.#key, JSON.stringify(this.value));
    } catch {
      this.isKept = false; // Forbidden, or full.
    }
  }

  keep(changes) {
    Object.assign(this.value, changes);
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.value));
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
    return this.isKept;
  }
}

async function through(bytes, stream, limit) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// The code as a fragment of an address, which no browser sends to a server; ``null`` if it is too long.
export async function packed(code) {
  const bytes = await through(new TextEncoder().encode(code), new CompressionStream("deflate-raw"), 1 << 24);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const safe = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return safe.length > MAX_LINK ? null : `#code=${safe}`;
}

// The code of a fragment; ``null`` if there is none, and it throws if it is damaged or too long.
export async function unpacked(fragment, maxCode) {
  if (!fragment.startsWith("#code=")) return null;
  const safe = fragment.slice("#code=".length);
  if (safe.length > MAX_LINK) throw new RangeError("too large");
  const text = atob(safe.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const code = await through(bytes, new DecompressionStream("deflate-raw"), 4 * maxCode);
  return new TextDecoder("utf-8", { fatal: true }).decode(code);
}

export function download(name, data, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
