"""The player's own code in the kit's hands; nobody waits here for longer than a blink."""

from __future__ import annotations

import logging
import re
import sys
import threading
import time
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from spielleiter.client.player_runner import Hooks, PlayerRunner, TimePolicy, Turn, own_traceback
from spielleiter.client.session import ChooseMove, GameOver, GameReady, PlayerResult, StateChanged
from spielleiter.errors import PlayerFailed
from spielleiter.game import Team
from spielleiter.games import load

GAME = load("piranhas-2026")
START = GAME.new_state(Random(3))
LEGAL = START.legal_moves()


def asked(ago: float = 0.0) -> ChooseMove:
    return ChooseMove(GAME, START, time.monotonic() - ago)


def started(runner: PlayerRunner) -> PlayerRunner:
    runner.call_hook(GameReady(GAME, Team.ONE, ("Ada", "Bob")))
    return runner


def runner_of(player: Any, **care: Any) -> PlayerRunner:
    return started(PlayerRunner(player, TimePolicy(**care)))


# --- time -------------------------------------------------------------------------------------------------------------


def test_the_seconds_run_from_the_arrival_of_the_request() -> None:
    turn = Turn(START, asked_at=10.0, limit=2.0, margin=0.25)
    assert turn.seconds(10.0) == 1.75
    assert turn.seconds(11.5) == 0.25
    assert turn.seconds(20.0) == 0.0


def test_the_player_gets_the_limit_of_its_game_without_the_margin() -> None:
    limits: list[float] = []

    def choose(state: Any, seconds: float) -> Any:
        limits.append(seconds)
        return LEGAL[0]

    runner_of(choose, margin=0.5).answer(asked(ago=0.5))
    runner_of(choose, limit=10, margin=1).answer(asked())
    assert limits[0] == pytest.approx(1.0, abs=0.2)
    assert limits[1] == pytest.approx(9.0, abs=0.2)


@pytest.mark.parametrize(("ago", "warned"), [(0.2, False), (1.2, False), (1.7, True)])
def test_a_move_is_warned_of_only_if_it_took_half_of_the_margin_too(
    ago: float, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "spielleiter.player"):
        runner_of(lambda state, seconds: LEGAL[0], margin=0.8).answer(asked(ago))
    assert any("of 2 s" in record.message for record in caplog.records) is warned


# --- failures ---------------------------------------------------------------------------------------------------------


def test_a_legal_move_is_played() -> None:
    assert runner_of(lambda state, seconds: LEGAL[5]).answer(asked()) == LEGAL[5]


def test_a_legal_move_is_sent_without_a_list_of_all_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("blokus-2027")
    state = game.new_state(Random(3))
    move = state.legal_moves()[5]
    monkeypatch.setattr(type(state), "legal_moves", lambda state: pytest.fail("all moves were listed"))
    answer = ChooseMove(game, state, time.monotonic())
    assert runner_of(lambda state, seconds: move).answer(answer) == move


def test_none_is_not_a_move() -> None:
    with pytest.raises(PlayerFailed, match="returned None") as failure:
        runner_of(lambda state, seconds: None).answer(asked())
    assert "return" in failure.value.text.de
    assert failure.value.position == GAME.notation.format_state(START)
    assert failure.value.board == GAME.draw_text(START, False)


def test_something_else_is_not_a_move() -> None:
    with pytest.raises(PlayerFailed, match=r"returned 'A4-C4' \(str\), which is not a move \(Move\)"):
        runner_of(lambda state, seconds: "A4-C4").answer(asked())


def test_what_only_looks_like_a_move_is_not_a_move() -> None:
    lookalike = SimpleNamespace(**{name: getattr(LEGAL[5], name) for name in LEGAL[5].__slots__})
    with pytest.raises(PlayerFailed, match=r"\(SimpleNamespace\), which is not a move \(Move\)"):
        runner_of(lambda state, seconds: lookalike).answer(asked())


def test_an_illegal_move_is_reported_with_the_rule_that_it_breaks() -> None:
    move = GAME.notation.parse_move(START, "A4 LEFT")
    with pytest.raises(PlayerFailed, match="A4 LEFT is not legal: The move leads off the board") as failure:
        runner_of(lambda state, seconds: move).answer(asked())
    assert "nicht erlaubt" in failure.value.text.de
    assert failure.value.position


def test_an_exception_is_reported_with_the_line_of_the_player() -> None:
    def choose(state: Any, seconds: float) -> Any:
        return [][7]

    where = r"choose\(\) raised IndexError: .* in test_player_runner.py, line \d+: return"
    with pytest.raises(PlayerFailed, match=where) as it:
        runner_of(choose).answer(asked())
    assert it.value.position
    trace = own_traceback(it.value.__cause__ or it.value)
    assert "in choose" in trace
    assert "player_runner.py" not in trace.replace("test_player_runner.py", "")


def test_a_wrong_signature_is_reported_with_the_line_of_the_definition() -> None:
    class Short:
        def choose(self, state: Any) -> Any:
            return None

    with pytest.raises(PlayerFailed, match=r"takes 2 positional .* in test_player_runner.py, line \d+$"):
        runner_of(Short()).answer(asked())


def test_an_illegal_move_inside_of_the_search_is_reported_with_the_line_of_the_player() -> None:
    def choose(state: Any, seconds: float) -> Any:
        return state.play(GAME.notation.parse_move(START, "A4 LEFT"))

    with pytest.raises(PlayerFailed, match=r"IllegalMove: .* in test_player_runner.py, line"):
        runner_of(choose).answer(asked())


