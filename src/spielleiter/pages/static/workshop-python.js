// Python in the browser: its files are loaded once, and it runs in a worker that can be ended at any time. A program that
// never stops costs a new worker, and never the page.

import { file, openWorker, scriptFor } from "./server.js";
import { keepSnapshot, storedSnapshot } from "./snapshots.js";

const SCRIPTS = ["pyodide.mjs", "pyodide.asm.mjs"];
const FILES = ["python_stdlib.zip", "pyodide-lock.json"];
const GRACE = 3000; // Milliseconds beyond the time of a move, after which the worker is ended.
const SILENCE = 60000; // The same while nothing of the visitor runs: opponents think, too.

export class Python {
  #worker = null;
  #setup = null;
  #ready = null;
  #call = null;
  #engine = null; // The engine, compiled, once somebody wanted to play against it.
  #connected = null; // In the present worker: once it is there, or on its way.

  // ``data`` is what the server says of the files; ``progress`` gets each step that is done.
  constructor(data, progress) {
    this.data = data;
    this.progress = progress;
  }

  // Loads what is missing, and starts Python; the same promise for all who wait.
  start() {
    this.#ready ??= this.#start().catch((problem) => {
      this.#ready = null;
      if (!this.#setup?.snapshot) throw problem;
      this.#setup.snapshot = null; // A damaged one, maybe: once more without it.
      this.#worker?.terminate();
      return this.start();
    });
    return this.#ready;
  }

  async #start() {
    this.#setup ??= await this.#load();
    const worker = await openWorker(this.data.worker);
    await /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        this.#worker = worker;
        worker.addEventListener("error", (event) => reject(new Error(event.message || "worker")));
        worker.addEventListener("message", ({ data }) => {
          if (data.snapshot) this.#keep(data.snapshot);
          if (data.step) this.progress(data.step);
          if (data.step === "ready") resolve();
          if (data.broken) this.#broken(new Error(data.broken), reject);
          if (data.line) this.#hear(data.line);
          if ("engine" in data) this.#hearEngine(data.engine);
        });
        worker.postMessage(this.#setup);
      })
    );
  }

  async #load() {
    const base = new URL(this.data.files, location.href).href;
    const get = async (name) => {
      const answer = await file(base + name);
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      return answer;
    };
    const loaded = async (name) => {
      const bytes = await (await get(name)).arrayBuffer();
      this.progress(name);
      return [name, bytes];
    };
    const compiled = async () => {
      const module = await WebAssembly.compileStreaming(get("pyodide.asm.wasm"));
      this.progress("wasm");
      return module;
    };
    const [module, snapshot, scripts, ...files] = await Promise.all([
      compiled(),
      storedSnapshot(base, this.data.session),
      Promise.all(SCRIPTS.map((name) => scriptFor(base + name))),
      ...[...FILES, this.data.sources].map((name) => loaded(name)),
    ]);
    return {
      base,
      module,
      scripts,
      files: Object.fromEntries(files),
      sources: this.data.sources,
      session: this.data.session,
      snapshot,
    };
  }

  // Brings the engine, which only its own players need. Fails with the reason.
  async bringEngine() {
    await this.start();
    this.#connected ??= this.#connect().catch((problem) => {
      this.#connected = null;
      throw problem;
    });
    await this.#connected;
  }

  async #connect() {
    this.progress("engine");
    try {
      this.#engine ??= await WebAssembly.compileStreaming(file(this.data.files + this.data.engine));
      await /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => {
          this.#hearEngine = (why) => (why ? reject(new Error(why)) : resolve());
          this.#worker.postMessage({ engine: this.#engine });
        })
      );
    } finally {
      this.progress("ready");
    }
  }

  #hearEngine = (_why) => {};

  // Only the first worker makes one, before anything of a visitor runs there.
  #keep(snapshot) {
    if (this.#setup.snapshot) return;
    this.#setup.snapshot = snapshot;
    keepSnapshot(this.#setup.base, this.data.session, snapshot);
  }

  // Asks for something; each event goes to ``hear``. Resolves with ``done``, ``killed`` (it had to be ended, with the last
  // line that it reached and the seconds that it had) or ``stopped``.
  async call(request, hear) {
    await this.start();
    return new Promise((resolve, reject) => {
      this.#call = { hear, resolve, reject, line: null, seconds: null, timer: null };
      this.#watch(SILENCE);
      this.#worker.postMessage(JSON.stringify(request));
    });
  }

  get isBusy() {
    return this.#call !== null;
  }

  #watch(milliseconds) {
    const call = this.#call;
    clearTimeout(call.timer);
    call.timer = setTimeout(() => {
      this.#end({ how: "killed", line: call.line, seconds: call.seconds });
      this.#restart();
    }, milliseconds);
  }

  #hear(line) {
    if (!this.#call) return;
    const event = JSON.parse(line);
    if (event.event === "done") return this.#end({ how: "done" });
    if (event.event === "line") {
      this.#call.line = event.line;
      return;
    }
    if (event.event === "thinking") {
      Object.assign(this.#call, { line: null, seconds: event.own ? event.seconds : null });
    }
    const { seconds } = this.#call;
    this.#watch(seconds === null ? SILENCE : 1000 * seconds + GRACE);
    this.#call.hear(event);
  }

  #broken(problem, reject) {
    if (this.#call) {
      // Python itself has given up, as with a recursion in C: a new one, and the line that is known.
      this.#end({ how: "broken", line: this.#call.line, text: problem.message });
      this.#restart();
    } else reject(problem);
  }

  #end(result) {
    const call = this.#call;
    if (!call) return;
    this.#call = null;
    clearTimeout(call.timer);
    call.resolve(result);
  }

  // Ends what is running.
  stop() {
    if (!this.#call) return;
    this.#end({ how: "stopped" });
    this.#restart();
  }

  #restart() {
    this.#worker?.terminate();
    this.#worker = this.#ready = this.#connected = null;
    this.start().catch(() => {});
  }
}
