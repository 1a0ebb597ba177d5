"""Makes the parts of the protocol pages that come from the program itself; ``--raw KEY`` prints a game as it was sent.

    python docs/protocol/generate.py

For every season a real game: two built-in random players on a game master, and a tap on the connection of ONE.
Chance is seeded, and room and reservation, which the game master draws, are replaced by fixed ones: so it is the same
game each time, and a test can keep the pages equal to what is made here. A season needs a page of the name of its key;
what stands there between marks is made here.
"""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from textwrap import dedent, fill
from typing import Any

from drawn import coordinates, fenced, orientations, pieces

from spielleiter import games
from spielleiter.client import ClientSettings, play_async
from spielleiter.game import AnyGame, Look, Team
from spielleiter.players import RandomPlayer
from spielleiter.server import GameMaster, MasterSettings

HERE = Path(__file__).parent
SEASONS = [game for game in games.all_games().values() if not game.official]
ROOM = "5a3c1f0e-{year}-4b10-8c05-000000000001"
RESERVATION = "c0de0001-{year}-4b10-8c05-00000000ada1"
WHOLE_MEMENTOS = 3
"""So many positions of the conversation are shown message by message, before the rest becomes a list."""
MAX_LINES = 14
"""Longer lists are shown by their first and last element."""


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

    @property
    def state(self) -> str:
        """The state in a memento."""
        return "      " + self.xml[self.xml.index("<state") : self.xml.index("</state>")] + "</state>"


@dataclass(frozen=True, slots=True)
class Conversation:
    """What ONE and the game master said in one game, and the last position."""

    game: AnyGame
    messages: list[Message]
    start: Any
    end: Any


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
        for by_player, heard in groupby(self._heard, key=lambda piece: piece[0]):
            said = b"".join(data for _, data in heard).decode()
            # A message begins on a line of its own, at the first level of indentation.
            parts = re.split(r"\n(?=  <\w|</protocol>)", said)
            found += [Message(by_player, xml) for xml in parts if xml not in ("", "<protocol>")]
        return found


async def _play(game: AnyGame) -> Conversation:
    start = game.new_state(Random(game.year))
    async with GameMaster(MasterSettings(port=0, language="en", timeouts=False)) as master:
        room = master.open_room(game, names=("Ada", "Bob"), start=start)
        tap = Tap(master.address)
        async with await asyncio.start_server(tap.serve, "127.0.0.1", 0) as tapped:
            addresses = (tapped.sockets[0].getsockname(), master.address)
            async with asyncio.TaskGroup() as group:
                for team, (host, port) in zip(Team, addresses, strict=True):
                    settings = ClientSettings(host=host, port=port, reservation=room.codes[team])
                    group.create_task(play_async(RandomPlayer(game.year + team), settings))
            ended = await room.ended
    fixed = {room.room_id: ROOM.format(year=game.year), room.codes[Team.ONE]: RESERVATION.format(year=game.year)}
    names = re.compile("|".join(fixed))
    messages = [Message(said.by_player, names.sub(lambda name: fixed[name[0]], said.xml)) for said in tap.messages()]
    return Conversation(game, messages, start, ended.state)


def play(game: AnyGame) -> Conversation:
    """The conversation of ONE with the game master, from the first message to the last."""
    return asyncio.run(_play(game))


# --- the conversation as a page ---------------------------------------------------------------------------------------

_INTRODUCTION = """\
# A whole conversation: {title}

<!-- made by generate.py -->

A real game between two players that choose at random, on our game master, as player ONE saw it. It
is made by [generate.py](generate.py), and a test keeps it true. Only the reservation code and the
room id, which differ in each game, were replaced. What the words mean: [messages.md](messages.md)
and [{key}.md]({key}.md).

After the first position `...` in the XML stands for list elements that are left out; everything
else is as it was sent. All of it without a gap, good test data for your parser:
`python docs/protocol/generate.py --raw {key}`
"""

_COMMENTS = {
    "joinPrepared": "The player opens its document and takes the seat that was reserved for it.",
    "joined": "The server opens its document too. The seat is taken; now we wait for the other player.",
    "welcomeMessage": "The other player has come. We are team ONE: {team}.",
    "memento": "The first position, whole.",
    "request": "Turn 0: our move. The clock runs.",
    "move": "Our first move.",
    "memento 1": "The position after our move, also to us. It is no request: the other player is asked now.",
    "memento 2": "The other player has moved, and turn 2 is ours:",
    "result": "The rules have ended the game. The last position came just before, and here is the result:",
    "left": "The room is over for us.",
    "/protocol": "So we close our document ...",
    "/protocol again": "... the server closes its own, and then the connection.",
}
_JOINED_TOGETHER = "The server opens its document too. In this season it does so when both players are there."
_LIST = """\
So it goes on. The rest of the game, one line for each message; a position is given as its turn and
the move that led there, a move as the values in its XML:
"""


