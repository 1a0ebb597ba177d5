// What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.

private val YEAR = __YEAR__
private const val SIDE = 20
private val COLORS = listOf("BLUE", "YELLOW", "RED", "GREEN")
private val PIECES = mapOf(
    "MONO" to "#", "DOMINO" to "##", "TRIO_L" to "#. ##", "TRIO_I" to "# # #", "TETRO_O" to "## ##",
    "TETRO_T" to "### .#.", "TETRO_I" to "# # # #", "TETRO_L" to "#. #. ##", "TETRO_Z" to "##. .##",
    "PENTO_L" to "#. #. #. ##", "PENTO_T" to "### .#. .#.", "PENTO_V" to "#.. #.. ###", "PENTO_S" to ".### ##..",
    "PENTO_Z" to "##. .#. .##", "PENTO_I" to "# # # # #", "PENTO_P" to "## ## #.", "PENTO_W" to "#.. ##. .##",
    "PENTO_U" to "#.# ###", "PENTO_R" to "..# ### .#.", "PENTO_X" to ".#. ### .#.", "PENTO_Y" to ".# ## .# .#",
)
private val ROTATIONS = mapOf<String, (Square) -> Square>(
    "NONE" to { it },
    "RIGHT" to { Square(-it.y, it.x) },
    "MIRROR" to { Square(-it.x, -it.y) },
    "LEFT" to { Square(it.y, -it.x) },
)

private data class Square(val x: Int, val y: Int)

/** One way in which a piece can lie; its bounding box begins at 0,0. */
private class Orientation(val rotation: String, val flipped: Boolean, val cells: Set<Square>)

private class Placement(val kind: String, val orientation: Orientation, val x: Int, val y: Int)

/** For each piece every way in which it can lie, each once. */
private val ORIENTATIONS = PIECES.mapValues { (_, picture) ->
    val piece = picture.split(" ").flatMapIndexed { y, row ->
        row.indices.filter { row[it] == '#' }.map { Square(it, y) }
    }
    ROTATIONS.flatMap { (rotation, rotate) ->
        listOf(false, true).map { flipped ->
            val turned = piece.map(rotate).map { if (flipped) Square(-it.x, it.y) else it }
            Orientation(rotation, flipped, aligned(turned))
        }
    }.distinctBy { it.cells }
}

private fun aligned(cells: List<Square>): Set<Square> {
    val (left, top) = Pair(cells.minOf { it.x }, cells.minOf { it.y })
    return cells.map { Square(it.x - left, it.y - top) }.toSet()
}

/** What a player has to know of a state. */
private class Position(state: Element) {
    val color = COLORS[state.number("turn") % 4]
    private val covered = state.child("board").all("field").associate {
        Square(it.number("x"), it.number("y")) to it.attribute("content")
    }
    private val isFirst = color !in covered.values
    private val pieces =
        if (isFirst) listOf(state.attribute("startPiece"))
        else state.child("${color.lowercase()}Shapes").all("shape").map { it.text }

    private fun touches(vararg squares: Square) = squares.any { covered[it] == color }

    /** Whether the colour may cover this square. */
    private fun isOpen(x: Int, y: Int) = x in 0 until SIDE && y in 0 until SIDE && Square(x, y) !in covered &&
        !touches(Square(x - 1, y), Square(x + 1, y), Square(x, y - 1), Square(x, y + 1))

    /** Whether this open square is one of those of which a piece must cover at least one. */
    private fun isCorner(x: Int, y: Int): Boolean {
        if (!isFirst)
            return touches(Square(x - 1, y - 1), Square(x + 1, y - 1), Square(x - 1, y + 1), Square(x + 1, y + 1))
        val edges = listOf(x, y).count { it == 0 || it == SIDE - 1 }
        return edges > (if (YEAR == 2021) 1 else 0) // in 2021 the first piece covers a corner of the board
    }

    /** All placements of pieces of this size; some of them more than once. */
    fun placements(size: Int): List<Placement> {
        val squares = (0 until SIDE).flatMap { x -> (0 until SIDE).map { y -> Square(x, y) } }
        val open = squares.filter { isOpen(it.x, it.y) }.toSet()
        val corners = open.filter { isCorner(it.x, it.y) }
        val found = mutableListOf<Placement>()
        for (kind in pieces)
            for (orientation in ORIENTATIONS.getValue(kind).filter { it.cells.size == size })
                for (corner in corners)
                    for (anchor in orientation.cells) {
                        val (left, top) = Pair(corner.x - anchor.x, corner.y - anchor.y)
                        if (orientation.cells.all { Square(left + it.x, top + it.y) in open })
                            found.add(Placement(kind, orientation, left, top))
                    }
        return found
    }
}

/** The data to answer a request in this state with: one of the largest pieces that fit. */
fun chooseMove(state: Element): String {
    val position = Position(state)
    val color = position.color
    for (size in 5 downTo 1) {
        val move = position.placements(size).randomOrNull() ?: continue
        val (rotation, flipped) = Pair(move.orientation.rotation, move.orientation.flipped)
        return """<data class="sc.plugin$YEAR.SetMove"><piece color="$color" kind="${move.kind}" """ +
            """rotation="$rotation" isFlipped="$flipped"><position x="${move.x}" y="${move.y}"/></piece></data>"""
    }
    return """<data class="sc.plugin$YEAR.SkipMove"><color>$color</color></data>"""
}
