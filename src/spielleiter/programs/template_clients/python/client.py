# /// script
# requires-python = ">=3.9"
# dependencies = []
# ///
"""How a player talks to the game master: standard library only, written from docs/protocol/. The moves are player.py's.

Options: --host, --port, --reservation as the contest passes them; at home --room ROOM-ID joins that room, and
--game TYPE joins another game type ("any": whatever there is).
"""

import contextlib
import socket
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from player import choose_move

# --- the conversation -------------------------------------------------------------------------------------------------


def messages(connection):
    """The messages of the server, each as soon as its last byte is there, until one side has closed."""
    parser = ElementTree.XMLPullParser(["start", "end"])
    flush = getattr(parser, "flush", lambda: None)  # new versions of expat may hold the end of a message back
    depth, root = 0, None
    while data := connection.recv(1 << 16):
        parser.feed(data)
        flush()
        for event, element in parser.read_events():
            depth += 1 if event == "start" else -1
            if event == "start" and depth == 1:
                root = element
            elif event == "end" and depth == 1:
                yield element
                root.clear()  # or every message would stay in memory
            elif event == "end" and depth == 0:
                return


def log(text):
    print(text, file=sys.stderr, flush=True)


def reason(result):
    """Why the game ended: a text for people, which each season has in another place."""
    return next((element.get("reason") for element in result.iter() if element.get("reason")), "")


def play(connection, join):
    """Joins, plays one game and says goodbye; whether the game was played."""

    def send(text):
        connection.sendall(text.encode())

    send(f"<protocol>{join}")
    joined = False
    state = None
    for message in messages(connection):
        data = message.find("data")
        name = message.tag if data is None else data.get("class", "").split(".")[-1].lower()
        if name == "joined":
            joined = True
        elif name == "memento":
            state = data.find("state")
        elif name == "moverequest" and state is not None:
            send(f"<room roomId={quoteattr(message.get('roomId', ''))}>{choose_move(state)}</room>")
        elif name == "result":
            log(f"result: {reason(data) or 'the game is over'}")
        elif name in ("error", "errorpacket"):
            log(f"the server complains: {(message if data is None else data).get('message')}")
            if not joined:
                break
        elif name == "left":
            send("</protocol>")
            with contextlib.suppress(ConnectionError):
                while connection.recv(1 << 16):  # the server says goodbye too, and closes
                    pass
            return True
    return False


# --- the program ------------------------------------------------------------------------------------------------------


def read_options(arguments):
    """The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored."""
    options = {"host": "localhost", "port": "13050", "reservation": "", "room": "", "game": "__GAME_TYPE__"}
    names = {"-h": "host", "-p": "port", "-r": "reservation", **{f"--{name}": name for name in options}}
    waiting = list(arguments)
    while waiting:
        name, equals, value = waiting.pop(0).partition("=")
        if name in names:
            options[names[name]] = value if equals or not waiting else waiting.pop(0)
    return options


def join_request(options):
    if options["reservation"]:
        return f"<joinPrepared reservationCode={quoteattr(options['reservation'])}/>"
    if options["room"]:
        return f"<joinRoom roomId={quoteattr(options['room'])}/>"
    if options["game"] == "any":
        return "<join/>"
    return f"<join gameType={quoteattr(options['game'])}/>"


def main():
    options = read_options(sys.argv[1:])
    try:
        connection = socket.create_connection((options["host"], int(options["port"])))
    except (OSError, OverflowError, ValueError) as problem:
        log(f"cannot play at {options['host']}:{options['port']}: {problem}")
        sys.exit(1)
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            played = play(connection, join_request(options))
        except (ConnectionError, ElementTree.ParseError) as problem:
            log(f"the connection broke: {problem}")
            played = False
    sys.exit(0 if played else 1)


if __name__ == "__main__":
    main()
