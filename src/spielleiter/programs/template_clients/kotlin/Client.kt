// How a player talks to the game master, in plain Kotlin, written from docs/protocol/. The moves are Player.kt's.
//
// Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
// --game TYPE another game type ("any": whatever there is).

import java.io.IOException
import java.io.OutputStream
import java.net.InetAddress
import java.net.Socket
import javax.xml.stream.XMLInputFactory
import javax.xml.stream.XMLStreamConstants
import javax.xml.stream.XMLStreamException
import javax.xml.stream.XMLStreamReader
import kotlin.system.exitProcess

/** An XML element. What is missing is never null: an empty element, an empty text, or 0. */
class Element(val name: String) {
    var text = ""
    val attributes = mutableMapOf<String, String>()
    val children = mutableListOf<Element>()

    fun attribute(key: String): String = attributes[key] ?: ""

    /** The attribute as a whole number. */
    fun number(key: String): Int = attribute(key).toIntOrNull() ?: 0

    fun has(childName: String): Boolean = children.any { it.name == childName }

    /** The first child of this name. */
    fun child(childName: String): Element = children.find { it.name == childName } ?: Element("")

    /** The children of this name. */
    fun all(childName: String): List<Element> = children.filter { it.name == childName }
}

// --- the conversation ------------------------------------------------------------------------------------------------

/** The next message, as soon as its last byte is there; null when the server's document is over. */
private fun nextMessage(reader: XMLStreamReader): Element? {
    val open = mutableListOf<Element>()
    while (reader.hasNext()) {
        when (reader.next()) {
            XMLStreamConstants.START_ELEMENT -> {
                if (open.isEmpty() && reader.localName == "protocol") continue
                val element = Element(reader.localName)
                for (i in 0 until reader.attributeCount)
                    element.attributes[reader.getAttributeLocalName(i)] = reader.getAttributeValue(i)
                open.lastOrNull()?.children?.add(element)
                open.add(element)
            }
            XMLStreamConstants.CHARACTERS -> open.lastOrNull()?.let { it.text += reader.text }
            XMLStreamConstants.END_ELEMENT -> {
                val closed = open.removeLastOrNull() ?: return null
                closed.text = closed.text.trim()
                if (open.isEmpty()) return closed
            }
        }
    }
    return null
}

/** Joins, plays one game and says goodbye; whether the game was played. */
private fun play(socket: Socket, join: String): Boolean {
    val out = socket.getOutputStream()
    send(out, "<protocol>$join")
    val factory = XMLInputFactory.newInstance()
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false)
    val reader = factory.createXMLStreamReader(socket.getInputStream(), "UTF-8")
    var state: Element? = null
    var joined = false
    while (true) {
        val message = nextMessage(reader) ?: return false
        val data = message.child("data")
        val answered = if (message.has("data")) data else message
        when (if (message.has("data")) kind(data) else message.name) {
            "joined" -> joined = true
            "memento" -> state = data.child("state")
            "moverequest" -> state?.let {
                send(out, "<room roomId=\"${escaped(message.attribute("roomId"))}\">${chooseMove(it)}</room>")
            }
            "result" -> log("result: ${reason(data).ifEmpty { "the game is over" }}")
            "error", "errorpacket" -> {
                log("the server complains: ${answered.attribute("message")}")
                if (!joined) return false
            }
            "left" -> {
                send(out, "</protocol>")
                waitForClose(socket)
                return true
            }
        }
    }
}

/** The class of the data without its package: a season may write sc.framework.plugins.protocol.MoveRequest. */
private fun kind(data: Element): String = data.attribute("class").substringAfterLast('.').lowercase()

/** Why the game ended: a text for people, which each season has in another place. */
private fun reason(result: Element): String =
    result.children.fold(result.attribute("reason")) { found, child -> found.ifEmpty { reason(child) } }

private fun send(out: OutputStream, text: String) {
    out.write(text.toByteArray())
    out.flush()
}

/** The server says goodbye too, and closes. */
private fun waitForClose(socket: Socket) {
    try {
        val rest = ByteArray(4096)
        while (socket.getInputStream().read(rest) > 0) { /* what comes now is for nobody */ }
    } catch (gone: IOException) {
        // Then it is closed, too.
    }
}

private fun escaped(text: String): String =
    text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")

private fun log(text: String) = System.err.println(text)

// --- the program -----------------------------------------------------------------------------------------------------

/** The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored. */
private fun readOptions(arguments: Array<String>): Map<String, String> {
    val options = mutableMapOf(
        "host" to "localhost", "port" to "13050", "reservation" to "", "room" to "", "game" to "__GAME_TYPE__",
    )
    val names = options.keys.associateBy { "--$it" } + mapOf("-h" to "host", "-p" to "port", "-r" to "reservation")
    val waiting = ArrayDeque(arguments.toList())
    while (waiting.isNotEmpty()) {
        val given = waiting.removeFirst()
        val name = names[given.substringBefore('=')] ?: continue
        if ('=' in given) options[name] = given.substringAfter('=')
        else waiting.removeFirstOrNull()?.let { options[name] = it }
    }
    return options
}

private fun joinRequest(options: Map<String, String>): String {
    val (reservation, room, game) = listOf("reservation", "room", "game").map { options.getValue(it) }
    return when {
        reservation.isNotEmpty() -> "<joinPrepared reservationCode=\"${escaped(reservation)}\"/>"
        room.isNotEmpty() -> "<joinRoom roomId=\"${escaped(room)}\"/>"
        game == "any" -> "<join/>"
        else -> "<join gameType=\"${escaped(game)}\"/>"
    }
}

/** A connection to the first address of the host at which somebody listens. */
private fun connect(host: String, port: String): Socket {
    val number = port.toIntOrNull()?.takeIf { it in 1..65535 } ?: throw IOException("there is no port $port")
    var problem = IOException("there is no such host")
    for (address in InetAddress.getAllByName(host)) {
        try {
            return Socket(address, number)
        } catch (refused: IOException) {
            problem = refused
        }
    }
    throw problem
}

fun main(arguments: Array<String>) {
    val options = readOptions(arguments)
    val (host, port) = listOf("host", "port").map { options.getValue(it) }
    val played = try {
        connect(host, port).use { socket ->
            socket.tcpNoDelay = true
            play(socket, joinRequest(options))
        }
    } catch (problem: IOException) {
        log("cannot play at $host:$port: ${problem.message}")
        false
    } catch (problem: XMLStreamException) {
        log("the connection broke: ${problem.message}")
        false
    }
    exitProcess(if (played) 0 else 1)
}