def conversation(said: Conversation) -> str:
    """The page with the whole conversation."""
    game, messages = said.game, said.messages
    comments = _COMMENTS | ({"joined": _JOINED_TOGETHER} if game.codec.dialect.joins_together else {})
    comments = {key: text.format(team=game.team_name(Team.ONE).en) for key, text in comments.items()}
    mementos = [index for index, message in enumerate(messages) if message.kind == "memento"]
    first_listed = mementos[WHOLE_MEMENTOS]
    result = next(index for index, message in enumerate(messages) if message.kind == "result")
    page = [_INTRODUCTION.format(title=game.title.en, key=game.key), "## The beginning\n"]
    page += [_shown(message, comments) for message in messages[:first_listed]]
    listed = "\n".join(map(_line, messages[first_listed:result]))
    page += ["## The game\n", _LIST, fenced("text", listed)]
    page += ["## The end\n", "The last position:\n", fenced("text", game.draw_text(said.end, False))]
    page += [_shown(message, comments) for message in messages[result:]]
    return "\n".join(page)


def _shown(message: Message, comments: dict[str, str]) -> str:
    """A message with who sent it, and a comment where there is something new to say; each is said once."""
    kind = "request" if message.kind.lower() == "moverequest" else "move" if _is_move(message) else message.kind
    again = f"memento {message.turn}" if kind == "memento" else f"{kind} again"
    key = next((key for key in (kind, again) if key in comments), "")
    sender = "**You send.**" if message.by_player else "**The server sends.**"
    comment = fill(f"{sender} {comments.pop(key, '')}".rstrip(), 100)
    opening = "<protocol>\n" if key in ("joinPrepared", "joined") else ""
    xml = message.xml if key == "memento" else abridged(message.xml)
    return f"{comment}\n\n{fenced('xml', opening + xml)}"


def _is_move(message: Message) -> bool:
    return message.by_player and "<data" in message.xml


def _line(message: Message) -> str:
    sender, move = "you" if message.by_player else "server", ""
    if message.kind == "memento":
        kind = re.search(r'<lastMove class="(?!move")(\w+)"', message.xml)  # A season may have several kinds of moves.
        move = f"turn {message.turn:2}, after {kind[1] + ' ' if kind else ''}{_words('lastMove', message.xml)}"
    elif _is_move(message):
        move = _words("data", message.xml)
    return f"{sender:6}  {message.kind:11}  {move}".rstrip()


def _words(element: str, xml: str) -> str:
    """The values in the move that an element of this name holds, in their order."""
    move = re.findall(rf"<{element}[^>]*/>|<{element}.*?</{element}>", xml, re.DOTALL)[0]
    found = re.findall(r'x="(\d+)" y="(\d+)"|(?<!class)="(-?\w+)"|>(\w+)<', move)
    return " ".join(f"{x},{y}" if x else attribute or text for x, y, attribute, text in found)


def abridged(xml: str) -> str:
    """A message without the middle of long lists."""
    return "\n".join(_abridged(xml.splitlines()))


def _abridged(lines: list[str]) -> list[str]:
    """Lines of elements that lie side by side, each with its end at the same indentation as its beginning."""
    short: list[str] = []
    for element in _elements(lines):
        body = element[1:-1]
        children = _elements(body)
        names = {re.findall(r"\w+", child[0])[0] for child in children}
        if len(body) > MAX_LINES and len(children) > 2 and len(names) == 1:
            indent = " " * _indent(body[0])
            body = [*children[0], f"{indent}...", *children[-1]]
        elif body:
            body = _abridged(body)
        short += [element[0], *body, element[-1]] if len(element) > 1 else element
    return short


def _elements(lines: list[str]) -> list[list[str]]:
    """The lines of each element; its end is the next line that is not farther in."""
    found: list[list[str]] = []
    for line in lines:
        if found and (_indent(line) > _indent(found[-1][0]) or line.lstrip().startswith("</")):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


# --- parts of the pages of the games ----------------------------------------------------------------------------------


def _board_part(said: Conversation) -> str:
    year = said.game.year
    return (
        f"The last position of [the conversation of this season](conversation-{year}.md), as this package\n"
        f"draws it:\n\n![A board of {said.game.title.en} with its coordinates](board-{year}.svg)\n\n"
        "The same with a letter for each colour:\n\n" + fenced("text", said.game.draw_text(said.end, False))
    )


def _coordinates_part(said: Conversation) -> str:
    return f"![The squares with their x,y; where each team starts](coordinates-{said.game.year}.svg)\n"


def _state_part(said: Conversation) -> str:
    state = next(message.state for message in said.messages if message.kind == "memento" and message.turn == 2)
    return fenced("xml", dedent(abridged(state)))


def _move_part(said: Conversation) -> str:
    move = next(message.xml for message in said.messages if _is_move(message))
    return fenced("xml", re.sub('roomId="[^"]*"', 'roomId="R"', dedent(move)))


