"use strict";
// A complete player for Blokus 2027 in plain JavaScript for Node, written from docs/protocol/.
//
// It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
// passes them; at home --room ROOM-ID joins that room, and --game TYPE another game type ("any": whatever there is).

const net = require("node:net");

// --- the game --------------------------------------------------------------------------------------------------------

const SIDE = 20;
const COLORS = ["BLUE", "YELLOW", "RED", "GREEN"];
const PIECES = {
  MONO: "#", DOMINO: "##", TRIO_L: "#. ##", TRIO_I: "# # #", TETRO_O: "## ##", TETRO_T: "### .#.",
  TETRO_I: "# # # #", TETRO_L: "#. #. ##", TETRO_Z: "##. .##", PENTO_L: "#. #. #. ##", PENTO_T: "### .#. .#.",
  PENTO_V: "#.. #.. ###", PENTO_S: ".### ##..", PENTO_Z: "##. .#. .##", PENTO_I: "# # # # #",
  PENTO_P: "## ## #.", PENTO_W: "#.. ##. .##", PENTO_U: "#.# ###", PENTO_R: "..# ### .#.",
  PENTO_X: ".#. ### .#.", PENTO_Y: ".# ## .# .#",
};
const ROTATIONS = {
  NONE: ([x, y]) => [x, y],
  RIGHT: ([x, y]) => [-y, x],
  MIRROR: ([x, y]) => [-x, -y],
  LEFT: ([x, y]) => [y, -x],
};

/** Every way in which a piece can lie, each once: {rotation, flipped, cells}. */
function orientations(picture) {
  const piece = [];
  picture.split(" ").forEach((row, y) => [...row].forEach((mark, x) => mark === "#" && piece.push([x, y])));
  const found = new Map();
  for (const [rotation, rotate] of Object.entries(ROTATIONS)) {
    for (const flipped of [false, true]) {
      const turned = piece.map(rotate).map(([x, y]) => [flipped ? -x : x, y]);
      const left = Math.min(...turned.map(([x]) => x));
      const top = Math.min(...turned.map(([, y]) => y));
      const cells = turned.map(([x, y]) => [x - left, y - top]);
      const name = cells.map(String).sort().join(" ");
      if (!found.has(name)) found.set(name, { rotation, flipped, cells });
    }
  }
  return [...found.values()];
}

const ORIENTATIONS = Object.fromEntries(Object.entries(PIECES).map(([kind, picture]) => [kind, orientations(picture)]));

/** What a player has to know of a <state>. */
class Position {
  constructor(state) {
    this.color = COLORS[Number(state.attributes.turn) % 4];
    this.covered = new Map();
    for (const { attributes } of child(state, "board").children) {
      this.covered.set(`${attributes.x},${attributes.y}`, attributes.content);
    }
    this.isFirst = ![...this.covered.values()].includes(this.color);
    const left = child(state, `${this.color.toLowerCase()}Shapes`).children.map((shape) => shape.text.trim());
    this.pieces = this.isFirst ? [state.attributes.startPiece] : left;
  }

  touches(squares) {
    return squares.some(([x, y]) => this.covered.get(`${x},${y}`) === this.color);
  }

  /** Whether the colour may cover this square of the board. */
  isOpen(x, y) {
    return !this.covered.has(`${x},${y}`) && !this.touches([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]);
  }

  /** Whether this open square is one of those of which a piece must cover at least one. */
  isCorner(x, y) {
    if (this.isFirst) return x === 0 || x === SIDE - 1 || y === 0 || y === SIDE - 1;
    return this.touches([[x - 1, y - 1], [x + 1, y - 1], [x - 1, y + 1], [x + 1, y + 1]]);
  }

  /** One of the largest pieces that fit, or null if there is none. */
  choose() {
    const open = Array.from({ length: SIDE }, (_, x) => Array.from({ length: SIDE }, (_, y) => this.isOpen(x, y)));
    const corners = [];
    open.forEach((column, x) => column.forEach((free, y) => free && this.isCorner(x, y) && corners.push([x, y])));
    for (let size = 5; size > 0; size--) {
      const moves = [];
      for (const kind of this.pieces) {
        for (const orientation of ORIENTATIONS[kind]) {
          if (orientation.cells.length === size) addMoves(moves, kind, orientation, open, corners);
        }
      }
      if (moves.length > 0) return moves[Math.floor(Math.random() * moves.length)];
    }
    return null;
  }
}

/** Adds every placement of a piece that lies like this; some of them more than once. */
function addMoves(moves, kind, orientation, open, corners) {
  for (const [cornerX, cornerY] of corners) {
    for (const [cellX, cellY] of orientation.cells) {
      const [left, top] = [cornerX - cellX, cornerY - cellY];
      if (orientation.cells.every(([x, y]) => open[left + x]?.[top + y])) {
        moves.push({ kind, ...orientation, x: left, y: top });
      }
    }
  }
}

