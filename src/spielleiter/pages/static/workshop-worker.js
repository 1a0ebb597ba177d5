// Runs Python for the workshop, and in it the programs of its visitors, maybe those of strangers. Before the first of them
// runs, everything that leads out of this worker is gone; its policy (web/guard.py) allows no connection anyway. The page
// hands over all files, and takes nothing from here but text and shapes.

const MEMORY = 1 << 30; // Bytes that a program may use; a huge list fails at its line, before the tablet does.
const SOURCES = "/lib/spielleiter";

// The engine: takes a request as text and returns the answer as text (engine/src/browser.rs). Its memory has a limit of its
// own, which is part of the module. Where it traps, the answer says so, and the next request gets a new instance.
export class EngineHost {
  #module;
  #engine = null;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /** @param {string} text */
  ask(text) {
    try {
      const bytes = new TextEncoder().encode(text);
      const engine = this.#instance();
      const place = engine.request(bytes.length);
      if (!place) return "value\nthe request is too long";
      new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
      engine.answer();
      return this.#text();
    } catch (problem) {
      const why = `failed\n${this.#panic() || problem}`;
      this.#engine = null;
      return why;
    }
  }

  #instance() {
    const host = { now: () => performance.now() };
    this.#engine ??= new WebAssembly.Instance(this.#module, { host }).exports;
    return this.#engine;
  }

  #text() {
    const { memory, text, length } = this.#engine;
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length()));
  }

  // What a panic has said before it trapped; nothing where the stack or the memory was at its end.
  #panic() {
    try {
      const text = this.#text();
      return text.startsWith("panicked") ? text : "";
    } catch {
      return "";
    }
  }
}

/** @param {Map<string, ArrayBuffer>} files @param {WebAssembly.Module} module @param {number} size */
function shut(files, module, size) {
  const types = { json: "application/json", wasm: "application/wasm", zip: "application/zip" };
  const given = async (address) => {
    const name = String(address).split("/").at(-1);
    if (name === "pyodide.asm.wasm") return new Response(); // It is compiled already.
    if (!files.has(name)) throw new TypeError("There is no network here.");
    return new Response(files.get(name), { headers: { "content-type": types[name.split(".").at(-1)] } });
  };
  const { instantiate } = WebAssembly;
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.instantiateStreaming = async (_source, imports) => {
    const instance = await instantiate(module, imports);
    // A snapshot is as large as the memory was; Pyodide itself makes room only for one as small as its beginning.
    const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    const missing = Math.floor((size - memory.buffer.byteLength) / 65536);
    if (missing > 0) memory.grow(missing);
    return { module, instance };
  };
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > MEMORY) throw new RangeError("There is no more memory.");
    return grow.call(this, pages);
  };
  // Where the way out is a property of a prototype, too, it goes there.
  const ways =
    "XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport RTCPeerConnection Worker SharedWorker BroadcastChannel indexedDB caches importScripts cookieStore storage Notification FileReader FileReaderSync MessageChannel navigator webkitRequestFileSystem webkitRequestFileSystemSync webkitResolveLocalFileSystemURL webkitResolveLocalFileSystemSyncURL";
  for (const name of ["fetch", ...ways.split(" ")]) {
    for (let owner = self; owner !== null; owner = Object.getPrototypeOf(owner)) {
      if (!Object.hasOwn(owner, name)) continue;
      if (!Reflect.deleteProperty(owner, name)) Object.defineProperty(owner, name, { value: undefined });
    }
  }
  Object.defineProperty(self, "navigator", { value: { userAgent: "", hardwareConcurrency: 1 } });
  Object.defineProperty(self, "fetch", { value: given });
}

/** @param {{ base: string, module: WebAssembly.Module, scripts: string[], files: Record<string, ArrayBuffer>, sources: string, session: string, snapshot: ArrayBuffer | null }} setup */
async function begin({ base, module, scripts, files, sources, session: name, snapshot }) {
  const say = /** @type {any} */ (self).postMessage.bind(self);
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    scripts.map((each) => import(each)),
  );
  // Loaded here, because it would look for itself over the network.
  shut(new Map(Object.entries(files)), module, snapshot?.byteLength ?? 0);
  const pyodide = await loadPyodide({
    indexURL: base,
    createPyodideModule,
    ...(snapshot ? { _loadSnapshot: new Uint8Array(snapshot) } : { _makeSnapshot: true }),
    jsglobals: {},
    stdout: () => {},
    stderr: () => {},
  });
  say({ step: "python" });
  pyodide.FS.mkdirTree(SOURCES);
  pyodide.unpackArchive(files[sources], "zip", { extractDir: SOURCES });
  if (snapshot) pyodide.runPython("import random\nrandom.seed()");
  else {
    pyodide.runPython(`import sys\nsys.path.insert(0, "${SOURCES}")\nsys.argv = ["player.py"]`);
    pyodide.runPython(`from importlib import import_module\nimport_module("${name}").warm_up()`);
    say({ step: "package" });
    const { buffer } = pyodide.makeMemorySnapshot(); // Of nothing but what is ours: no program has run yet.
    say({ snapshot: buffer }, [buffer]);
  }
  const session = pyodide.pyimport(name);
  say({ step: "ready" });
  const emit = (line) => say({ line });
  self.onmessage = ({ data }) => {
    try {
      if (data.engine) say({ engine: session.connect_engine(new EngineHost(data.engine)) });
      else session.handle(data, emit);
    } catch (problem) {
      const why = String(problem).slice(0, 2000);
      say(data.engine ? { engine: why } : { broken: why });
    }
  };
}

self.onmessage = async ({ data }) => {
  try {
    await begin(data);
  } catch (problem) {
    self.postMessage({ broken: String(problem).slice(0, 2000) });
  }
};
