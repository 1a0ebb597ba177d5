"""Makes the parts of the protocol pages that come from the program itself; ``--raw`` prints a game as it was sent.

    python docs/protocol/generate.py

The conversation is a real game: two built-in random players on a game master, and a tap on the connection of ONE.
Chance is seeded, and room and reservation, which the game master draws, are replaced by fixed ones: so it is the same
game each time, and a test can keep the pages equal to what is made here.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from textwrap import dedent, fill

from spielleiter import games
from spielleiter.client import ClientSettings, play_async
from spielleiter.game import Look, Team
from spielleiter.games.blokus import Kind, Rotation, State
from spielleiter.games.blokus.shapes import KINDS, ORIENTATIONS_OF, Cells, turned
from spielleiter.players import RandomPlayer
from spielleiter.server import GameMaster, MasterSettings

HERE = Path(__file__).parent
GAME = games.load("blokus-2027")
SEED = 2027
ROOM = "5a3c1f0e-2027-4b10-8c05-000000000001"
RESERVATION = "c0de0001-2027-4b10-8c05-00000000ada1"
WHOLE_MEMENTOS = 3
"""So many positions of the conversation are shown message by message, before the rest becomes a list."""

Parts = dict[str, str]
"""What goes between the marks of a page, by the name of the mark."""


# --- a real game ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, and who sent it."""

    by_player: bool
    xml: str

    @property
    def kind(self) -> str:
        """The name of the message, or the class of the data in it."""
        data = re.search(r'<data class="(?:[\w.]*\.)?(\w+)"', self.xml)
        return data[1] if data else re.findall(r"[\w/]+", self.xml)[0]

    @property
    def turn(self) -> int:
        """The turn of a memento."""
        return int(re.findall(r' turn="(\d+)"', self.xml)[0])


