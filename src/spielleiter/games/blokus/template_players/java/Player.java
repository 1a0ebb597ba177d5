import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve. */
final class Player {
    static final int YEAR = __YEAR__;
    static final int SIDE = 20;
    static final List<String> COLORS = List.of("BLUE", "YELLOW", "RED", "GREEN");
    static final List<String> ROTATIONS = List.of("NONE", "RIGHT", "MIRROR", "LEFT");
    static final String PIECES =
            "MONO # | DOMINO ## | TRIO_L #. ## | TRIO_I # # # | TETRO_O ## ## | TETRO_T ### .#. | TETRO_I # # # #"
            + " | TETRO_L #. #. ## | TETRO_Z ##. .## | PENTO_L #. #. #. ## | PENTO_T ### .#. .#."
            + " | PENTO_V #.. #.. ### | PENTO_S .### ##.. | PENTO_Z ##. .#. .## | PENTO_I # # # # #"
            + " | PENTO_P ## ## #. | PENTO_W #.. ##. .## | PENTO_U #.# ### | PENTO_R ..# ### .#."
            + " | PENTO_X .#. ### .#. | PENTO_Y .# ## .# .#";

    static final Random RANDOM = new Random();

    record Square(int x, int y) {}

    /** One way in which a piece can lie; its bounding box begins at 0,0. */
    record Orientation(String rotation, boolean flipped, List<Square> cells) {}

    record Move(String kind, Orientation orientation, int x, int y) {}

    /** For each piece every way in which it can lie, each once. */
    static final Map<String, List<Orientation>> ORIENTATIONS = new LinkedHashMap<>();

    static {
        for (String line : PIECES.split(" \\| ")) {
            String[] words = line.split(" ");
            List<Square> cells = new ArrayList<>();
            for (int y = 1; y < words.length; y++)
                for (int x = 0; x < words[y].length(); x++)
                    if (words[y].charAt(x) == '#') cells.add(new Square(x, y - 1));
            ORIENTATIONS.put(words[0], orientations(cells));
        }
    }

    static List<Orientation> orientations(List<Square> piece) {
        List<Orientation> found = new ArrayList<>();
        for (String rotation : ROTATIONS)
            for (boolean flipped : new boolean[] {false, true}) {
                List<Square> cells = aligned(piece.stream().map(cell -> turned(cell, rotation, flipped)).toList());
                if (found.stream().noneMatch(known -> known.cells.equals(cells)))
                    found.add(new Orientation(rotation, flipped, cells));
            }
        return found;
    }

    static Square turned(Square cell, String rotation, boolean flipped) {
        int x = cell.x, y = cell.y;
        Square turned = switch (rotation) {
            case "RIGHT" -> new Square(-y, x);
            case "MIRROR" -> new Square(-x, -y);
            case "LEFT" -> new Square(y, -x);
            default -> cell;
        };
        return flipped ? new Square(-turned.x, turned.y) : turned;
    }

    static List<Square> aligned(List<Square> cells) {
        int left = cells.stream().mapToInt(Square::x).min().getAsInt();
        int top = cells.stream().mapToInt(Square::y).min().getAsInt();
        return cells.stream().map(cell -> new Square(cell.x - left, cell.y - top))
                .sorted((a, b) -> a.y != b.y ? a.y - b.y : a.x - b.x).toList();
    }

    /** What a player has to know of a state. */
    static final class Position {
        final String color;
        final List<String> pieces = new ArrayList<>();
        final String[][] board = new String[SIDE][SIDE];
        final boolean isFirst;

        Position(Element state) {
            color = COLORS.get(state.number("turn") % 4);
            for (Element field : state.child("board").all("field"))
                board[field.number("x")][field.number("y")] = field.attribute("content");
            isFirst = Arrays.stream(board).flatMap(Arrays::stream).noneMatch(color::equals);
            if (isFirst) pieces.add(state.attribute("startPiece"));
            else for (Element shape : state.child(color.toLowerCase(Locale.ROOT) + "Shapes").all("shape"))
                pieces.add(shape.text);
        }

        boolean isOwn(int x, int y) {
            return x >= 0 && x < SIDE && y >= 0 && y < SIDE && color.equals(board[x][y]);
        }

        /** Whether the colour may cover this square. */
        boolean isOpen(int x, int y) {
            return x >= 0 && x < SIDE && y >= 0 && y < SIDE && board[x][y] == null
                    && !(isOwn(x - 1, y) || isOwn(x + 1, y) || isOwn(x, y - 1) || isOwn(x, y + 1));
        }

        /** Whether this square is one of those of which a piece must cover at least one. */
        boolean isCorner(int x, int y) {
            if (!isOpen(x, y)) return false;
            boolean side = x == 0 || x == SIDE - 1, end = y == 0 || y == SIDE - 1;
            if (isFirst) return YEAR == 2021 ? side && end : side || end; // in 2021 it covers a corner of the board
            return isOwn(x - 1, y - 1) || isOwn(x + 1, y - 1) || isOwn(x - 1, y + 1) || isOwn(x + 1, y + 1);
        }

        /** All placements of pieces of this size; some of them more than once. */
        List<Move> moves(int size) {
            List<Move> moves = new ArrayList<>();
            for (int x = 0; x < SIDE; x++)
                for (int y = 0; y < SIDE; y++)
                    if (isCorner(x, y))
                        for (String kind : pieces)
                            for (Orientation orientation : ORIENTATIONS.get(kind))
                                if (orientation.cells.size() == size) addMoves(moves, kind, orientation, x, y);
            return moves;
        }

        /** Adds the placements that cover this corner square. */
        void addMoves(List<Move> moves, String kind, Orientation orientation, int cornerX, int cornerY) {
            for (Square anchor : orientation.cells) {
                int left = cornerX - anchor.x, top = cornerY - anchor.y;
                if (orientation.cells.stream().allMatch(cell -> isOpen(left + cell.x, top + cell.y)))
                    moves.add(new Move(kind, orientation, left, top));
            }
        }

        /** The data of the move to answer with: one of the largest pieces that fit. */
        String choose() {
            for (int size = 5; size > 0; size--) {
                List<Move> moves = moves(size);
                if (moves.isEmpty()) continue;
                Move move = moves.get(RANDOM.nextInt(moves.size()));
                return "<data class=\"sc.plugin" + YEAR + ".SetMove\"><piece color=\"" + color
                        + "\" kind=\"" + move.kind + "\" rotation=\"" + move.orientation.rotation
                        + "\" isFlipped=\"" + move.orientation.flipped
                        + "\"><position x=\"" + move.x + "\" y=\"" + move.y + "\"/></piece></data>";
            }
            return "<data class=\"sc.plugin" + YEAR + ".SkipMove\"><color>" + color + "</color></data>";
        }
    }

    /** The data to answer a request in this state with. */
    static String chooseMove(Element state) {
        return new Position(state).choose();
    }
}
