import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * A complete player for Blokus 2027 in plain Java, written from docs/protocol/.
 *
 * It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
 * passes them; at home --room ROOM-ID joins that room, and --game TYPE another game type ("any": whatever there is).
 */
public final class Player {
    // --- the game ----------------------------------------------------------------------------------------------------

    static final int SIDE = 20;
    static final List<String> COLORS = List.of("BLUE", "YELLOW", "RED", "GREEN");
    static final List<String> ROTATIONS = List.of("NONE", "RIGHT", "MIRROR", "LEFT");
    static final String PIECES =
            "MONO # | DOMINO ## | TRIO_L #. ## | TRIO_I # # # | TETRO_O ## ## | TETRO_T ### .#. | TETRO_I # # # #"
            + " | TETRO_L #. #. ## | TETRO_Z ##. .## | PENTO_L #. #. #. ## | PENTO_T ### .#. .#."
            + " | PENTO_V #.. #.. ### | PENTO_S .### ##.. | PENTO_Z ##. .#. .## | PENTO_I # # # # #"
            + " | PENTO_P ## ## #. | PENTO_W #.. ##. .## | PENTO_U #.# ### | PENTO_R ..# ### .#."
            + " | PENTO_X .#. ### .#. | PENTO_Y .# ## .# .#";

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
            color = COLORS.get(Integer.parseInt(state.attribute("turn")) % 4);
            for (Element field : state.child("board").children)
                board[Integer.parseInt(field.attribute("x"))][Integer.parseInt(field.attribute("y"))] =
                        field.attribute("content");
            isFirst = Arrays.stream(board).flatMap(Arrays::stream).noneMatch(color::equals);
            if (isFirst) pieces.add(state.attribute("startPiece"));
            else for (Element shape : state.child(color.toLowerCase(Locale.ROOT) + "Shapes").children)
                pieces.add(shape.text.toString().strip());
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
            if (isFirst) return x == 0 || x == SIDE - 1 || y == 0 || y == SIDE - 1;
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
        String choose(Random random) {
            for (int size = 5; size > 0; size--) {
                List<Move> moves = moves(size);
                if (moves.isEmpty()) continue;
                Move move = moves.get(random.nextInt(moves.size()));
                return "<data class=\"sc.plugin2027.SetMove\"><piece color=\"" + color + "\" kind=\"" + move.kind
                        + "\" rotation=\"" + move.orientation.rotation + "\" isFlipped=\"" + move.orientation.flipped
                        + "\"><position x=\"" + move.x + "\" y=\"" + move.y + "\"/></piece></data>";
            }
            return "<data class=\"sc.plugin2027.SkipMove\"><color>" + color + "</color></data>";
        }
    }

    // --- the conversation --------------------------------------------------------------------------------------------

    static final class Element {
        final String name;
        final Map<String, String> attributes = new HashMap<>();
        final List<Element> children = new ArrayList<>();
        final StringBuilder text = new StringBuilder();

        Element(XMLStreamReader reader) {
            name = reader.getLocalName();
            for (int i = 0; i < reader.getAttributeCount(); i++)
                attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }

        String attribute(String key) {
            return attributes.getOrDefault(key, "");
        }

        /** The child of this name, or null. */
        Element child(String key) {
            return children.stream().filter(child -> child.name.equals(key)).findFirst().orElse(null);
        }
    }

    /** The next message, as soon as its last byte is there; null when the server's document is over. */
    static Element nextMessage(XMLStreamReader reader) throws XMLStreamException {
        List<Element> open = new ArrayList<>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (open.isEmpty() && reader.getLocalName().equals("protocol")) continue;
                    Element element = new Element(reader);
                    if (!open.isEmpty()) open.get(open.size() - 1).children.add(element);
                    open.add(element);
                }
                case XMLStreamConstants.CHARACTERS -> {
                    if (!open.isEmpty()) open.get(open.size() - 1).text.append(reader.getText());
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    if (open.isEmpty()) return null;
                    Element element = open.remove(open.size() - 1);
                    if (open.isEmpty()) return element;
                }
                default -> { }
            }
        }
        return null;
    }

    /** Joins, plays one game and says goodbye; whether the game was played. */
    static boolean play(Socket socket, String join) throws IOException, XMLStreamException {
        OutputStream out = socket.getOutputStream();
        send(out, "<protocol>" + join);
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader reader = factory.createXMLStreamReader(socket.getInputStream(), "UTF-8");
        Random random = new Random();
        Position position = null;
        boolean joined = false;
        for (Element message; (message = nextMessage(reader)) != null; ) {
            Element data = message.child("data");
            switch (data == null ? message.name : data.attribute("class")) {
                case "joined" -> joined = true;
                case "memento" -> position = new Position(data.child("state"));
                case "moveRequest" -> send(out, "<room roomId=\"" + escaped(message.attribute("roomId")) + "\">"
                        + position.choose(random) + "</room>");
                case "result" -> log("result: " + data.child("winner").attribute("reason"));
                case "error", "errorpacket" -> {
                    log("the server complains: " + (data == null ? message : data).attribute("message"));
                    if (!joined) return false;
                }
                case "left" -> {
                    send(out, "</protocol>");
                    waitForClose(socket.getInputStream());
                    return true;
                }
                default -> { }
            }
        }
        return false;
    }

    static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** The server says goodbye too, and closes. */
    static void waitForClose(InputStream in) {
        try {
            byte[] rest = new byte[4096];
            while (in.read(rest) > 0) { }
        } catch (IOException gone) {
            // Then it is closed, too.
        }
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    static void log(String text) {
        System.err.println(text);
    }

    // --- the program -------------------------------------------------------------------------------------------------

    /** The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored. */
    static Map<String, String> readOptions(String[] arguments) {
        Map<String, String> options = new HashMap<>(Map.of(
                "host", "localhost", "port", "13050", "reservation", "", "room", "", "game", "swc_2027_blokus"));
        Map<String, String> shortNames = Map.of("-h", "host", "-p", "port", "-r", "reservation");
        for (int i = 0; i < arguments.length; i++) {
            String[] parts = arguments[i].split("=", 2);
            String name = shortNames.getOrDefault(parts[0], parts[0].replaceFirst("^--", ""));
            if (!options.containsKey(name)) continue;
            if (parts.length == 2) options.put(name, parts[1]);
            else if (i + 1 < arguments.length) options.put(name, arguments[++i]);
        }
        return options;
    }

    static String joinRequest(Map<String, String> options) {
        String reservation = options.get("reservation"), room = options.get("room"), game = options.get("game");
        if (!reservation.isEmpty()) return "<joinPrepared reservationCode=\"" + escaped(reservation) + "\"/>";
        if (!room.isEmpty()) return "<joinRoom roomId=\"" + escaped(room) + "\"/>";
        return game.equals("any") ? "<join/>" : "<join gameType=\"" + escaped(game) + "\"/>";
    }

    /** A connection to the first address of the host at which somebody listens. */
    static Socket connect(String host, int port) throws IOException {
        IOException problem = null;
        for (InetAddress address : InetAddress.getAllByName(host)) {
            try {
                return new Socket(address, port);
            } catch (IOException refused) {
                problem = refused;
            }
        }
        throw problem;
    }

    public static void main(String[] arguments) {
        Map<String, String> options = readOptions(arguments);
        boolean played = false;
        try (Socket socket = connect(options.get("host"), Integer.parseInt(options.get("port")))) {
            socket.setTcpNoDelay(true);
            played = play(socket, joinRequest(options));
        } catch (IOException | XMLStreamException | IllegalArgumentException problem) {
            log("cannot play at " + options.get("host") + ":" + options.get("port") + ": " + problem.getMessage());
        }
        System.exit(played ? 0 : 1);
    }
}
