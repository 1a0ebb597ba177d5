"""What people learn of a game: its rules in words and pictures, and questions that the rules themselves answer.

Texts are Markdown of the simplest kind (paragraphs, lists, ``**bold**``), so that pages, terminal and documentation
show the same ones. The laws of a lesson are in ``conformance.check_lesson``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from inspect import cleandoc
from typing import Any, Generic

from spielleiter.game.board_input import BoardInput
from spielleiter.game.drawing import Arrow, Highlight, Look, Square
from spielleiter.game.outcome import TEAMS
from spielleiter.game.result import Ranking
from spielleiter.game.state import GameState, MoveT, StateT
from spielleiter.game.timing import Limits
from spielleiter.text import Text


@dataclass(frozen=True, slots=True)
class Illustration(Generic[StateT]):
    """A position that shows what a text says; the caption says it too, for those who do not see the picture."""

    state: StateT
    caption: Text
    look: Look = field(default_factory=Look)
    draw: Callable[[StateT, Look], str] | None = None
    """Draws something else than the board, such as the pieces beside it."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The reply to the answer to a question."""

    is_right: bool
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question(Generic[StateT]):
    title: Text
    task: Text
    hint: Text
    """Help for pupils who are stuck: where to look, not what to answer."""
    praise: Text
    """What a right answer shows about the rules."""
    state: StateT
    look: Look = field(default_factory=Look)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveQuestion(_Question[StateT], Generic[StateT, MoveT]):
    """Find a move that reaches a goal."""

    shortfall: Callable[[StateT, MoveT], Text | None]
    """How a legal move falls short of the goal, or ``None`` if it reaches it."""

    def solutions(self) -> list[MoveT]:
        """The legal moves that reach the goal."""
        return [move for move in self.state.legal_moves() if self.shortfall(self.state, move) is None]

    def check(self, move: MoveT) -> Feedback:
        """The reply to ``move``, legal or not."""
        violation = self.state.violation(move)
        wrong = self.shortfall(self.state, move) if violation is None else violation.text
        return Feedback(True, self.praise) if wrong is None else Feedback(False, wrong)


