"""``note(...)``: what is kept of what a player notes, and how it leaves the player."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from spielleiter.client import TimePolicy, note
from spielleiter.client.notes import NoteTaker
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.client.session import ChooseMove
from spielleiter.errors import PlayerFailed
from spielleiter.game import AnyGame
from spielleiter.game.note import MAX_NOTES, MAX_SIZE, PlayerNote
from spielleiter.games import all_games, load

GAME = load("piranhas-2026")
START = GAME.new_state(Random(3))
MOVE = next(move for move in START.legal_moves() if str(move) == "A1 UP")


def taken(*notes: Callable[[], None], game: AnyGame = GAME, state: Any = START) -> NoteTaker:
    """What is kept of these calls of ``note``."""
    with NoteTaker(game, state) as taker:
        for make in notes:
            make()
    return taker


def test_a_note_names_cells_as_the_game_does() -> None:
    taker = taken(
        lambda: note("depth", 5, squares=["b4", (0, 0)], arrows=[("B4", (2, 3))], values={"b4": 0.83}, chance=0.6)
    )
    assert taker.notes == (
        PlayerNote(text="depth 5", squares=("B4", "A0"), arrows=(("B4", "C3"),), values=(("B4", 0.83),), chance=0.6),
    )
    assert taker.problem is None


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_a_move_of_any_game_stands_for_its_cells(game: AnyGame) -> None:
    state = game.new_state(Random(1))
    move = state.legal_moves()[0]
    board = game.board_input
    assert board is not None
    squares = [board.square_name(square) for square in board.move_squares(state, move)]
    taker = taken(lambda: note(squares=move, arrows=move, values={move: 0.5}), game=game, state=state)
    assert taker.problem is None
    if squares:
        [found] = taker.notes
        assert list(found.squares) == squares
        assert dict(found.values).keys() <= set(squares)
        assert found.arrows == (((squares[0], squares[1]),) if len(squares) == 2 else ())


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"squares": ["b4", "z99"]}, "not a cell of this game: z99"),
        ({"values": {(77, 1): 1}}, "not a cell of this game: 77,1"),
        ({"values": [1, 2]}, "values: expected {square: number}"),
        ({"values": {"b4": "much"}}, "values: expected {square: number}"),
        ({"values": {"b4": float("nan")}}, "values: nan is not a number"),
        ({"arrows": ["b4"]}, "arrows: expected a list of pairs of squares"),
        ({"chance": 55}, "chance: expected a number from 0 to 1"),
        ({"chance": "high"}, "chance: expected a number from 0 to 1"),
        ({"table": 7}, "table: expected {name: number or text}"),
    ],
)
def test_a_wrong_note_is_one_line_and_the_rest_of_it_stays(arguments: dict[str, Any], problem: str) -> None:
    taker = taken(lambda: note("still here", **arguments))
    assert taker.problem is not None
    assert problem in taker.problem.en
    assert "\n" not in taker.problem.en + taker.problem.de
    assert taker.notes[0].text == "still here"


def test_of_too_many_notes_the_latest_are_kept() -> None:
    taker = taken(*(partial(note, number) for number in range(5000)))
    assert [found.text for found in taker.notes] == [str(number) for number in range(5000 - MAX_NOTES, 5000)]
    assert taker.problem is not None
    assert f"{5000 - MAX_NOTES} notes left out" in taker.problem.en
    long = taken(*[partial(note, "x" * 400)] * MAX_NOTES)
    assert sum(len(found.line) + 1 for found in long.notes) <= MAX_SIZE
    assert long.problem is not None


def test_hostile_text_is_one_printable_line() -> None:
    [found] = taken(lambda: note("a\x1b[31m\nb\ud800", "x" * 10_000)).notes
    assert found.text.startswith("a b? xxx")
    assert len(found.text) == 500
    assert found.line.isascii()
    assert json.loads(found.line.removeprefix("@note "))["text"] == found.text


def test_outside_of_a_move_a_note_is_dropped() -> None:
    note("nobody listens", values={"b4": object()})  # type: ignore[dict-item]


def test_what_a_late_search_notes_is_not_a_note_of_the_next_move() -> None:
    with NoteTaker(GAME, START) as first:
        late = first.add
    late(("late",), (), (), None, None, None)
    assert first.notes == ()


# --- a player's runner ------------------------------------------------------------------------------------------------


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("@note ")]


def noting(state: Any, seconds: float) -> Any:
    note("best", values={MOVE: 0.83})
    return state.legal_moves()[0]


def test_a_player_notes_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    runner = PlayerRunner(noting)
    runner.answer(ChooseMove(GAME, START, time.monotonic()))
    assert printed(capsys) == ['@note {"text":"best","values":{"A9":0.83}}']
    assert runner.hints == ()


def test_in_the_season_with_hints_notes_go_with_the_move(capsys: pytest.CaptureFixture[str]) -> None:
    old = load("piranhas-2019")
    runner = PlayerRunner(lambda state, seconds: (note("best"), state.legal_moves()[0])[1])
    runner.answer(ChooseMove(old, old.new_state(Random(1)), time.monotonic()))
    assert runner.hints == ('@note {"text":"best"}',)
    assert printed(capsys) == []


def test_a_player_with_a_fallback_and_threads_of_its_own_notes_too(capsys: pytest.CaptureFixture[str]) -> None:
    def choose(state: Any, seconds: float) -> Any:
        thread = threading.Thread(target=note, args=("from a thread",))
        thread.start()
        thread.join()
        return noting(state, seconds)

    PlayerRunner(choose, TimePolicy(fallback=lambda state: None)).answer(ChooseMove(GAME, START, time.monotonic()))
    assert [json.loads(line[6:])["text"] for line in printed(capsys)] == ["from a thread", "best"]


def test_two_players_of_one_process_keep_their_notes_apart() -> None:
    async def choose(name: str) -> tuple[PlayerNote, ...]:
        with NoteTaker(GAME, START) as taker:
            await asyncio.sleep(0)
            note(name)
            await asyncio.sleep(0)
            note(name)
        return taker.notes

    async def both() -> list[tuple[PlayerNote, ...]]:
        return list(await asyncio.gather(choose("Ada"), choose("Bob")))

    assert asyncio.run(both()) == [(PlayerNote(text="Ada"),) * 2, (PlayerNote(text="Bob"),) * 2]


def test_the_notes_before_a_failure_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    def choose(state: Any, seconds: float) -> Any:
        note("about to fail")
        raise RuntimeError

    with pytest.raises(PlayerFailed):
        PlayerRunner(choose).answer(ChooseMove(GAME, START, time.monotonic()))
    assert printed(capsys) == ['@note {"text":"about to fail"}']


def test_notes_can_be_switched_off(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_NOTES", "off")
    runner = PlayerRunner(noting)
    runner.answer(ChooseMove(GAME, START, time.monotonic()))
    assert (printed(capsys), runner.notes) == ([], ())


def test_in_the_terminal_of_the_student_a_note_is_short(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    def choose(state: Any, seconds: float) -> Any:
        note("best", values={(x, 4): x / 10 for x in range(10)}, table={"depth": 5}, chance=0.62)
        return state.legal_moves()[0]

    PlayerRunner(choose).answer(ChooseMove(GAME, START, time.monotonic()))
    assert capsys.readouterr().err == "note: best | depth: 5 | J4 0.9, I4 0.8, H4 0.7 … | 62%\n"


def test_without_standard_error_the_move_is_still_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    assert PlayerRunner(noting).answer(ChooseMove(GAME, START, time.monotonic())) == START.legal_moves()[0]
