import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a player knows of __TITLE__: what a state says, which moves are legal, and chooseMove, yours to improve.
 *
 * It goes to a field with as many fish as possible. To make it better, begin with value.
 * Fields are named as in the moves, by doubled coordinates: x is 0, 2 .. 14 in even rows and 1, 3 .. 15 in odd ones.
 */
final class Player {
    static final int PENGUINS = 4; // of each team
    static final Random RANDOM = new Random();

    record Field(int x, int y) {}

    static final List<Field> DIRECTIONS = List.of(
            new Field(2, 0), new Field(-2, 0), new Field(1, 1), new Field(-1, -1), new Field(1, -1), new Field(-1, 1));

    /** A penguin comes to a target; start is null if it is placed. */
    record Move(Field start, Field target) {}

    /** What a player has to know of a state. */
    static final class Position {
        String team;
        final Map<Field, Integer> fish = new HashMap<>(); // how many; fields without fish are left out
        final Map<String, List<Field>> penguins = Map.of("ONE", new ArrayList<>(), "TWO", new ArrayList<>());

        Position(Element state) {
            int y = 0;
            for (Element row : state.child("board").all("list")) {
                int x = y % 2;
                for (Element field : row.all("field")) {
                    if (penguins.containsKey(field.text)) penguins.get(field.text).add(new Field(x, y));
                    else if (!field.text.equals("0")) fish.put(new Field(x, y), Integer.parseInt(field.text));
                    x += 2;
                }
                y++;
            }
            team = state.number("turn") % 2 == 0 ? "ONE" : "TWO";
            // A team that cannot move is passed over: it must be the other one that is asked.
            if (moves().isEmpty()) team = team.equals("ONE") ? "TWO" : "ONE";
        }

        /** All legal moves. */
        List<Move> moves() {
            List<Move> found = new ArrayList<>();
            List<Field> own = penguins.get(team);
            if (own.size() < PENGUINS) {
                for (Field field : fish.keySet())
                    if (fish.get(field) == 1) found.add(new Move(null, field));
            } else {
                for (Field start : own)
                    for (Field target : targets(start)) found.add(new Move(start, target));
            }
            return found;
        }

        /** All fields to which the penguin on this field can slide. */
        List<Field> targets(Field start) {
            List<Field> found = new ArrayList<>();
            for (Field step : DIRECTIONS) {
                Field field = new Field(start.x + step.x, start.y + step.y);
                while (fish.containsKey(field)) { // holes, penguins and the edge are in the way
                    found.add(field);
                    field = new Field(field.x + step.x, field.y + step.y);
                }
            }
            return found;
        }

        /** How good a move is: the fish that it gets. */
        int value(Move move) {
            return fish.get(move.target);
        }
    }

    /** The data of the move to answer with: one of the best, chosen at random. */
    static String chooseMove(Element state) {
        Position position = new Position(state);
        List<Move> moves = position.moves();
        int best = moves.stream().mapToInt(position::value).max().getAsInt();
        List<Move> good = moves.stream().filter(move -> position.value(move) == best).toList();
        Move move = good.get(RANDOM.nextInt(good.size()));
        String start = move.start == null ? "" : "<from x=\"" + move.start.x + "\" y=\"" + move.start.y + "\"/>";
        String target = "<to x=\"" + move.target.x + "\" y=\"" + move.target.y + "\"/>";
        return "<data class=\"move\">" + start + target + "</data>";
    }
}
