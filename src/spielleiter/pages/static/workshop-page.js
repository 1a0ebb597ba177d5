// What the parts of the workshop's page share: its data and words, what is kept, and the code at hand.
import { fieldById } from "./elements.js";
import { Shelf } from "./workshop-code.js";

export const $ = (id) => document.getElementById(id);
export const data = JSON.parse($("workshop-data").textContent);
export const words = JSON.parse($("workshop-words").textContent);
export const shelf = new Shelf(data.game);
export const opponent = fieldById("opponent");
export const playerName = fieldById("player-name");
// The editor, once it is open; ``isShared`` while it shows the code of a link, which is not kept.
export const desk = { editor: null, isShared: false };

export const say = (text) => {
  $("say").textContent = text;
};
export const said = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? `{${name}}`));
export const number = (value) => value.toLocaleString(data.language, { maximumFractionDigits: 1 });

export function keep(changes) {
  if (desk.isShared) return;
  $("no-storage").hidden = shelf.keep(changes);
}
