// The moves of __TITLE__: TO BE WRITTEN. The client is there; chooseMove is the place for the rules and your ideas.

/**
 * The data to answer a request in this state with.
 *
 * For a game whose move is a square: """<data class="sc.plugin__YEAR__.Move"><to x="3" y="5"/></data>"""
 */
fun chooseMove(state: Element): String =
    TODO("write chooseMove: it gives the <data> of a move in turn ${state.attribute("turn")}")
