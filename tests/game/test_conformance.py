"""The laws themselves: a game that breaks one must be caught. Each breach is made by a wrapper around a real game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.errors import LawBroken
from spielleiter.game import AnyGame, Lesson, Outcome, Section, Team, Text, conformance
from spielleiter.game.conformance import check_lesson, check_random_game, check_start
from spielleiter.games.piranhas import PiranhasEnd, PiranhasViolation
from spielleiter.games.piranhas.encoding import PiranhasEncoding
from spielleiter.games.piranhas.rules import PIRANHAS_2019

REAL: AnyGame = games.load("piranhas-2019")


class Bent:
    """A real state of which one attribute is replaced by something wrong."""

    def __init__(self, state: Any, bends: dict[str, Callable[[Any], Any]]) -> None:
        self._state, self._bends = state, bends

    def __getattr__(self, name: str) -> Any:
        if name in self._bends:
            return self._bends[name](self._state)
        return getattr(self._state, name)

    def play(self, move: Any) -> Any:
        return Bent(
            self._bends["play"](self._state)(move) if "play" in self._bends else self._state.play(move), self._bends
        )

    def play_unchecked(self, move: Any) -> Any:
        bent = self._bends.get("play_unchecked")
        return Bent(bent(self._state)(move) if bent else self._state.play_unchecked(move), self._bends)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bent) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


class BentNotation:
    def __init__(self, bends: dict[str, Callable[[Any], Any]]) -> None:
        self._bends = bends

    def format_state(self, state: Any) -> str:
        return REAL.notation.format_state(state._state)

    def parse_state(self, text: str) -> Any:
        return Bent(REAL.notation.parse_state(text), self._bends)

    def format_move(self, state: Any, move: Any) -> str:
        return REAL.notation.format_move(state._state, move)

    def parse_move(self, state: Any, text: str) -> Any:
        return REAL.notation.parse_move(state._state, text)


def bent_game(**bends: Callable[[Any], Any]) -> AnyGame:
    return replace(REAL, new_state=lambda rng: Bent(REAL.new_state(rng), bends), notation=BentNotation(bends))


def test_a_game_without_a_bend_keeps_the_laws() -> None:
    assert check_random_game(bent_game(), 1) > 10


@pytest.mark.parametrize(
    ("law", "bends"),
    [
        ("over exactly", {"outcome": lambda state: Outcome(Team.ONE, PiranhasEnd.UNITED)}),
        ("twice", {"legal_moves": lambda state: lambda: state.legal_moves() + state.legal_moves()[:1]}),
        ("not listed", {"legal_moves": lambda state: lambda: state.legal_moves()[:1]}),
        ("breaks", {"violation": lambda state: lambda move: PiranhasViolation.NO_FISH}),
        ("parts promised", {"points": lambda state: lambda team: (0,)}),
        ("victory points", {"points": lambda state: lambda team: (2, 3)}),
        ("checked and unchecked", {"play_unchecked": lambda state: lambda _: state.play(state.legal_moves()[0])}),
        ("turn does not grow", {"turn": lambda state: 5}),
        ("last move", {"last_move": lambda state: None}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_each_broken_law_is_caught(law: str, bends: dict[str, Callable[[Any], Any]]) -> None:
    with pytest.raises(LawBroken, match=law):
        check_random_game(bent_game(**bends), 3)


class BentEncoding(PiranhasEncoding):
    """The encoding of a real game, with one number for all moves."""

    def __init__(self, number: int) -> None:
        super().__init__(PIRANHAS_2019)
        self._number = number

    def action(self, state: Any, move: Any) -> int:
        return self._number


@pytest.mark.parametrize(("number", "law"), [(-1, "is none"), (800, "is none"), (7, "does not come back from number")])
def test_a_move_without_a_number_of_its_own_is_caught(number: int, law: str) -> None:
    with pytest.raises(LawBroken, match=law):
        check_random_game(replace(REAL, encoding=BentEncoding(number)), 3)


def test_a_start_that_depends_on_more_than_the_seed_is_caught() -> None:
    chance = Random(1)
    with pytest.raises(LawBroken, match="same seed"):
        check_start(replace(REAL, new_state=lambda rng: REAL.new_state(chance)), 1)


@pytest.mark.parametrize("change", [{"year": 2020}, {"key": "piranhas2019"}, {"official": True}, {"key": "-2019"}])
def test_a_key_is_family_year_and_whether_it_is_official(change: dict[str, Any]) -> None:
    with pytest.raises(LawBroken, match="a key is the family, the year and perhaps -official"):
        check_start(replace(REAL, **change), 1)


def test_a_family_may_have_hyphens() -> None:
    assert replace(REAL, key="hase-und-igel-2019-official").family == "hase-und-igel"


def test_a_game_that_does_not_end_in_time_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "MAX_TURNS", 10)
    with pytest.raises(LawBroken, match="has not ended"):
        check_random_game(REAL, 1)


def bent_lesson(**change: Any) -> AnyGame:
    """A real game whose sections or questions lack something."""
    assert REAL.lesson is not None
    lesson: Lesson[Any, Any] = REAL.lesson()
    sections: tuple[Section[Any, Any], ...] = tuple(
        replace(
            section,
            questions=tuple(replace(question, **change.get("question", {})) for question in section.questions),
        )
        for section in lesson.sections
    )
    sections = tuple(replace(section, **change.get("section", {})) for section in sections)
    return replace(REAL, lesson=lambda: replace(lesson, sections=sections))


def test_a_game_without_a_lesson_is_caught() -> None:
    with pytest.raises(LawBroken, match="there is no lesson"):
        check_lesson(replace(REAL, lesson=None))


@pytest.mark.parametrize(
    ("law", "change"),
    [
        ("no section has a picture", {"section": {"illustrations": ()}}),
        ("there are no questions", {"section": {"questions": ()}}),
        ("missing in one language", {"section": {"title": Text("Regeln", "")}}),
        ("same in both languages", {"question": {"hint": Text("Look!", "Look!")}}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_lesson_that_lacks_something_is_caught(law: str, change: dict[str, Any]) -> None:
    with pytest.raises(LawBroken, match=law):
        check_lesson(bent_lesson(**change))


@pytest.mark.parametrize(
    ("law", "change"),
    [
        ("has no right answer", {"shortfall": lambda state, move: Text("nie", "never")}),
        ("has no wrong answer", {"options": ((Text("ja", "yes"), Text("", "")),), "answer": lambda state: 0}),
        ("does not explain", {"shortfall": lambda state, move: None if move.y == 4 else Text("", "")}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_question_that_cannot_be_answered_rightly_and_wrongly_is_caught(law: str, change: dict[str, Any]) -> None:
    assert REAL.lesson is not None
    lesson = REAL.lesson()
    question = next(question for question in lesson.questions if all(hasattr(question, name) for name in change))
    section = replace(lesson.sections[1], questions=(replace(question, **change),))
    with pytest.raises(LawBroken, match=law):
        check_lesson(replace(REAL, lesson=lambda: replace(lesson, sections=(section,))))
