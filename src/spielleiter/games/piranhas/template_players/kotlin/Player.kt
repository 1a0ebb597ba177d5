// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
//
// It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
// The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.

private const val SIZE = 10

private class Direction(val name: String, val dx: Int, val dy: Int)

private val DIRECTIONS = listOf(
    Direction("UP", 0, 1), Direction("UP_RIGHT", 1, 1), Direction("RIGHT", 1, 0), Direction("DOWN_RIGHT", 1, -1),
    Direction("DOWN", 0, -1), Direction("DOWN_LEFT", -1, -1), Direction("LEFT", -1, 0), Direction("UP_LEFT", -1, 1),
)

/** What can lie on a square: whose it is, and how heavy. */
private class Content(val owner: String, val weight: Int)

/** The words of both seasons. In 2019 all fish weigh the same. */
private val CONTENTS = mapOf(
    "EMPTY" to Content("", 0), "OBSTRUCTED" to Content("KRAKEN", 0), "SQUID" to Content("KRAKEN", 0),
    "RED" to Content("ONE", 1), "BLUE" to Content("TWO", 1),
    "ONE_S" to Content("ONE", 1), "ONE_M" to Content("ONE", 2), "ONE_L" to Content("ONE", 3),
    "TWO_S" to Content("TWO", 1), "TWO_M" to Content("TWO", 2), "TWO_L" to Content("TWO", 3),
)

/** The fish on x,y swims in a direction, and so comes to a target. */
private class Move(val x: Int, val y: Int, val direction: String, val targetX: Int, val targetY: Int)

/** What a player has to know of a state. */
private class Position(state: Element) {
    val is2019 = state.attribute("class") == "sc.plugin2019.GameState"
    val team = if (state.number("turn") % 2 == 0) "ONE" else "TWO"
    val opponent = if (team == "ONE") "TWO" else "ONE"

    /** The lines of the state: columns in 2019, rows in 2026. */
    val lines = state.child("board").all(if (is2019) "fields" else "row").map { line ->
        line.all("field").map { CONTENTS.getValue(if (is2019) it.attribute("state") else it.text) }
    }

    /** What lies on a square. */
    fun at(x: Int, y: Int) = if (is2019) lines[x][y] else lines[y][x]

    /** All legal moves. */
    fun moves(): List<Move> {
        val found = mutableListOf<Move>()
        for (x in 0 until SIZE) for (y in 0 until SIZE) {
            if (at(x, y).owner != team) continue
            for (direction in DIRECTIONS) {
                val dx = direction.dx
                val dy = direction.dy
                val distance = 1 + fishFrom(x, y, dx, dy) + fishFrom(x, y, -dx, -dy)
                if (canSwim(x, y, dx, dy, distance)) {
                    found.add(Move(x, y, direction.name, x + distance * dx, y + distance * dy))
                }
            }
        }
        return found
    }

    /** Whether the own fish on this square may swim so far in this direction. */
    fun canSwim(x: Int, y: Int, dx: Int, dy: Int, distance: Int): Boolean {
        val targetX = x + distance * dx
        val targetY = y + distance * dy
        if (!isInside(targetX, targetY) || at(targetX, targetY).owner in listOf(team, "KRAKEN")) return false
        // Own fish and krakens may be passed, opponents not.
        return (1 until distance).none { step -> at(x + step * dx, y + step * dy).owner == opponent }
    }

    /** How many fish lie from this square on in this direction, the square itself not counted. */
    fun fishFrom(startX: Int, startY: Int, dx: Int, dy: Int): Int {
        var count = 0
        var x = startX + dx
        var y = startY + dy
        while (isInside(x, y)) {
            if (at(x, y).weight > 0) count++
            x += dx
            y += dy
        }
        return count
    }

    /** How good a move is: the weight of the fish that it eats, 0 if it eats none. */
    fun value(move: Move) = at(move.targetX, move.targetY).weight
}

private fun isInside(x: Int, y: Int) = x in 0 until SIZE && y in 0 until SIZE

/** The data of the move to answer with: one of the best, chosen at random. */
fun chooseMove(state: Element): String {
    val position = Position(state)
    val moves = position.moves()
    val best = moves.maxOf { position.value(it) }
    val move = moves.filter { position.value(it) == best }.random()
    val start = "x=\"${move.x}\" y=\"${move.y}\""
    if (position.is2019) return "<data class=\"move\" $start direction=\"${move.direction}\"/>"
    return "<data class=\"move\"><from $start/><direction>${move.direction}</direction></data>"
}
