import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
 *
 * It takes the heaviest fish that it can eat, and otherwise any move. To make it better, begin with value.
 * The file plays both seasons of Piranhas, 2019 and 2026; they differ in the words of states and moves.
 */
final class Player {
    static final int SIZE = 10;
    static final Random RANDOM = new Random();

    record Direction(String name, int dx, int dy) {}

    static final List<Direction> DIRECTIONS = List.of(
            new Direction("UP", 0, 1), new Direction("UP_RIGHT", 1, 1), new Direction("RIGHT", 1, 0),
            new Direction("DOWN_RIGHT", 1, -1), new Direction("DOWN", 0, -1), new Direction("DOWN_LEFT", -1, -1),
            new Direction("LEFT", -1, 0), new Direction("UP_LEFT", -1, 1));

    /** What can lie on a square: whose it is, and how heavy. */
    record Content(String owner, int weight) {}

    /** The words of both seasons; all others are empty squares. In 2019 all fish weigh the same. */
    static final Map<String, Content> CONTENTS = Map.of(
            "RED", new Content("ONE", 1), "BLUE", new Content("TWO", 1), "OBSTRUCTED", new Content("KRAKEN", 0),
            "ONE_S", new Content("ONE", 1), "ONE_M", new Content("ONE", 2), "ONE_L", new Content("ONE", 3),
            "TWO_S", new Content("TWO", 1), "TWO_M", new Content("TWO", 2), "TWO_L", new Content("TWO", 3),
            "SQUID", new Content("KRAKEN", 0));
    static final Content EMPTY = new Content("", 0);

    /** The fish on x,y swims in a direction, and so comes to a target. */
    record Move(int x, int y, String direction, int targetX, int targetY) {}

    /** What a player has to know of a state. */
    static final class Position {
        final boolean is2019;
        final String team, opponent;
        final Content[][] board = new Content[SIZE][SIZE]; // board[x][y]

        Position(Element state) {
            is2019 = state.attribute("class").equals("sc.plugin2019.GameState");
            team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
            opponent = team.equals("ONE") ? "TWO" : "ONE";
            List<Element> lines = state.child("board").all(is2019 ? "fields" : "row");
            for (int i = 0; i < SIZE; i++) {
                List<Element> fields = lines.get(i).all("field");
                for (int j = 0; j < SIZE; j++) {
                    Element field = fields.get(j);
                    if (is2019) board[i][j] = CONTENTS.getOrDefault(field.attribute("state"), EMPTY); // i: a column
                    else board[j][i] = CONTENTS.getOrDefault(field.text, EMPTY); // i: a row
                }
            }
        }

        /** All legal moves. */
        List<Move> moves() {
            List<Move> found = new ArrayList<>();
            for (int x = 0; x < SIZE; x++)
                for (int y = 0; y < SIZE; y++)
                    if (board[x][y].owner.equals(team))
                        for (Direction direction : DIRECTIONS) {
                            int dx = direction.dx, dy = direction.dy;
                            int distance = 1 + fishFrom(x, y, dx, dy) + fishFrom(x, y, -dx, -dy);
                            if (canSwim(x, y, dx, dy, distance))
                                found.add(new Move(x, y, direction.name, x + distance * dx, y + distance * dy));
                        }
            return found;
        }

        /** Whether the own fish on this square may swim so far in this direction. */
        boolean canSwim(int x, int y, int dx, int dy, int distance) {
            int targetX = x + distance * dx, targetY = y + distance * dy;
            if (!isInside(targetX, targetY)) return false;
            String there = board[targetX][targetY].owner;
            if (there.equals(team) || there.equals("KRAKEN")) return false;
            for (int step = 1; step < distance; step++) // own fish and krakens may be passed, opponents not
                if (board[x + step * dx][y + step * dy].owner.equals(opponent)) return false;
            return true;
        }

        /** How many fish lie from this square on in this direction, the square itself not counted. */
        int fishFrom(int x, int y, int dx, int dy) {
            int count = 0;
            for (x += dx, y += dy; isInside(x, y); x += dx, y += dy)
                if (board[x][y].weight > 0) count++;
            return count;
        }

        /** How good a move is: the weight of the fish that it eats, 0 if it eats none. */
        int value(Move move) {
            return board[move.targetX][move.targetY].weight;
        }
    }

    static boolean isInside(int x, int y) {
        return x >= 0 && x < SIZE && y >= 0 && y < SIZE;
    }

    /** The data of the move to answer with: one of the best, chosen at random. */
    static String chooseMove(Element state) {
        Position position = new Position(state);
        List<Move> moves = position.moves();
        int best = moves.stream().mapToInt(position::value).max().getAsInt();
        List<Move> good = moves.stream().filter(move -> position.value(move) == best).toList();
        Move move = good.get(RANDOM.nextInt(good.size()));
        String start = "x=\"" + move.x + "\" y=\"" + move.y + "\"";
        if (position.is2019) return "<data class=\"move\" " + start + " direction=\"" + move.direction + "\"/>";
        return "<data class=\"move\"><from " + start + "/><direction>" + move.direction + "</direction></data>";
    }
}
