// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.

private const val SIZE = 8

/** Where the pieces go, as steps: squares forward to squares aside. */
private val STEPS = mapOf(
    "Herzmuschel" to listOf(1 to -1, 1 to 1),
    "Moewe" to listOf(1 to 0, -1 to 0, 0 to 1, 0 to -1),
    "Seestern" to listOf(1 to 0, 1 to 1, 1 to -1, -1 to 1, -1 to -1),
    "Robbe" to listOf(2 to 1, 2 to -1, 1 to 2, 1 to -2, -1 to 2, -1 to -2, -2 to 1, -2 to -1),
)

/** A piece or a stack of pieces; a stack moves as its uppermost piece. */
private class Piece(val kind: String, val team: String, val height: Int)

/** The piece on x,y goes to a target. */
private class Move(val x: Int, val y: Int, val targetX: Int, val targetY: Int)

/** What a player has to know of a state. */
private class Position(state: Element) {
    val team = if (state.number("turn") % 2 == 0) "ONE" else "TWO"

    /** By square x to y; x counts the lines from the start line of ONE. */
    val pieces = state.child("board").child("pieces").all("entry").associate { entry ->
        val square = entry.child("coordinates")
        val piece = entry.child("piece")
        val found = Piece(piece.attribute("type"), piece.attribute("team"), piece.number("count"))
        Pair(square.number("x"), square.number("y")) to found
    }

    /** All legal moves. */
    fun moves(): List<Move> {
        val forward = if (team == "ONE") 1 else -1
        val found = mutableListOf<Move>()
        for ((square, piece) in pieces) {
            if (piece.team != team) continue
            val (x, y) = square
            for ((ahead, aside) in STEPS.getValue(piece.kind)) {
                val targetX = x + forward * ahead
                val targetY = y + aside
                if (isOpen(targetX, targetY)) found.add(Move(x, y, targetX, targetY))
            }
        }
        return found
    }

    /** Whether a piece may end its move here: on the board, and not on an own piece. */
    fun isOpen(x: Int, y: Int) = x in 0 until SIZE && y in 0 until SIZE && pieces[x to y]?.team != team

    /** How many ambers this move wins. */
    fun ambers(move: Move): Int {
        val piece = pieces.getValue(move.x to move.y)
        val heightBelow = pieces[move.targetX to move.targetY]?.height ?: 0
        val lastLine = if (team == "ONE") SIZE - 1 else 0
        var count = 0
        if (piece.height + heightBelow >= 3) count++
        if (move.targetX == lastLine && piece.kind != "Robbe") count++
        return count
    }

    /** How good a move is: two for each amber, one for landing on an opponent. */
    fun value(move: Move) = 2 * ambers(move) + (if (move.targetX to move.targetY in pieces) 1 else 0)
}

/** The data of the move to answer with: one of the best, chosen at random. */
fun chooseMove(state: Element): String {
    val position = Position(state)
    val moves = position.moves()
    val best = moves.maxOf { position.value(it) }
    val move = moves.filter { position.value(it) == best }.random()
    val start = "<from x=\"${move.x}\" y=\"${move.y}\"/>"
    return "<data class=\"move\">$start<to x=\"${move.targetX}\" y=\"${move.targetY}\"/></data>"
}
