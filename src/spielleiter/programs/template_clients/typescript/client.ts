// How a player talks to the game master, in TypeScript for Node, written from docs/protocol/. The moves are
// player.ts's.
//
// Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
// --game TYPE another game type ("any": whatever there is).

import * as net from "node:net";
import { chooseMove } from "./player.ts";

// --- XML: the small part of it that the server uses ------------------------------------------------------------------

/** An XML element. What is missing is an empty element, an empty text, or 0. */
export class Element {
  readonly name: string;
  text = "";
  readonly attributes = new Map<string, string>();
  readonly children: Element[] = [];

  constructor(name: string) {
    this.name = name;
  }

  attribute(key: string): string {
    return this.attributes.get(key) ?? "";
  }

  /** The attribute as a whole number. */
  number(key: string): number {
    return Number.parseInt(this.attribute(key), 10) || 0;
  }

  has(childName: string): boolean {
    return this.children.some((child) => child.name === childName);
  }

  /** The first child of this name. */
  child(childName: string): Element {
    return this.children.find((child) => child.name === childName) ?? new Element("");
  }

  /** The children of this name. */
  all(childName: string): Element[] {
    return this.children.filter((child) => child.name === childName);
  }
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescaped(text: string): string {
  const reference = /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi;
  return text.replace(reference, (whole: string, hex?: string, decimal?: string, name?: string) => {
    if (name) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
  });
}

/** Cuts the server's document into messages; give it the text as it comes. */
class Reader {
  private rest = "";
  private readonly open: Element[] = []; // the elements that are not closed yet, without <protocol>

  /** The messages that are complete with this piece of text. */
  *read(piece: string): Generator<Element> {
    this.rest += piece;
    let done = 0;
    for (let end; (end = this.rest.indexOf(">", done)) >= 0; done = end + 1) {
      const start = this.rest.indexOf("<", done);
      if (this.open.length > 0) this.open.at(-1)!.text += unescaped(this.rest.slice(done, start));
      const message = this.take(this.rest.slice(start + 1, end));
      if (message) yield message;
    }
    this.rest = this.rest.slice(done);
  }

  /** The message that this tag completes, if it does. */
  private take(tag: string): Element | undefined {
    if (/^[?!]|^\/?protocol\b/.test(tag)) return undefined;
    if (!tag.startsWith("/")) {
      const element = new Element(tag.match(/^[^\s/]*/)![0]);
      for (const [, name, quoted] of tag.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
        element.attributes.set(name!, unescaped(quoted!.slice(1, -1)));
      }
      this.open.at(-1)?.children.push(element);
      this.open.push(element);
      if (!tag.endsWith("/")) return undefined;
    }
    const closed = this.open.pop();
    if (closed) closed.text = closed.text.trim();
    return this.open.length === 0 ? closed : undefined;
  }
}

// --- the conversation ------------------------------------------------------------------------------------------------

/** The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest. */
function kind(data: Element): string {
  return data.attribute("class").split(".").at(-1)!.toLowerCase();
}

/** Why the game ended: a text for people, which each season has in another place. */
function reason(result: Element): string {
  return result.children.reduce((found, child) => found || reason(child), result.attribute("reason"));
}

/** Joins, plays one game and says goodbye; then the process ends, with code 0 if the game was played. */
function play(socket: net.Socket, join: string): void {
  const reader = new Reader();
  let state: Element | null = null;
  let joined = false;
  const handle = (message: Element): void => {
    const data = message.child("data");
    const hasData = message.has("data");
    switch (hasData ? kind(data) : message.name) {
      case "joined":
        joined = true;
        break;
      case "memento":
        state = data.child("state");
        break;
      case "moverequest":
        if (state) socket.write(`<room roomId="${escaped(message.attribute("roomId"))}">${chooseMove(state)}</room>`);
        break;
      case "result":
        console.error(`result: ${reason(data) || "the game is over"}`);
        break;
      case "error":
      case "errorpacket":
        console.error(`the server complains: ${(hasData ? data : message).attribute("message")}`);
        if (!joined) socket.destroy();
        break;
      case "left":
        process.exitCode = 0;
        socket.end("</protocol>"); // the server says goodbye too, and closes
        break;
    }
  };
  socket.setEncoding("utf8"); // also puts characters together that come in two pieces
  socket.on("data", (piece: string) => {
    for (const message of reader.read(piece)) handle(message);
  });
  socket.write(`<protocol>${join}`);
}

// --- the program -----------------------------------------------------------------------------------------------------

type Options = { host: string; port: string; reservation: string; room: string; game: string };

/** The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored. */
function readOptions(args: string[]): Options {
  const options: Options = { host: "localhost", port: "13050", reservation: "", room: "", game: "__GAME_TYPE__" };
  const names = new Map<string, keyof Options>([["-h", "host"], ["-p", "port"], ["-r", "reservation"]]);
  for (const name of ["host", "port", "reservation", "room", "game"] as const) names.set(`--${name}`, name);
  for (let i = 0; i < args.length; i++) {
    const [given, ...values] = args[i]!.split("=");
    const name = names.get(given!);
    if (name) options[name] = values.length > 0 ? values.join("=") : (args[++i] ?? "");
  }
  return options;
}

function joinRequest({ reservation, room, game }: Options): string {
  if (reservation) return `<joinPrepared reservationCode="${escaped(reservation)}"/>`;
  if (room) return `<joinRoom roomId="${escaped(room)}"/>`;
  return game === "any" ? "<join/>" : `<join gameType="${escaped(game)}"/>`;
}

const options = readOptions(process.argv.slice(2));
process.exitCode = 1; // until the game has been played
if (!/^\d+$/.test(options.port) || Number(options.port) > 65535) {
  console.error(`cannot play at ${options.host}: there is no port ${options.port}`);
} else {
  const socket = net.connect({ host: options.host, port: Number(options.port), noDelay: true });
  socket.on("error", ({ code, message }) => console.error(`cannot play at ${options.host}: ${message || code}`));
  socket.once("connect", () => play(socket, joinRequest(options)));
}
