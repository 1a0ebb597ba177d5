# /// script
# requires-python = ">=3.11"
# dependencies = []
# ///
"""A complete player for Blokus 2027 in plain Python: standard library only, written from docs/protocol/.

It lays one of the largest pieces that fit, chosen at random. Options: --host, --port, --reservation as the contest
passes them; at home --room ROOM-ID joins that room, and --game TYPE joins another game type ("any": whatever there is).
"""

import contextlib
import random
import socket
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

SIDE = 20
COLORS = ("BLUE", "YELLOW", "RED", "GREEN")
PIECES = {
    "MONO": "#",
    "DOMINO": "##",
    "TRIO_L": "#. ##",
    "TRIO_I": "# # #",
    "TETRO_O": "## ##",
    "TETRO_T": "### .#.",
    "TETRO_I": "# # # #",
    "TETRO_L": "#. #. ##",
    "TETRO_Z": "##. .##",
    "PENTO_L": "#. #. #. ##",
    "PENTO_T": "### .#. .#.",
    "PENTO_V": "#.. #.. ###",
    "PENTO_S": ".### ##..",
    "PENTO_Z": "##. .#. .##",
    "PENTO_I": "# # # # #",
    "PENTO_P": "## ## #.",
    "PENTO_W": "#.. ##. .##",
    "PENTO_U": "#.# ###",
    "PENTO_R": "..# ### .#.",
    "PENTO_X": ".#. ### .#.",
    "PENTO_Y": ".# ## .# .#",
}
ROTATIONS = {
    "NONE": lambda x, y: (x, y),
    "RIGHT": lambda x, y: (-y, x),
    "MIRROR": lambda x, y: (-x, -y),
    "LEFT": lambda x, y: (y, -x),
}


# --- the game ---------------------------------------------------------------------------------------------------------


def orientations(picture):
    """Every way in which a piece can lie: (rotation, flipped) -> squares, each set of squares once."""
    cells = [(x, y) for y, row in enumerate(picture.split()) for x, mark in enumerate(row) if mark == "#"]
    found = {}
    for rotation, rotate in ROTATIONS.items():
        for flipped in (False, True):
            turned = [rotate(x, y) for x, y in cells]
            if flipped:
                turned = [(-x, y) for x, y in turned]
            left, top = min(x for x, _ in turned), min(y for _, y in turned)
            aligned = sorted((x - left, y - top) for x, y in turned)
            if aligned not in found.values():
                found[rotation, flipped] = aligned
    return found


ORIENTATIONS = {kind: orientations(picture) for kind, picture in PIECES.items()}


class Position:
    """What a player has to know of a <state>."""

    def __init__(self, state):
        self.color = COLORS[int(state.get("turn")) % 4]
        self.covered = {(int(f.get("x")), int(f.get("y"))): f.get("content") for f in state.find("board")}
        self.is_first = self.color not in self.covered.values()
        left = [shape.text.strip() for shape in state.find(f"{self.color.lower()}Shapes")]
        self.pieces = [state.get("startPiece")] if self.is_first else left

    def touches(self, *squares):
        return any(self.covered.get(square) == self.color for square in squares)

    def is_open(self, x, y):
        """Whether the colour may cover this square of the board."""
        return (x, y) not in self.covered and not self.touches((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))

    def is_corner(self, x, y):
        """Whether this open square is one of those of which a piece must cover at least one."""
        if self.is_first:
            return x in (0, SIDE - 1) or y in (0, SIDE - 1)
        return self.touches((x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1))

    def moves(self, kinds, open_squares, corners):
        """All (kind, rotation, flipped, x, y) that may be laid; some of them more than once."""
        for kind in kinds:
            for (rotation, flipped), cells in ORIENTATIONS[kind].items():
                for corner_x, corner_y in corners:
                    for cell_x, cell_y in cells:
                        left, top = corner_x - cell_x, corner_y - cell_y
                        if all((left + x, top + y) in open_squares for x, y in cells):
                            yield kind, rotation, flipped, left, top


def choose(position):
    """A move with one of the largest pieces that fit, or None if there is none."""
    open_squares = {(x, y) for x in range(SIDE) for y in range(SIDE) if position.is_open(x, y)}
    corners = [square for square in open_squares if position.is_corner(*square)]
    for size in (5, 4, 3, 2, 1):
        kinds = [kind for kind in position.pieces if PIECES[kind].count("#") == size]
        moves = list(position.moves(kinds, open_squares, corners))
        if moves:
            return random.choice(moves)
    return None


def move_xml(room_id, position):
    """The answer to a request in this position."""
    move = choose(position)
    if move is None:
        data = f'<data class="sc.plugin2027.SkipMove"><color>{position.color}</color></data>'
    else:
        kind, rotation, flipped, x, y = move
        data = (
            f'<data class="sc.plugin2027.SetMove"><piece color="{position.color}" kind="{kind}" rotation="{rotation}" '
            f'isFlipped="{str(flipped).lower()}"><position x="{x}" y="{y}"/></piece></data>'
        )
    return f"<room roomId={quoteattr(room_id)}>{data}</room>"


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


def play(connection, join):
    """Joins, plays one game and says goodbye; whether the game was played."""

    def send(text):
        connection.sendall(text.encode())

    send(f"<protocol>{join}")
    joined = False
    position = None
    for message in messages(connection):
        data = message.find("data")
        name = message.tag if data is None else data.get("class", "")
        if name == "joined":
            joined = True
        elif name == "memento":
            position = Position(data.find("state"))
        elif name == "moveRequest":
            send(move_xml(message.get("roomId"), position))
        elif name == "result":
            log(f"result: {data.find('winner').get('reason')}")
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


def read_options(arguments):
    """The options in any of the forms --host H, --host=H, -h H; unknown ones are ignored."""
    options = {"host": "localhost", "port": "13050", "reservation": "", "room": "", "game": "swc_2027_blokus"}
    short = {"-h": "host", "-p": "port", "-r": "reservation"}
    waiting = list(arguments)
    while waiting:
        name, equals, value = waiting.pop(0).partition("=")
        name = short.get(name, name.removeprefix("--"))
        if name in options:
            options[name] = value if equals or not waiting else waiting.pop(0)
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
        with socket.create_connection((options["host"], int(options["port"]))) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            played = play(connection, join_request(options))
    except (OSError, ValueError, ElementTree.ParseError) as problem:
        log(f"cannot play at {options['host']}:{options['port']}: {problem}")
        played = False
    sys.exit(0 if played else 1)


if __name__ == "__main__":
    main()
