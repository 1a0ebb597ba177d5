import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
 *
 * It takes the move that wins most ambers, then one that lands on an opponent. To make it better, begin with value.
 */
final class Player {
    static final int SIZE = 8;
    static final Random RANDOM = new Random();

    /** One way in which a piece may go: so many squares forward, and so many to the side. */
    record Step(int ahead, int aside) {}

    static final Map<String, List<Step>> STEPS = Map.of(
            "Herzmuschel", List.of(new Step(1, -1), new Step(1, 1)),
            "Moewe", List.of(new Step(1, 0), new Step(-1, 0), new Step(0, 1), new Step(0, -1)),
            "Seestern", List.of(new Step(1, 0), new Step(1, 1), new Step(1, -1), new Step(-1, 1), new Step(-1, -1)),
            "Robbe", List.of(new Step(2, 1), new Step(2, -1), new Step(1, 2), new Step(1, -2),
                    new Step(-1, 2), new Step(-1, -2), new Step(-2, 1), new Step(-2, -1)));

    /** A piece or a stack of pieces; a stack moves as its uppermost piece. */
    record Piece(String kind, String team, int height) {}

    /** The piece on x,y goes to a target. */
    record Move(int x, int y, int targetX, int targetY) {}

    /** What a player has to know of a state. */
    static final class Position {
        final String team;
        final Piece[][] board = new Piece[SIZE][SIZE]; // board[x][y]; x counts the lines from the start line of ONE

        Position(Element state) {
            team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
            for (Element entry : state.child("board").child("pieces").all("entry")) {
                Element square = entry.child("coordinates"), piece = entry.child("piece");
                board[square.number("x")][square.number("y")] =
                        new Piece(piece.attribute("type"), piece.attribute("team"), piece.number("count"));
            }
        }

        /** All legal moves. */
        List<Move> moves() {
            int forward = team.equals("ONE") ? 1 : -1;
            List<Move> found = new ArrayList<>();
            for (int x = 0; x < SIZE; x++)
                for (int y = 0; y < SIZE; y++)
                    if (isOwn(x, y))
                        for (Step step : STEPS.get(board[x][y].kind)) {
                            int targetX = x + forward * step.ahead, targetY = y + step.aside;
                            if (isInside(targetX, targetY) && !isOwn(targetX, targetY))
                                found.add(new Move(x, y, targetX, targetY));
                        }
            return found;
        }

        boolean isOwn(int x, int y) {
            return board[x][y] != null && board[x][y].team.equals(team);
        }

        /** How many ambers this move wins. */
        int ambers(Move move) {
            Piece piece = board[move.x][move.y], below = board[move.targetX][move.targetY];
            int lastLine = team.equals("ONE") ? SIZE - 1 : 0;
            int count = 0;
            if (below != null && piece.height + below.height >= 3) count++;
            if (move.targetX == lastLine && !piece.kind.equals("Robbe")) count++;
            return count;
        }

        /** How good a move is: two for each amber, one for landing on an opponent. */
        int value(Move move) {
            return 2 * ambers(move) + (board[move.targetX][move.targetY] != null ? 1 : 0);
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
        String start = "<from x=\"" + move.x + "\" y=\"" + move.y + "\"/>";
        String target = "<to x=\"" + move.targetX + "\" y=\"" + move.targetY + "\"/>";
        return "<data class=\"move\">" + start + target + "</data>";
    }
}