def _part(name: str, said: Conversation) -> str:
    match name:
        case "pieces":
            return pieces()
        case "orientations":
            return orientations()
        case "board":
            return _board_part(said)
        case "coordinates":
            return _coordinates_part(said)
        case "state":
            return _state_part(said)
        case "move":
            return _move_part(said)
    raise ValueError(f"there is no part called {name}")


# --- the conversation of an administrator -----------------------------------------------------------------------------

_PASSWORD = "secret"
_ADMINISTRATION = """\
# A conversation of an administrator

<!-- made by generate.py -->

A program that opens a room for two players, watches it, lets them move one by one and ends it, on
our game master with the password "{password}". It is made by [generate.py](generate.py), and a test
keeps it true. The room id and the codes, which differ in each game, are called ROOM and CODE;
`...` stands for list elements that are left out. What the words mean:
[messages.md](messages.md#administration-and-observing).
"""
_STEPS = (
    ("The document is opened, and a password is tried that is wrong. The connection stays open.",
     '<protocol>\n  <authenticate password="guess"/>', "</errorpacket>"),
    ("The right password has no answer. A room is prepared, paused, with a seat for each player.",
     f'  <authenticate password="{_PASSWORD}"/>\n'
     '  <prepare gameType="swc_2027_blokus" pause="true">\n'
     '    <slot displayName="Ada" canTimeout="true" reserved="true"/>\n'
     '    <slot displayName="Bob" canTimeout="true" reserved="true"/>\n  </prepare>', "</prepared>"),
    ("We want to see the game. Then the codes go to the players, who join with them; we learn of it by the first "
     "position, which comes to us although the game is paused.", '  <observe roomId="ROOM"/>', 'turn="0".*</room>'),
    ("One move, please. Now the position goes to all, the player to move is asked, and we see "
     "where that leads.",
     '  <step roomId="ROOM"/>', 'turn="1".*</room>'),
    ("That is enough: the room is ended. Nobody has won, and the result is not regular.",
     '  <cancel roomId="ROOM"/>', "<left"),
    ("The end.", "</protocol>", "</protocol>"),
)  # fmt: skip
"""For each step why it is done, what is sent, and what the last message of the answer looks like."""


async def _administrate() -> str:
    game = games.load("blokus-2027")
    start = game, game.new_state(Random(game.year))
    settings = MasterSettings(port=0, language="en", timeouts=False, password=_PASSWORD)
    page = [_ADMINISTRATION.format(password=_PASSWORD)]
    room, codes = "", [""]
    async with GameMaster(settings, start=start) as master, asyncio.TaskGroup() as players:
        host, port = master.address
        reader, writer = await asyncio.open_connection(host, port)
        for why, sent, last in _STEPS:
            writer.write(sent.replace("ROOM", room).encode())
            if "<observe" in sent:
                for seed, code in enumerate(codes, game.year):
                    player = ClientSettings(host=host, port=port, reservation=code)
                    players.create_task(play_async(RandomPlayer(seed), player))
            heard = ""
            while not re.search(last, heard, re.DOTALL):
                heard += (await reader.read(1 << 16)).decode()
            if "<prepare" in sent:
                room, codes = re.findall('roomId="(.*?)"', heard)[0], re.findall("<reservation>(.*?)<", heard)
            page += [fill(f"**You send.** {why}", 100) + "\n", fenced("xml", sent)]
            page += ["**The server sends.**\n", fenced("xml", abridged(heard.lstrip("\n")))]
        writer.close()
    text = "\n".join(page).replace(codes[0], "CODE-OF-ADA").replace(codes[1], "CODE-OF-BOB")
    return text.replace(room, "ROOM")


def administration() -> str:
    """The page with the conversation of an administrator."""
    return asyncio.run(_administrate())


# --- the pages --------------------------------------------------------------------------------------------------------


def pages(game: AnyGame) -> dict[str, str]:
    """The content of every page of a season that is made here, or has parts that are, by the name of its file."""
    said = play(game)
    text = (HERE / f"{game.key}.md").read_text(encoding="utf-8")
    text = re.sub(
        r"(<!-- (\w+): made by generate.py -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}\n{_part(found[2], said)}\n{found[3]}",
        text,
        flags=re.DOTALL,
    )
    made = {f"{game.key}.md": text, f"conversation-{game.year}.md": conversation(said)}
    if "](board-" in text:
        made[f"board-{game.year}.svg"] = game.draw(said.end, Look(theme="light")) + "\n"
    if "](coordinates-" in text:
        made[f"coordinates-{game.year}.svg"] = coordinates(said.start)
    return made


def main() -> None:
    """Write the pages, or print a conversation as it is."""
    if sys.argv[1:2] == ["--raw"]:
        for message in play(games.load(sys.argv[2])).messages:
            sys.stdout.write(f"<!-- {'client' if message.by_player else 'server'} -->\n{message.xml}\n")
        return
    (HERE / "administration.md").write_text(administration(), encoding="utf-8")
    for game in SEASONS:
        for name, text in pages(game).items():
            (HERE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
