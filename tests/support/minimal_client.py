"""A player of our own making that shares no code with the package: raw sockets, the standard XML, fixed moves.

It plays the moves of a game recorded from a reference server, in the dialect of its season. As a program:

    python minimal_client.py HOST PORT RESERVATION YEAR < moves.json

prints the result as JSON. What a test needs beyond that (slowness, garbage, vanishing) it does by hand on ``socket``.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterator
from typing import cast
from xml.etree import ElementTree


def move_xml(year: int, move: str) -> str:
    """A recorded move as the data element of its season."""
    if year == 2019:
        x, y, direction = move.split(",")
        return f'<data class="move" x="{x}" y="{y}" direction="{direction}"/>'
    if year == 2026:
        x, y, direction = move.split(",")
        return f'<data class="move"><from x="{x}" y="{y}"/><direction>{direction}</direction></data>'
    if year in (2022, 2023):
        *start, target = (square.split(",") for square in move.split(">"))  # A penguin that is placed has no start.
        came = "".join(f'<from x="{x}" y="{y}"/>' for x, y in start)
        return '<data class="move">{}<to x="{}" y="{}"/></data>'.format(came, *target)
    if year == 2025:
        name, *words = move.split()
        attribute = {"ADVANCE": "distance", "EXCHANGE": "amount"}.get(name)
        value = f' {attribute}="{words.pop(0)}"' if attribute else ""
        cards = "".join(f"<card>{card}</card>" for card in words)
        kind = {"EXCHANGE": "exchangecarrots"}.get(name, name.lower().replace("_", ""))
        return f'<data class="{kind}"{value}>{cards}</data>'
    color, kind, *rest = move.split()
    if kind == "SKIP":
        return f'<data class="sc.plugin{year}.SkipMove"><color>{color}</color></data>'
    rotation, flipped, (x, y) = rest[0], rest[1], rest[2].split(",")
    return (
        f'<data class="sc.plugin{year}.SetMove"><piece color="{color}" kind="{kind}" rotation="{rotation}" '
        f'isFlipped="{flipped}"><position x="{x}" y="{y}"/></piece></data>'
    )


def turn_of(state: ElementTree.Element) -> int:
    return int(state.attrib["turn"])


class MinimalClient:
    """One connection to a game master."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=60)
        self._parser: ElementTree.XMLPullParser[ElementTree.Element] = ElementTree.XMLPullParser(["start", "end"])
        self._depth = 0
        self.send("<protocol>")

    def send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def messages(self) -> Iterator[ElementTree.Element]:
        """What the server says, message by message, until it closes the connection."""
        while True:
            for event, element in cast("Iterator[tuple[str, ElementTree.Element]]", self._parser.read_events()):
                self._depth += 1 if event == "start" else -1
                if event == "end" and self._depth == 1:
                    yield element
            data = self.socket.recv(1 << 16)
            if not data:
                return
            self._parser.feed(data)

    def wait_for(self, *names: str) -> ElementTree.Element:
        """The next message that is, or carries data, of one of these names."""
        for message in self.messages():
            data = message.find("data")
            name = message.tag if data is None else data.attrib["class"].split(".")[-1]
            if name.lower() in names:
                return message
        raise ConnectionError(f"the server closed the connection before {names}")

    def play(self, year: int, moves: dict[int, str]) -> ElementTree.Element:
        """Play the move recorded for each turn; the result of the game."""
        turn = -1
        while True:
            message = self.wait_for("memento", "moverequest", "result")
            data = message.find("data")
            assert data is not None
            name = data.attrib["class"].split(".")[-1].lower()
            if name == "memento":
                state = data.find("state")
                assert state is not None
                turn = turn_of(state)
            elif name == "moverequest":
                self.send(f'<room roomId="{message.attrib["roomId"]}">{move_xml(year, moves[turn])}</room>')
            else:
                return data

    def close(self) -> None:
        self.socket.close()


def summary(result: ElementTree.Element) -> dict[str, object]:
    """Winner and points of a result, in whatever form the season writes it."""
    scores = [[int(part.text or "") for part in score.iter("part")] for score in result.iter("score")]
    winners = []
    for winner in result.findall("winner"):
        color = winner.find("color")
        name = winner.attrib.get("team") or winner.attrib.get("color") or (None if color is None else color.text)
        if name:
            winners.append({"RED": "ONE", "BLUE": "TWO"}.get(name, name))
    return {"winner": winners[0] if len(winners) == 1 else None, "scores": scores}


def main() -> None:
    host, port, reservation, year = sys.argv[1:]
    moves = {int(turn): move for turn, move in json.load(sys.stdin).items()}
    client = MinimalClient(host, int(port))
    client.send(f'<joinPrepared reservationCode="{reservation}"/>')
    result = client.play(int(year), moves)
    client.wait_for("left")
    client.send("</protocol>")
    print(json.dumps(summary(result)))


if __name__ == "__main__":
    main()