function moveXml(roomId, position) {
  const { color } = position;
  const move = position.choose();
  const data = move === null
    ? `<data class="sc.plugin2027.SkipMove"><color>${color}</color></data>`
    : `<data class="sc.plugin2027.SetMove"><piece color="${color}" kind="${move.kind}" rotation="${move.rotation}" ` +
      `isFlipped="${move.flipped}"><position x="${move.x}" y="${move.y}"/></piece></data>`;
  return `<room roomId="${escaped(roomId)}">${data}</room>`;
}

// --- the conversation ------------------------------------------------------------------------------------------------

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function unescaped(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
  });
}

function child(element, name) {
  return element.children.find((candidate) => candidate.name === name);
}

/** Cuts the server's document into messages; give it the text as it comes. */
class Reader {
  constructor() {
    this.rest = "";
    this.open = []; // the elements that are not closed yet, without <protocol>
  }

  /** The messages that are complete with this piece of text. */
  *read(piece) {
    this.rest += piece;
    for (let end; (end = this.rest.indexOf(">")) >= 0; ) {
      const start = this.rest.indexOf("<");
      const text = unescaped(this.rest.slice(0, start));
      const tag = this.rest.slice(start + 1, end);
      this.rest = this.rest.slice(end + 1);
      if (this.open.length > 0) this.open.at(-1).text += text;
      const message = this.take(tag);
      if (message) yield message;
    }
  }

  /** The message that this tag completes, if it does. */
  take(tag) {
    if (/^[?!]|^\/?protocol$/.test(tag)) return null;
    if (!tag.startsWith("/")) {
      const element = { name: tag.match(/^[^\s/]+/)[0], attributes: {}, children: [], text: "" };
      for (const [, name, quoted] of tag.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
        element.attributes[name] = unescaped(quoted.slice(1, -1));
      }
      this.open.at(-1)?.children.push(element);
      this.open.push(element);
      if (!tag.endsWith("/")) return null;
    }
    const closed = this.open.pop();
    return this.open.length === 0 ? closed : null;
  }
}

/** Joins, plays one game and says goodbye; then the process ends, with code 0 if the game was played. */
function play(socket, join) {
  const reader = new Reader();
  let position = null;
  let joined = false;
  const handle = (message) => {
    const data = child(message, "data");
    switch (data ? data.attributes.class : message.name) {
      case "joined":
        joined = true;
        break;
      case "memento":
        position = new Position(child(data, "state"));
        break;
      case "moveRequest":
        socket.write(moveXml(message.attributes.roomId, position));
        break;
      case "result":
        console.error(`result: ${child(data, "winner").attributes.reason}`);
        break;
      case "error":
      case "errorpacket":
        console.error(`the server complains: ${(data ?? message).attributes.message}`);
        if (!joined) socket.destroy();
        break;
      case "left":
        process.exitCode = 0;
        socket.end("</protocol>"); // the server says goodbye too, and closes
        break;
    }
  };
  socket.setEncoding("utf8"); // also puts characters together that come in two pieces
  socket.on("data", (piece) => {
    for (const message of reader.read(piece)) handle(message);
  });
  socket.write(`<protocol>${join}`);
}

// --- the program -----------------------------------------------------------------------------------------------------

/** The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored. */
function readOptions(args) {
  const options = { host: "localhost", port: "13050", reservation: "", room: "", game: "swc_2027_blokus" };
  const short = { "-h": "host", "-p": "port", "-r": "reservation" };
  for (let i = 0; i < args.length; i++) {
    const [, given, value] = args[i].match(/^([^=]*)=?(.*)$/s);
    const name = short[given] ?? given.replace(/^--/, "");
    if (!(name in options)) continue;
    options[name] = args[i].includes("=") ? value : args[++i] ?? "";
  }
  return options;
}

function joinRequest({ reservation, room, game }) {
  if (reservation) return `<joinPrepared reservationCode="${escaped(reservation)}"/>`;
  if (room) return `<joinRoom roomId="${escaped(room)}"/>`;
  return game === "any" ? "<join/>" : `<join gameType="${escaped(game)}"/>`;
}

const options = readOptions(process.argv.slice(2));
process.exitCode = 1; // until the game has been played
const socket = net.connect({ host: options.host, port: Number(options.port), noDelay: true });
socket.on("error", ({ code, message }) => console.error(`cannot play at ${options.host}: ${message || code}`));
socket.once("connect", () => play(socket, joinRequest(options)));