def test_who_changes_a_state_learns_the_own_line_and_that_play_returns_a_new_one() -> None:
    def choose(state: Any, seconds: float) -> Any:
        state.turn = 5

    where = r"FrozenInstanceError: .* in test_player_runner.py, line \d+: state.turn = 5 \(.*play\(move\) returns"
    with pytest.raises(PlayerFailed, match=where):
        runner_of(choose).answer(asked())


def test_who_exits_while_choosing_is_told_that_this_ends_the_game() -> None:
    def choose(state: Any, seconds: float) -> Any:
        sys.exit()

    with pytest.raises(PlayerFailed, match=r"SystemExit in test_player_runner.py, line \d+: sys.exit\(\) \(.*mid-game"):
        runner_of(choose).answer(asked())


def test_who_thinks_without_end_is_told_where(caplog: pytest.LogCaptureFixture) -> None:
    def choose(state: Any, seconds: float) -> Any:
        while "still thinking" not in caplog.text:
            threading.Event().wait(0.001)
        return LEGAL[0]

    runner_of(choose, limit=0.05).answer(asked())
    [said] = [line for line in caplog.messages if "still thinking" in line]
    assert re.search(r"choose\(\) is still thinking after 0.05 s, in test_player_runner.py, line \d+: ", said)


def test_what_cannot_choose_is_not_a_player() -> None:
    with pytest.raises(TypeError, match="needs a method choose"):
        PlayerRunner(object())


# --- hooks ------------------------------------------------------------------------------------------------------------


class Listener(Hooks):
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def choose(self, state: Any, seconds: float) -> Any:
        return state.legal_moves()[0]

    def game_started(self, team: Team, names: tuple[str, str]) -> None:
        self.heard.append((team, names))

    def game_over(self, result: PlayerResult, why: str) -> None:
        self.heard.append((result.won, why))


def test_hooks_are_called_and_may_be_missing() -> None:
    player = Listener()
    runner = runner_of(player)
    runner.call_hook(StateChanged(START))
    ending = PlayerResult(Team.ONE, Team.ONE, ((2, 5), (0, 3)), "one swarm", True, START)
    runner.call_hook(GameOver(ending))
    assert player.heard == [(Team.ONE, ("Ada", "Bob")), (True, "one swarm")]
    runner_of(lambda state, seconds: None).call_hook(GameOver(ending))


def test_a_hook_that_raises_is_a_failure_of_the_player() -> None:
    class Broken(Listener):
        def state_changed(self, state: Any) -> None:
            raise ValueError("oh")

    with pytest.raises(PlayerFailed, match=r"state_changed\(\) raised ValueError: oh"):
        runner_of(Broken()).call_hook(StateChanged(START))
    runner_of(Broken(), fallback=lambda state: LEGAL[0]).call_hook(StateChanged(START))


@pytest.mark.parametrize(
    ("winner", "won", "lost", "drawn"),
    [(Team.ONE, True, False, False), (Team.TWO, False, True, False), (None, False, False, True)],
)
def test_an_ending_is_seen_from_our_side(winner: Team | None, won: bool, lost: bool, drawn: bool) -> None:
    ending = PlayerResult(Team.ONE, winner, ((), ()), "", True, START)
    assert (ending.won, ending.lost, ending.drawn) == (won, lost, drawn)


# --- the fallback -----------------------------------------------------------------------------------------------------


def test_the_fallback_steps_in_for_failures() -> None:
    def broken(state: Any, seconds: float) -> Any:
        raise KeyError

    for choose in (broken, lambda state, seconds: None, lambda state, seconds: "A4"):
        assert runner_of(choose, fallback=lambda state: LEGAL[3]).answer(asked()) == LEGAL[3]


def test_the_fallback_steps_in_before_it_is_too_late(caplog: pytest.LogCaptureFixture) -> None:
    forever = threading.Event()
    runner = runner_of(lambda state, seconds: forever.wait(), fallback=lambda state: LEGAL[3], limit=0.1, margin=0.04)
    assert runner.answer(asked()) == LEGAL[3]
    assert "about to be late" in caplog.text
    forever.set()


def test_a_player_that_is_late_once_may_think_again() -> None:
    hold = threading.Event()
    thinking: list[float] = []

    def choose(state: Any, seconds: float) -> Any:
        thinking.append(seconds)
        if len(thinking) == 1:
            hold.wait()
        return LEGAL[5]

    runner = runner_of(choose, fallback=lambda state: LEGAL[3], limit=0.1, margin=0.04)
    assert runner.answer(asked()) == LEGAL[3]
    assert runner.answer(asked()) == LEGAL[3]  # still busy with the first position
    hold.set()
    assert runner_of(choose, fallback=lambda state: LEGAL[3], limit=60).answer(asked()) == LEGAL[5]


def test_a_fallback_that_fails_leaves_the_first_legal_move() -> None:
    def broken(state: Any) -> Any:
        raise KeyError

    for fallback in (broken, lambda state: None):
        assert runner_of(lambda state, seconds: None, fallback=fallback).answer(asked()) == LEGAL[0]


def test_with_a_game_clock_the_player_gets_a_share_of_what_is_left() -> None:
    runner = runner_of(lambda state, seconds: LEGAL[0], limit=10.1, increment=0.5, margin=0.1)
    assert runner.turn(asked()).limit == pytest.approx(1.0)
    runner.answer(asked(ago=5.5))
    assert 0.5 < runner.turn(asked()).limit <= 0.7501
    assert started(runner).turn(asked()).limit == pytest.approx(1.0)
