"""Short ways to set up, play and name things in the tests of Blokus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from spielleiter import games
from spielleiter.games.blokus import Color, Move, Rules, Shape, State
from spielleiter.games.blokus.board import board_of
from spielleiter.games.blokus.rules import ALL_IN, RULE_SETS, Four
from spielleiter.records.reference import read_recorded_games

RULES: dict[str, Rules] = {rules.key: rules for rules in RULE_SETS}
KEYS = tuple(RULES)


def start(key: str = "blokus-2021", kind: Shape = Shape.PENTO_V) -> State:
    return State.begin(RULES[key], kind)


def move(state: State, text: str) -> Move:
    found: Move = games.load(state.rules.key).notation.parse_move(state, text)
    return found


def play(state: State, *moves: str) -> State:
    for text in moves:
        state = state.play(move(state, text))
    return state


def in_corners(key: str = "blokus-2021") -> State:
    """All colours have laid their first piece: blue upper left, then clockwise yellow, red, green."""
    return play(start(key), "B PENTO_V RIGHT 0,0", "Y PENTO_V MIRROR 17,0", "R PENTO_V LEFT 17,17", "G PENTO_V 0,17")


def hand_of(*kinds: Shape) -> int:
    return sum(1 << kind for kind in kinds)


NOTHING = hand_of()
MONO = hand_of(Shape.MONO)
DOMINO = hand_of(Shape.DOMINO)


def late(turn: int, hands: Four, key: str = "blokus-2021", still_in: int = ALL_IN, mono: int = 0) -> State:
    """A late position with an almost empty board: the first pieces lie, the hands are as told."""
    return State(RULES[key], Shape.PENTO_V, in_corners().boards, hands, turn, still_in, mono)


def with_board(state: State, color: Color, *cells: tuple[int, int]) -> State:
    """The same position, but ``color`` covers exactly these squares."""
    boards = list(state.boards)
    boards[color] = board_of(list(cells))
    blue, yellow, red, green = boards
    four = (blue, yellow, red, green)
    return State(state.rules, state.start, four, state.hands, state.turn, state.still_in, state.mono)


# --- recorded games -------------------------------------------------------------------------------------

GOLDEN = Path(__file__).parents[1] / "data" / "golden"


def recorded(year: int) -> Iterator[Mapping[str, Any]]:
    for game in read_recorded_games(GOLDEN / f"blokus-{year}.jsonl.gz"):
        yield game.data


def states(key: str, data: Mapping[str, Any]) -> list[State]:
    """The positions of a recorded game, until it ends by the rule set ``key``."""
    recordings = games.load(key).recordings
    found: list[State] = [recordings.start(data)]
    for text in data["moves"]:
        if found[-1].outcome is not None:
            break
        found.append(found[-1].play(recordings.move(found[-1], text)))
    return found