@dataclass(frozen=True, slots=True, kw_only=True)
class SquaresQuestion(_Question[StateT]):
    """Choose all the squares that something is true of."""

    answer: Callable[[StateT], Iterable[Square]]
    why_not: Callable[[StateT, Square], Text]
    """Why a square does not belong to the answer."""

    def solution(self) -> frozenset[Square]:
        """The squares to choose."""
        return frozenset(self.answer(self.state))

    def check(self, chosen: Collection[Square]) -> Feedback:
        """The reply to a choice of these squares."""
        solution = self.solution()
        for square in chosen:
            if square not in solution:
                return Feedback(False, self.why_not(self.state, square))
        match len(solution - set(chosen)):
            case 0:
                return Feedback(True, self.praise)
            case 1:
                return Feedback(False, Text("Ein Feld fehlt noch.", "One square is still missing."))
            case missing:
                return Feedback(
                    False, Text(f"Es fehlen noch {missing} Felder.", f"{missing} squares are still missing.")
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuestion(_Question[StateT]):
    """Choose the one right answer."""

    options: tuple[tuple[Text, Text], ...]
    """Each option, and the reply to it where it is wrong."""
    answer: Callable[[StateT], int]
    """The index of the right one."""

    def solution(self) -> int:
        return self.answer(self.state)

    def check(self, chosen: int) -> Feedback:
        """The reply to a choice of this option."""
        return Feedback(True, self.praise) if chosen == self.solution() else Feedback(False, self.options[chosen][1])


Question = MoveQuestion[StateT, MoveT] | SquaresQuestion[StateT] | ChoiceQuestion[StateT]
AnyQuestion = MoveQuestion[Any, Any] | SquaresQuestion[Any] | ChoiceQuestion[Any]


@dataclass(frozen=True, slots=True)
class Section(Generic[StateT, MoveT]):
    """A part of the rules under a heading of its own, with what it leads to in practice."""

    title: Text
    text: Text
    illustrations: tuple[Illustration[StateT], ...] = ()
    questions: tuple[Question[StateT, MoveT], ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson(Generic[StateT, MoveT]):
    """The rules of one rule set, to be read and tried out."""

    summary: Text
    """The short form, for those who have forgotten something in the middle of a game."""
    sections: tuple[Section[StateT, MoveT], ...]

    @property
    def questions(self) -> tuple[Question[StateT, MoveT], ...]:
        return tuple(question for section in self.sections for question in section.questions)


def framed(squares: Iterable[Square], *arrows: Arrow) -> Look:
    """A picture with these squares in frames, and arrows."""
    return Look(highlights=tuple(map(Highlight, squares)), arrows=arrows)


def refusal_from(board_input: BoardInput[StateT, MoveT], start: Square) -> Callable[[StateT, Square], Text]:
    """Why the piece on ``start`` cannot go to a square, beginning with the name of that square."""

    def why_not(state: StateT, square: Square) -> Text:
        name, reason = board_input.square_name(square), board_input.refusal(state, (start, square))
        return Text(f"{name}: {reason.de}", f"{name}: {reason.en}")

    return why_not


def winner_index(state: GameState[Any]) -> int:
    """The answer to who wins a finished game: ONE, TWO, or nobody."""
    assert state.outcome is not None
    return len(TEAMS) if state.outcome.winner is None else int(state.outcome.winner)


def prose(de: str, en: str) -> Text:
    """A text as its source shows it, in indented lines that the reader's screen breaks anew."""
    return Text(cleandoc(de), cleandoc(en))


def contest_section(limits: Limits, ranking: Ranking, tie_break: Text) -> Section[Any, Any]:
    """What holds for every game of the contest: points, time and forfeits; ``tie_break`` is the second criterion."""
    soft, hard = f"{limits.soft:g}", f"{limits.hard:g}"
    first = ranking.criteria[0].text
    return Section(
        Text("Im Wettbewerb", "In the contest"),
        prose(
            f"""
            Im Wettbewerb spielen Computerprogramme gegeneinander. Für sie gilt zusätzlich:

            - **Wertung:** Ein Sieg bringt 2 Siegpunkte, ein Unentschieden 1, eine Niederlage 0. In der Tabelle zählen
              zuerst die {first.de}; bei gleich vielen entscheidet {tie_break.de}.
            - **Zeit:** Jeder Zug muss nach höchstens {soft} Sekunden da sein. Wer später zieht, hat verloren, auch
              wenn der Zug gut war. Wer nach {hard} Sekunden noch gar nicht geantwortet hat, hat ebenfalls verloren.
            - **Regelverstoß:** Ein ungültiger Zug verliert die Partie sofort; auch einer, nach dem niemand gefragt hat.
            - **Abbruch:** Wer das Spiel verlässt oder abstürzt, hat verloren.

            Wer so verliert, bekommt 0 Punkte und der Gegner 2, ganz gleich, wie es auf dem Spielfeld stand. Wenn du
            selbst im Browser spielst, hast du so viel Zeit, wie du willst, und ein ungültiger Zug wird nur
            zurückgewiesen.
            """,
            f"""
            In the contest, computer programs play each other. Some more rules apply to them:

            - **Ranking:** A win is worth 2 victory points, a draw 1, a loss 0. Teams are ranked by their {first.en};
              if those are equal, by {tie_break.en}.
            - **Time:** Every move must arrive within {soft} seconds. A later move loses the game, however good it was.
              A player that has not answered at all after {hard} seconds has lost, too.
            - **Breaking a rule:** An illegal move loses the game at once; so does one without a request.
            - **Leaving:** A player that leaves or crashes has lost.

            Whoever loses like this gets 0 points and the opponent 2, whatever the board looked like. When you play in
            the browser yourself, you have all the time you want, and an illegal move is simply refused.
            """,
        ),
    )
