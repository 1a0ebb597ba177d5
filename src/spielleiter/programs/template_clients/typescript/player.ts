// The moves of __TITLE__: TO BE WRITTEN. The client is there; chooseMove is the place for the rules and your ideas.

import type { Element } from "./client.ts";

/**
 * The data to answer a request in this state with.
 *
 * For a game whose move is a square: '<data class="sc.plugin__YEAR__.Move"><to x="3" y="5"/></data>'
 */
export function chooseMove(state: Element): string {
  throw new Error(`write chooseMove: it gives the <data> of a move in turn ${state.attribute("turn")}`);
}
