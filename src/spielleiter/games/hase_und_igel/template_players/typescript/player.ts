// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It goes into the goal if it can, then to a salad, then anywhere. To make it better, begin with value.

import type { Element } from "./client.ts";

const CARDS = ["EAT_SALAD", "SWAP_CARROTS", "FALL_BACK", "HURRY_AHEAD"];
const PRICE = 10; // carrots for a card on the market
const GOAL_CARROTS = 10; // a hare may enter the goal with so many at most

/** A hare and what it has. */
class Hare {
  readonly field: number;
  readonly carrots: number;
  readonly salads: number;
  readonly cards: string[];
  readonly hasEaten: boolean;
  readonly hasSwapped: boolean;

  constructor(element: Element) {
    this.field = element.number("position");
    this.carrots = element.number("carrots");
    this.salads = element.number("salads");
    this.cards = element.child("cards").all("card").map((card) => card.text);
    const last = element.child("lastAction");
    this.hasEaten = last.attribute("class") === "eatsalad";
    this.hasSwapped = last.attribute("class") === "card" && last.text === "SWAP_CARROTS";
  }
}

/** What the hare does: the class of the move, its number (distance or amount, or 0) and its cards. */
type Move = { kind: string; number: number; cards: string[] };

/** What a player has to know of a state. */
class Position {
  readonly track: string[];
  readonly me: Hare;
  readonly other: Hare;

  constructor(state: Element) {
    this.track = state.child("board").all("field").map((field) => field.text);
    const [one, two] = ["ONE", "TWO"].map((team) => {
      const hare = state.all("hare").find((candidate) => candidate.attribute("team") === team);
      if (hare === undefined) throw new Error(`the state has no hare of ${team}`);
      return new Hare(hare);
    });
    [this.me, this.other] = state.number("turn") % 2 === 0 ? [one, two] : [two, one];
  }

  /** All legal moves. */
  moves(): Move[] {
    const here = this.track[this.me.field];
    if (here === "SALAD" && !this.me.hasEaten) return [{ kind: "eatsalad", number: 0, cards: [] }];
    const found = this.advances();
    const hedgehog = this.track.slice(0, this.me.field).lastIndexOf("HEDGEHOG"); // -1 if there is none behind
    if (hedgehog >= 0 && hedgehog !== this.other.field) found.push({ kind: "fallback", number: 0, cards: [] });
    if (here === "CARROTS") {
      found.push({ kind: "exchangecarrots", number: 10, cards: [] });
      if (this.me.carrots >= 10) found.push({ kind: "exchangecarrots", number: -10, cards: [] });
    }
    return found;
  }

  /** All moves forward, with each way to play or to buy cards at their end. */
  advances(): Move[] {
    const found: Move[] = [];
    for (let distance = 1; this.me.field + distance < this.track.length; distance++) {
      const carrots = this.me.carrots - (distance * (distance + 1)) / 2;
      if (carrots < 0) break;
      for (const cards of this.arrivals(this.me.field + distance, carrots, this.me.cards)) {
        found.push({ kind: "advance", number: distance, cards });
      }
    }
    return found;
  }

  /**
   * Every list of cards with which the hare may arrive on this field: none at all if the field is closed.
   *
   * On most fields that is only the empty list. carrots and held (cards) are what the hare has by then.
   */
  arrivals(field: number, carrots: number, held: string[]): string[][] {
    const kind: string | undefined = this.track[field]; // undefined before the start and behind the goal
    let isOpen = kind !== undefined && kind !== "START" && kind !== "HEDGEHOG";
    if (kind === "MARKET") isOpen = carrots >= PRICE;
    if (kind === "SALAD") isOpen = this.me.salads > 0;
    if (kind === "GOAL") isOpen = carrots <= GOAL_CARROTS && this.me.salads === 0;
    if (!isOpen || (field === this.other.field && kind !== "GOAL")) return [];
    if (kind === "MARKET") return CARDS.map((card) => [card]); // exactly one is bought
    return kind === "HARE" ? this.plays(field, carrots, held) : [[]];
  }

  /** Every list of cards that the hare may play on this hare field; some lead on to another field. */
  plays(field: number, carrots: number, held: string[]): string[][] {
    const found: string[][] = [];
    const isAhead = field > this.other.field;
    for (const card of CARDS.filter((card) => held.includes(card))) {
      const left = [...held];
      left.splice(left.indexOf(card), 1);
      let following: string[][] = []; // the lists of cards that may come after this one
      if (card === "EAT_SALAD" && this.me.salads > 0) following = [[]];
      if (card === "SWAP_CARROTS" && this.canSwap(field)) following = [[]];
      if (card === "FALL_BACK" && isAhead) following = this.arrivals(this.other.field - 1, carrots, left);
      if (card === "HURRY_AHEAD" && !isAhead) following = this.arrivals(this.other.field + 1, carrots, left);
      for (const cards of following) found.push([card, ...cards]);
    }
    return found;
  }

  /** Whether carrots may be swapped: both before the last salad field, and not twice in a row. */
  canSwap(field: number): boolean {
    const isEarly = Math.max(field, this.other.field) < this.track.lastIndexOf("SALAD");
    return isEarly && !this.me.hasSwapped && !this.other.hasSwapped;
  }

  /** How good a move is: 2 if it goes into the goal, 1 if it gets to a salad or eats one, otherwise 0. */
  value({ kind, number, cards }: Move): number {
    if (kind === "eatsalad" || cards.includes("EAT_SALAD")) return 1;
    if (kind !== "advance") return 0;
    const target = this.track[this.me.field + number];
    return target === "GOAL" ? 2 : target === "SALAD" ? 1 : 0;
  }
}

/** The data of the move to answer with: one of the best, chosen at random. */
export function chooseMove(state: Element): string {
  const position = new Position(state);
  const moves = position.moves();
  const best = Math.max(...moves.map((move) => position.value(move)));
  const good = moves.filter((move) => position.value(move) === best);
  const { kind, number, cards } = good[Math.floor(Math.random() * good.length)];
  if (kind === "exchangecarrots") return `<data class="exchangecarrots" amount="${number}"/>`;
  if (kind !== "advance") return `<data class="${kind}"/>`;
  const played = cards.map((card) => `<card>${card}</card>`).join("");
  return `<data class="advance" distance="${number}">${played}</data>`;
}
