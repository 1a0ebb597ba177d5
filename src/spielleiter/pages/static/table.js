// What a page with a board to play on says to the server, and what it shows of the answer. Whatever is not legal the server
// refuses, with the rule in words.
import { expectAnswer, glimpse, show } from "./live.js";
import { request } from "./server.js";

const root = document.getElementById("table");
const message = document.getElementById("message");
export const words = JSON.parse(root.dataset.words);
let ply = -1;
let position = {}; // Where the server knows none, as on the analysis board: the fields that name it.
let sending = false;

// The position on the board, to which all that is sent refers.
export function setPosition(newPly, newPosition) {
  ply = newPly;
  position = newPosition;
  root.dataset.position = String(new URLSearchParams(newPosition)); // For history.js.
}

export function report(text, refused = false) {
  message.textContent = text;
  message.classList.toggle("refused", refused);
}

export async function post(path, fields) {
  try {
    const answer = await request(root.dataset.table + path, {
      method: "POST",
      body: new URLSearchParams({ ...position, ...fields }),
      headers: { accept: "application/json" },
    });
    return await answer.json();
  } catch {
    return { ok: false, text: words.lost };
  }
}

export async function ask(fields) {
  try {
    const answer = await request(
      `${root.dataset.table}/try?${new URLSearchParams({ ...position, ...fields })}`,
      { headers: { accept: "application/json" } },
    );
    return await answer.json();
  } catch {
    return { ok: false, text: words.lost };
  }
}

// Sends a move that is shown already, unless its picture ``comes`` with the answer; ``undo`` takes it back from the board
// if it is refused.
export async function send(fields, undo = () => {}, comes = false) {
  if (sending) {
    undo();
    return false;
  }
  sending = true;
  const flip = new URLSearchParams(location.search).get("flip");
  const picture = comes ? { picture: 1, flip: flip ?? "" } : {};
  const posted = post("/move", { ply, ...picture, ...fields });
  const shown = posted.then((answer) => {
    if (!answer.update) return;
    if (root.dataset.live) glimpse(answer.update);
    else show(answer.update);
  });
  expectAnswer(ply + 1, comes ? shown : Promise.resolve());
  const answer = await posted;
  await shown;
  sending = false;
  if (!answer.ok) undo();
  report(answer.ok ? "" : answer.text, !answer.ok);
  return answer.ok;
}
