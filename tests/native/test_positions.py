"""Native positions keep the contract, and are the positions of the Python rules."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest

from spielleiter import games, native
from spielleiter.errors import EngineMissing, IllegalMove, NotationError, UnknownGame
from spielleiter.game import TEAMS, Team, conformance, perft
from spielleiter.search import AlphaBeta, Budget, MonteCarlo, engine
from tests.support.played import needs_engine

pytestmark = needs_engine

KEYS = [key for key in games.all_games() if key in engine.rule_sets()]  # A game may do without the engine.
each_game = pytest.mark.parametrize("key", KEYS)
one_of_each = pytest.mark.parametrize("key", ["blokus-2027", "ostseeschach-2022", "piranhas-2026"])


def start(key: str, seed: int = 1, plies: int = 0) -> tuple[Any, Any]:
    """A native position and the state of the Python rules, after the same random moves."""
    rng, game = Random(seed), games.load(key)
    state: Any = game.new_state(rng)
    for _ in range(plies):
        state = state.play(rng.choice(state.legal_moves()))
    return native.position(state), state


@each_game
def test_the_laws_of_the_contract_hold(key: str) -> None:
    assert conformance.check_random_game(native.load(key), seed=4, sample=3) > 5


@each_game
def test_a_game_is_the_same_by_either_rules(key: str) -> None:
    game, rng = games.load(key), Random(key)
    encoding, state = game.encoding, game.new_state(rng)
    position = native.position(state)
    while True:
        moves = state.legal_moves()
        assert position.legal_moves() == moves
        assert position.text == game.notation.format_state(state)
        assert (position.turn, position.to_move, position.outcome) == (state.turn, state.to_move, state.outcome)
        assert position.last_move == state.last_move
        assert position.to_python() == state
        assert position.rules is state.rules
        for team in TEAMS:
            assert position.points(team) == state.points(team)
            assert position.observe(team) == encoding.plane_bytes(state, team)
        numbers = [encoding.action(state, move) for move in moves]
        assert [number for number, legal in enumerate(position.mask()) if legal] == sorted(numbers)
        if not moves:
            return
        assert [position.action(move) for move in moves] == numbers
        move = rng.choice(moves)
        assert position.play_action(encoding.action(state, move)) == position.play(move)
        state, position = state.play(move), position.play_unchecked(move)


def test_blokus_ends_when_the_first_colour_has_laid_all_its_pieces() -> None:
    rng, state = Random(0), games.load("blokus-2021").new_state(Random(0))
    position = native.position(state)
    while state.outcome is None:
        own = state.color == 0 or not state.boards[state.color]
        moves: Any = state.placements() if own else state.legal_moves()[-1:]
        size = max((move.squares.bit_count() for move in state.placements()), default=0) if own else 0
        move = rng.choice([move for move in moves if not own or move.squares.bit_count() == size])
        state, position = state.play(move), position.play(move)
        assert position.outcome == state.outcome
    assert state.outcome.reason.name == "FINISHED"


@each_game
def test_an_illegal_move_is_refused_for_the_same_reason(key: str) -> None:
    game, rng = games.load(key), Random(5)
    position, state = start(key, plies=9)
    refused = 0
    for _ in range(40):
        move = game.garbage_move(rng)
        assert position.violation(move) is state.violation(move)
        if (reason := state.violation(move)) is not None:
            refused += 1
            with pytest.raises(IllegalMove) as error:
                position.play(move)
            assert error.value.reason is reason
    assert refused > 20


@one_of_each
def test_something_that_is_not_a_move_is_refused_as_the_rules_do(key: str) -> None:
    position, state = start(key)
    for nonsense in ("A4-C4", None, 7, object()):
        with pytest.raises(TypeError) as expected:
            state.play(nonsense)
        with pytest.raises(TypeError) as found:
            position.play(nonsense)
        assert str(found.value) == str(expected.value)
    with pytest.raises(ValueError, match="expected an action from 0 to"):
        position.play_action(10**9)


@one_of_each
def test_a_move_that_is_not_from_the_list_is_known_by_its_value(key: str) -> None:
    position, state = start(key, plies=4)
    for move in state.legal_moves()[:20]:
        again = copy.deepcopy(move)
        assert again is not move
        assert position.play(again) == position.play_unchecked(again) == native.position(state.play(move))


@one_of_each
def test_equal_positions_are_equal_however_they_came_about(key: str) -> None:
    position, state = start(key, plies=6)
    again = native.load(key).notation.parse_state(position.text)
    assert again == position
    assert hash(again) == hash(position)
    assert len({again, position, position.play(position.legal_moves()[0])}) == 2
    assert position != state
    assert position != position.text


@one_of_each
def test_copies_and_pickles_are_the_same_position(key: str) -> None:
    position, _ = start(key, plies=6)
    for again in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert again == position
        assert again.last_move == position.last_move
        assert again.legal_moves() == position.legal_moves()


@one_of_each
def test_what_the_contract_does_not_name_is_that_of_the_python_state(key: str) -> None:
    game = games.load(key)
    position, state = start(key, plies=5)
    move = state.legal_moves()[7]
    position, state = pickle.loads(pickle.dumps(position.play(move))), state.play(move)
    assert position.round == state.round
    assert str(position) == str(state)
    assert position._repr_svg_() == state._repr_svg_()
    assert game.draw_text(position, False) == game.draw_text(state, False)
    assert game.evaluate(position, Team.ONE) == game.evaluate(state, Team.ONE)
    assert not hasattr(position, "no_such_thing")
    assert not hasattr(position, "__no_such_protocol__")
    with pytest.raises(AttributeError):
        position.turn = 3


@one_of_each
def test_a_search_finds_the_same_on_either_kind_of_position(key: str) -> None:
    game = games.load(key)
    position, state = start(key, plies=10)

    def found(state: Any) -> tuple[Any, ...]:
        alpha_beta = AlphaBeta(game.evaluate, moves=game.promising_moves, rng=Random(1))
        monte_carlo: MonteCarlo[Any, Any] = MonteCarlo(game.evaluate, cutoff=2, rng=Random(1))
        results = alpha_beta.search(state, Budget(nodes=40)), monte_carlo.search(state, Budget(nodes=40))
        return tuple((result.move, result.score, result.line) for result in results)

    assert found(position) == found(state)


@one_of_each
def test_the_native_game_searches_with_the_evaluation_of_the_engine(key: str) -> None:
    game = native.load(key)
    state = game.new_state(Random(3))
    for _ in range(8):
        value = game.evaluate(state, Team.ONE)
        assert -1 <= value <= 1
        assert value == -game.evaluate(state, Team.TWO)
        promising = game.promising_moves(state)
        assert set(promising) <= set(state.legal_moves())
        result = AlphaBeta(game.evaluate, moves=game.promising_moves).search(state, Budget(depth=2))
        state = state.play(result.move)
    assert engine.EngineSearch(game, table_mib=1).search(state, Budget(nodes=100)).move in state.legal_moves()


@one_of_each
def test_perft_counts_the_same(key: str) -> None:
    game = native.load(key)
    position, state = start(key, plies=12)
    assert perft(position, 1, game.counted_moves) == perft(state, 1, game.counted_moves)


def test_a_start_is_that_of_the_seed() -> None:
    assert native.load("piranhas-2026").new_state(Random(3)).to_python() == games.load("piranhas-2026").new_state(
        Random(3)
    )


def test_bad_texts_are_refused_as_by_the_rules() -> None:
    with pytest.raises(NotationError):
        native.load("piranhas-2026").notation.parse_state("piranhas-2026 nonsense")
    with pytest.raises(UnknownGame):
        native.load("chess-1972")


def test_without_the_engine_there_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "no such module")
    native.positions.bridge_of.cache_clear()
    native.load.cache_clear()
    with pytest.raises(EngineMissing, match="not built"):
        native.load("piranhas-2019")
    with pytest.raises(EngineMissing, match="not built"):
        native.position(games.load("piranhas-2019").new_state(Random(1)))


@each_game
def test_a_move_played_by_its_number_is_known_afterwards(key: str) -> None:
    game, rng = native.load(key), Random(11)
    position = game.new_state(rng)
    for _ in range(12):
        state = position.to_python()
        action = rng.choice([number for number, legal in enumerate(position.mask()) if legal])
        position = position.play_action(action)
        assert pickle.loads(pickle.dumps(position)).last_move == games.load(key).encoding.move(state, action)
        assert position.to_python() == state.play(position.last_move)
