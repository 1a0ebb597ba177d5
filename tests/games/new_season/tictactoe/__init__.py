"""Tic-tac-toe as next year's game: the recipe of CONTRIBUTING.md, followed to the letter in one small folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from spielleiter.errors import IllegalMove, NotationError
from spielleiter.game import (
    TEAMS,
    Dialect,
    Element,
    End,
    Game,
    Illustration,
    Language,
    Lesson,
    Look,
    MoveQuestion,
    Outcome,
    Plane,
    ScorePart,
    Section,
    SelfDrawing,
    Team,
    Text,
    Violation,
    victory_points,
)
from spielleiter.game.drawing import Grid, Picture, paint
from spielleiter.game.encoding import bits

KEY = "tictactoe-2028"
FULL = 0b111_111_111
LINES = (0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100)


class TicTacToeViolation(Violation):
    GAME_OVER = Text("Das Spiel ist zu Ende.", "The game is over.")
    OFF_BOARD = Text("Das Feld gibt es nicht.", "There is no such square.")
    TAKEN = Text("Das Feld ist besetzt.", "The square is taken.")


class TicTacToeEnd(End):
    LINE = Text("drei in einer Reihe", "three in a row")
    FULL = Text("kein Feld mehr frei", "no square left")


@dataclass(frozen=True, slots=True)
class Rules:
    key: str = KEY


@dataclass(frozen=True, slots=True)
class Mark:
    x: int
    y: int

    @property
    def bit(self) -> int:
        return 1 << 3 * self.y + self.x if self.x in range(3) and self.y in range(3) else 0


MARKS = tuple(Mark(x, y) for y in range(3) for x in range(3))


@dataclass(frozen=True, slots=True)
class State(SelfDrawing):
    one: int = 0
    two: int = 0
    rules: Rules = Rules()
    last_move: Mark | None = field(default=None, compare=False)

    @property
    def turn(self) -> int:
        return (self.one | self.two).bit_count()

    @property
    def to_move(self) -> Team:
        return TEAMS[self.turn % 2]

    @property
    def outcome(self) -> Outcome | None:
        for team, marks in zip(TEAMS, (self.one, self.two), strict=True):
            if any(marks & line == line for line in LINES):
                return Outcome(team, TicTacToeEnd.LINE)
        return Outcome(None, TicTacToeEnd.FULL) if self.one | self.two == FULL else None

    def legal_moves(self) -> tuple[Mark, ...]:
        if self.outcome is not None:
            return ()
        return tuple(mark for mark in MARKS if not mark.bit & (self.one | self.two))

    def violation(self, move: Mark) -> TicTacToeViolation | None:
        if self.outcome is not None:
            return TicTacToeViolation.GAME_OVER
        if not move.bit:
            return TicTacToeViolation.OFF_BOARD
        return TicTacToeViolation.TAKEN if move.bit & (self.one | self.two) else None

    def play(self, move: Mark) -> Self:
        if (reason := self.violation(move)) is not None:
            raise IllegalMove(reason, move)
        return self.play_unchecked(move)

    def play_unchecked(self, move: Mark) -> Self:
        if self.turn % 2:
            return type(self)(self.one, self.two | move.bit, self.rules, move)
        return type(self)(self.one | move.bit, self.two, self.rules, move)

    def points(self, team: Team) -> tuple[int, ...]:
        return (victory_points(self.outcome, team),)


class Notation:
    def format_state(self, state: State) -> str:
        return f"{KEY} {''.join('XO.'[self._at(state, mark.bit)] for mark in MARKS)}"

    def _at(self, state: State, bit: int) -> int:
        return 0 if state.one & bit else 1 if state.two & bit else 2

    def parse_state(self, text: str) -> State:
        found = re.fullmatch(rf"\s*{KEY}\s+([XO.]{{9}})\s*", text, re.ASCII)
        if found is None or found[1].count("X") - found[1].count("O") not in (0, 1):
            raise NotationError(
                f"erwartet: {KEY} und neun aus X, O und .", f"expected {KEY} and nine of X, O and .", text
            )
        one, two = (sum(m.bit for m, c in zip(MARKS, found[1], strict=True) if c == letter) for letter in "XO")
        return State(one, two)

    def format_move(self, state: State, move: Mark) -> str:
        return f"{move.x},{move.y}"

    def parse_move(self, state: State, text: str) -> Mark:
        found = re.fullmatch(r"\s*(-?\d{1,3}),(-?\d{1,3})\s*", text, re.ASCII)
        if found is None:
            raise NotationError("erwartet: x,y", "expected x,y", text)
        return Mark(int(found[1]), int(found[2]))


class Recordings:
    def start(self, game: Mapping[str, Any]) -> State:
        return State()

    def move(self, state: State, text: str) -> Mark:
        x, y = text.split(",")
        return Mark(int(x), int(y))

    def canonical_moves(self, state: State) -> list[str]:
        return [f"{mark.x},{mark.y}" for mark in state.legal_moves()]

    def end(self, state: State) -> dict[str, Any]:
        return {}


class Codec:
    dialect = Dialect()

    def state_writer(self, names: tuple[str, str]) -> Any:
        def write(state: State, hints: Sequence[str]) -> str:
            return f'\n      <state class="state" turn="{state.turn}" one="{state.one}" two="{state.two}"/>'

        return write

    def read_state(self, state: Element) -> State:
        return State(state.integer("one"), state.integer("two"))

    def write_move(self, move: Mark, hints: Sequence[str] = ()) -> str:
        return f'\n    <data class="move" x="{move.x}" y="{move.y}"/>'

    def read_move(self, data: Element) -> Mark:
        return Mark(data.integer("x"), data.integer("y"))


class Encoding:
    planes = (Plane("own marks"), Plane("the opponent's marks"))
    size = (3, 3)
    actions = 9

    def observe(self, state: State, team: Team) -> bytes:
        marks = (state.one, state.two)
        return bits(marks[team], 9) + bits(marks[team.opponent], 9)

    def action(self, state: State, move: Mark) -> int:
        return 3 * move.y + move.x

    def move(self, state: State, action: int) -> Mark:
        return MARKS[action]


def draw(state: State, look: Look) -> str:
    picture = Picture(Grid(3, 3, look, up=False), {"line": ("#333333", "#cccccc")}, KEY)
    for mark in MARKS:
        picture.square((mark.x, mark.y), "paper")
        letter = "X" if state.one & mark.bit else "O" if state.two & mark.bit else ""
        picture.label(picture.grid.centre((mark.x, mark.y)), letter, "line", size=0.8)
    picture.coordinates("012", "012")
    picture.highlights_and_arrows()
    return picture.svg()


def draw_text(state: State, colored: bool, language: Language = "en") -> str:
    letters = Notation().format_state(state).split()[1]
    return "\n".join(paint(letters[row : row + 3], "1", colored) for row in (0, 3, 6))


def lesson() -> Lesson[State, Mark]:
    almost = Notation().parse_state(f"{KEY} XX.OO....")

    def shortfall(state: State, move: Mark) -> Text | None:
        won = state.play_unchecked(move).outcome is not None
        return None if won else Text("Das sind keine drei.", "These are not three.")

    question: MoveQuestion[State, Mark] = MoveQuestion(
        title=Text("Drei in einer Reihe", "Three in a row"),
        task=Text("Du bist Kreuz: Gewinne!", "You are Cross: win!"),
        hint=Text("Schau in die oberste Reihe.", "Look at the top row."),
        praise=Text("Gewonnen!", "You win!"),
        state=almost,
        shortfall=shortfall,
    )
    text = Text("Wer drei in einer Reihe hat, gewinnt.", "Three in a row win.")
    picture = Illustration(almost, Text("Kreuz ist am Zug.", "Cross is to move."))
    return Lesson(text, (Section(Text("Regeln", "Rules"), text, (picture,), (question,)),))


State.draw_with(draw, draw_text)
GAMES = (
    Game(
        key=KEY,
        wire_name="swc_2028_tictactoe",
        year=2028,
        title=Text("Drei gewinnt", "Tic-tac-toe"),
        teams=(Text("Kreuz", "Cross"), Text("Kreis", "Nought")),
        new_state=lambda rng: State(),
        notation=Notation(),
        recordings=Recordings(),
        codec=Codec(),
        encoding=Encoding(),
        scores=(ScorePart("Siegpunkte", Text("Siegpunkte", "victory points"), "SUM"),),
        draw=draw,
        draw_text=draw_text,
        garbage_move=lambda rng: Mark(rng.randrange(-1, 4), rng.randrange(-1, 4)),
        lesson=lesson,
    ),
)
