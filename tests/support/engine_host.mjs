// The engine as WebAssembly in Node, by the same code as in the worker of the workshop: each line of the input is a request
// as a string of JSON, each line of the output its answer. `null` asks for the CPU time used so far, in seconds.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

globalThis.self = globalThis;
const [worker, file] = process.argv.slice(2);
// As text: Node would have to guess that a file called .js is a module.
const { EngineHost } = await import(
  `data:text/javascript,${encodeURIComponent(readFileSync(worker, "utf-8"))}`
);
const host = new EngineHost(new WebAssembly.Module(readFileSync(file)));
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answer = request === null ? process.cpuUsage().user / 1e6 : host.ask(request);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
