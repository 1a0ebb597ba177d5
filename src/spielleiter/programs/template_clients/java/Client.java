import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * How a player talks to the game master, in plain Java, written from docs/protocol/. The moves are Player.java's.
 *
 * Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
 * --game TYPE another game type ("any": whatever there is).
 */
public final class Client {
    // --- the conversation --------------------------------------------------------------------------------------------

    /** The next message, as soon as its last byte is there; null when the server's document is over. */
    static Element nextMessage(XMLStreamReader reader) throws XMLStreamException {
        List<Element> open = new ArrayList<>();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    if (open.isEmpty() && reader.getLocalName().equals("protocol")) continue;
                    Element element = started(reader);
                    if (!open.isEmpty()) open.get(open.size() - 1).children.add(element);
                    open.add(element);
                }
                case XMLStreamConstants.CHARACTERS -> {
                    if (!open.isEmpty()) open.get(open.size() - 1).text += reader.getText();
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    if (open.isEmpty()) return null;
                    Element element = open.remove(open.size() - 1);
                    element.text = element.text.strip();
                    if (open.isEmpty()) return element;
                }
                default -> { }
            }
        }
        return null;
    }

    static Element started(XMLStreamReader reader) {
        Element element = new Element(reader.getLocalName());
        for (int i = 0; i < reader.getAttributeCount(); i++)
            element.attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        return element;
    }

    /** Joins, plays one game and says goodbye; whether the game was played. */
    static boolean play(Socket socket, String join) throws IOException, XMLStreamException {
        OutputStream out = socket.getOutputStream();
        send(out, "<protocol>" + join);
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        XMLStreamReader reader = factory.createXMLStreamReader(socket.getInputStream(), "UTF-8");
        Element state = Element.NONE;
        boolean joined = false;
        for (Element message; (message = nextMessage(reader)) != null; ) {
            Element data = message.child("data");
            switch (message.has("data") ? kind(data) : message.name) {
                case "joined" -> joined = true;
                case "memento" -> state = data.child("state");
                case "moverequest" -> {
                    if (state != Element.NONE)
                        send(out, "<room roomId=\"" + escaped(message.attribute("roomId")) + "\">"
                                + Player.chooseMove(state) + "</room>");
                }
                case "result" -> log("result: " + (reason(data).isEmpty() ? "the game is over" : reason(data)));
                case "error", "errorpacket" -> {
                    log("the server complains: " + (message.has("data") ? data : message).attribute("message"));
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

    /** The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest. */
    static String kind(Element data) {
        String name = data.attribute("class");
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** Why the game ended: a text for people, which each season has in another place. */
    static String reason(Element result) {
        String found = result.attribute("reason");
        for (Element child : result.children)
            if (found.isEmpty()) found = reason(child);
        return found;
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
                "host", "localhost", "port", "13050", "reservation", "", "room", "", "game", "__GAME_TYPE__"));
        Map<String, String> names = new HashMap<>(Map.of("-h", "host", "-p", "port", "-r", "reservation"));
        for (String name : options.keySet()) names.put("--" + name, name);
        for (int i = 0; i < arguments.length; i++) {
            String[] parts = arguments[i].split("=", 2);
            String name = names.get(parts[0]);
            if (name == null) continue;
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
    static Socket connect(String host, String port) throws IOException {
        IOException problem = null;
        for (InetAddress address : InetAddress.getAllByName(host)) {
            try {
                return new Socket(address, Integer.parseInt(port));
            } catch (IOException refused) {
                problem = refused;
            } catch (IllegalArgumentException noPort) {
                throw new IOException("there is no port " + port);
            }
        }
        throw problem;
    }

    public static void main(String[] arguments) {
        Map<String, String> options = readOptions(arguments);
        boolean played = false;
        try (Socket socket = connect(options.get("host"), options.get("port"))) {
            socket.setTcpNoDelay(true);
            played = play(socket, joinRequest(options));
        } catch (IOException | XMLStreamException problem) {
            log("cannot play at " + options.get("host") + ":" + options.get("port") + ": " + problem.getMessage());
        }
        System.exit(played ? 0 : 1);
    }
}