class Tap:
    """Passes the bytes of one connection on in both directions, and remembers them in the order of arrival."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address
        self._heard: list[tuple[bool, bytes]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one connection."""
        server_reader, server_writer = await asyncio.open_connection(*self._address)
        await asyncio.gather(self._pass(True, reader, server_writer), self._pass(False, server_reader, writer))
        for end in (writer, server_writer):
            end.close()

    async def _pass(self, by_player: bool, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                self._heard.append((by_player, data))
                writer.write(data)
                await writer.drain()
            writer.write_eof()

    def messages(self) -> list[Message]:
        """What was said. A player speaks only when the server has finished, so what one side says is never cut."""
        found: list[Message] = []
        for by_player, pieces in groupby(self._heard, key=lambda piece: piece[0]):
            said = b"".join(data for _, data in pieces).decode()
            # A message begins on a line of its own, at the first level of indentation.
            parts = re.split(r"\n(?=  <\w|</protocol>)", said)
            found += [Message(by_player, xml) for xml in parts if xml not in ("", "<protocol>")]
        return found


async def _play() -> tuple[list[Message], State]:
    async with GameMaster(MasterSettings(port=0, language="en", timeouts=False)) as master:
        room = master.open_room(GAME, names=("Ada", "Bob"), start=GAME.new_state(Random(SEED)))
        tap = Tap(master.address)
        async with await asyncio.start_server(tap.serve, "127.0.0.1", 0) as tapped:
            addresses = (tapped.sockets[0].getsockname(), master.address)
            async with asyncio.TaskGroup() as group:
                for team, (host, port) in zip(Team, addresses, strict=True):
                    settings = ClientSettings(host=host, port=port, reservation=room.codes[team])
                    group.create_task(play_async(RandomPlayer(SEED + team), settings))
            ended = await room.ended
    fixed = {room.room_id: ROOM, room.codes[Team.ONE]: RESERVATION}
    names = re.compile("|".join(fixed))
    messages = [Message(said.by_player, names.sub(lambda name: fixed[name[0]], said.xml)) for said in tap.messages()]
    return messages, ended.state


def play() -> tuple[list[Message], State]:
    """The conversation of ONE with the game master, from the first message to the last, and the last position."""
    return asyncio.run(_play())


# --- the conversation as a page ---------------------------------------------------------------------------------------

_INTRODUCTION = """\
# A whole conversation: Blokus 2027

<!-- made by generate.py -->

A real game between two players that choose at random, on our game master, as player ONE saw it. It
is made by [generate.py](generate.py), and a test keeps it true. Only the reservation code and the
room id, which differ in each game, were replaced. `python docs/protocol/generate.py --raw` prints
all of it without a gap: good test data for your parser.

In the XML on this page `...` stands for lists that are left out; everything else is as it was sent.
"""

_COMMENTS = {
    "joinPrepared": "The player opens its document and takes the seat that was reserved for it.",
    "joined": "The server opens its document too. The seat is taken; now we wait for the other player.",
    "welcomeMessage": "The other player has come. We are team ONE: we play BLUE and RED.",
    "memento": "The first position: an empty board, and each colour has all its pieces.",
    "moveRequest": "Turn 0, BLUE: our move. The clock runs.",
    "SetMove": "We lay the start piece on the border.",
    "memento 1": "The position after our move, also to us. It is no request: the other player is asked now.",
    "memento 2": "The other player has moved YELLOW, and turn 2 is RED, which is ours:",
    "result": "The rules have ended the game. The last position came just before, and here is the result:",
    "left": "The room is over for us.",
    "/protocol": "So we close our document ...",
    "/protocol again": "... the server closes its own, and then the connection.",
}
_LIST = """\
So it goes on. The rest of the game, one line for each message; a position is given as its turn and
the move that led there:
"""


def conversation(messages: list[Message], end: State) -> str:
    """The page with the whole conversation."""
    mementos = [index for index, message in enumerate(messages) if message.kind == "memento"]
    first_listed = mementos[WHOLE_MEMENTOS]
    result = next(index for index, message in enumerate(messages) if message.kind == "result")
    page = [_INTRODUCTION, "## The beginning\n"]
    seen: set[str] = set()
    page += [_shown(message, seen) for message in messages[:first_listed]]
    page += ["## The game\n", _LIST, _fenced("text", "\n".join(map(_line, messages[first_listed:result])))]
    assert end.outcome is not None
    why = end.outcome.reason.text.en
    page += ["## The end\n", f"The last position: {why}.\n", _fenced("text", board(end))]
    page += [_shown(message, seen) for message in messages[result:]]
    return "\n".join(page)


def _shown(message: Message, seen: set[str]) -> str:
    """A message with who sent it, and a comment where there is something new to say."""
    again = f"memento {message.turn}" if message.kind == "memento" else f"{message.kind} again"
    key = next((key for key in (message.kind, again) if key in _COMMENTS and key not in seen), "")
    seen.add(key)
    sender = "**You send.**" if message.by_player else "**The server sends.**"
    comment = fill(f"{sender} {_COMMENTS.get(key, '')}".rstrip(), 100)
    opening = "<protocol>\n" if key in ("joinPrepared", "joined") else ""
    xml = abridged(message.xml, whole="blueShapes" if key == "memento" else "")
    return f"{comment}\n\n{_fenced('xml', opening + xml)}"


def _line(message: Message) -> str:
    sender = "you" if message.by_player else "server"
    move = _move(message.xml)
    if message.kind == "memento":
        move = f"turn {message.turn:2}, after {move}"
    return f"{sender:6}  {message.kind:11}  {move}".rstrip()


def _move(xml: str) -> str:
    """The move in a message in a few words, or nothing."""
    if skipped := re.search(r"<color>(\w+)</color>\s*</(?:data|lastMove)", xml):
        return f"{skipped[1]} passes"
    piece = re.search(r"<piece (.*?)>\s*<position (.*?)/>", xml)
    if piece is None:
        return ""
    color, kind, rotation, flipped = re.findall(r'"(\w+)"', piece[1])
    x, y = re.findall(r"\d+", piece[2])
    return f"{color} {kind} {rotation}{' flipped' if flipped == 'true' else ''} {x},{y}"


def abridged(xml: str, whole: str = "") -> str:
    """A message without its lists of pieces, but for the one that is called ``whole``."""
    return re.sub(
        r"<(\w+Shapes)>.*?</\1>",
        lambda found: found[0] if found[1] == whole else f"<{found[1]}>...</{found[1]}>",
        xml,
        flags=re.DOTALL,
    )


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```\n"


# --- Blokus drawn -----------------------------------------------------------------------------------------------------


def board(state: State) -> str:
    """The position in letters, with its coordinates."""
    tens = "    " + " ".join(str(x // 10) if x >= 10 else " " for x in range(20))
    units = "    " + " ".join(str(x % 10) for x in range(20)) + "   x"
    rows = [f" {y:2} {' '.join(row)}".rstrip() for y, row in enumerate(state.rows())]
    return "\n".join([tens, units, *rows, "  y"])


def _picture(cells: Cells) -> list[str]:
    """The rows of a piece in its bounding box."""
    width, height = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    return ["".join("#" if (x, y) in cells else "." for x in range(width)) for y in range(height)]


def _beside(pictures: Iterable[list[str]], widths: Iterable[int]) -> str:
    """Pictures in columns of these widths, their first rows side by side."""
    columns = [(picture, width) for picture, width in zip(pictures, widths, strict=True)]
    height = max(len(picture) for picture, _ in columns)
    rows = (
        "".join((picture[y] if y < len(picture) else "").ljust(width) for picture, width in columns)
        for y in range(height)
    )
    return "\n".join(row.rstrip() for row in rows)


def _cells(cells: Cells) -> str:
    return " ".join(f"{x},{y}" for x, y in cells)


def _pieces() -> str:
    table = ["| piece | squares | ways |", "|---|---|---|"]
    table += [f"| `{kind.name}` | {_cells(kind.cells)} | {len(ORIENTATIONS_OF[kind])} |" for kind in KINDS]
    rows = [KINDS[at : at + 7] for at in range(0, len(KINDS), 7)]
    drawn = [_beside([[kind.name, *_picture(kind.cells)] for kind in row], [9] * len(row)) for row in rows]
    return "\n".join(table) + "\n\n" + _fenced("text", "\n\n".join(drawn))


def _orientations() -> str:
    drawn = []
    for flipped in (False, True):
        names = [[f"{rotation.name}{' flipped' if flipped else ''}"] for rotation in Rotation]
        pictures = [_picture(turned(Kind.PENTO_P, rotation, flipped)) for rotation in Rotation]
        drawn.append(_beside([name + picture for name, picture in zip(names, pictures, strict=True)], [17] * 4))
    table = ["| rotation | squares | squares if flipped |", "|---|---|---|"]
    table += [
        f"| `{rotation.name}` | {' | '.join(_cells(turned(Kind.PENTO_P, rotation, flip)) for flip in (False, True))} |"
        for rotation in Rotation
    ]
    return _fenced("text", "\n\n".join(drawn)) + "\n" + "\n".join(table) + "\n"


def _board_part(end: State) -> str:
    return (
        "The last position of [the game on the next page](conversation-2027.md), as this package draws it:\n\n"
        "![A board of Blokus with its coordinates](board-2027.svg)\n\n"
        "The same with a letter for each colour:\n\n" + _fenced("text", board(end))
    )


def _state_part(messages: list[Message]) -> str:
    memento = next(message for message in messages if message.kind == "memento" and message.turn == 2)
    state = memento.xml[memento.xml.index("<state") : memento.xml.index("</state>")]
    return _fenced("xml", dedent(f"      {abridged(state)}</state>"))


# --- the pages --------------------------------------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """The content of every page that is made here, or has parts that are, by the name of its file."""
    messages, end = play()
    parts = {
        "board": _board_part(end),
        "pieces": _pieces(),
        "orientations": _orientations(),
        "state": _state_part(messages),
    }
    rules = (HERE / "blokus-2027.md").read_text(encoding="utf-8")
    for name, part in parts.items():
        start, stop = f"<!-- {name}: made by generate.py -->\n", "<!-- end -->"
        before, found, rest = rules.partition(start)
        assert found, f"blokus-2027.md has no mark {start!r}"
        rules = before + start + "\n" + part + "\n" + rest[rest.index(stop) :]
    return {
        "blokus-2027.md": rules,
        "board-2027.svg": GAME.draw(end, Look(theme="light")) + "\n",
        "conversation-2027.md": conversation(messages, end),
    }


def main() -> None:
    """Write the pages, or print the conversation as it is."""
    if sys.argv[1:] == ["--raw"]:
        for message in play()[0]:
            sys.stdout.write(f"<!-- {'client' if message.by_player else 'server'} -->\n{message.xml}\n")
        return
    for name, text in pages().items():
        (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
