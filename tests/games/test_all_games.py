"""Laws and promises that hold for every game found; a new game is tested here without a word."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import NotationError, UnknownGame
from spielleiter.game import TEAMS, AnyGame, Arrow, Highlight, Look, random_game
from spielleiter.game.conformance import check_lesson, check_random_game
from tests.support.night import examples

ALL = list(games.all_games().values())
each_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)


def test_both_rule_sets_of_each_season_are_found() -> None:
    names = ["blokus-2021", "blokus-2027", "ostseeschach-2022", "pinguine-2023", "piranhas-2019", "piranhas-2026"]
    assert set(games.all_games()) >= {*names, *(f"{name}-official" for name in names)}


@pytest.mark.slow
@each_game
@settings(max_examples=examples(8))
@given(seed=st.integers(0, 2**32))
def test_random_games_obey_the_laws(game: AnyGame, seed: int) -> None:
    check_random_game(game, seed)


@each_game
def test_the_lesson_obeys_the_laws_and_has_five_to_eight_exercises(game: AnyGame) -> None:
    check_lesson(game)
    assert game.lesson is not None
    assert 5 <= len(game.lesson().questions) <= 8


@each_game
def test_equal_states_are_one_key_of_a_dictionary(game: AnyGame) -> None:
    states = list(random_game(game.new_state(Random(5)), Random(5)))
    again = list(random_game(game.new_state(Random(5)), Random(5)))
    assert len({*states, *again}) == len(states)


@each_game
def test_a_state_refuses_to_be_changed(game: AnyGame) -> None:
    with pytest.raises(AttributeError):
        game.new_state(Random(0)).turn = 7


@each_game
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_the_picture_is_well_formed_and_shows_what_was_asked_for(game: AnyGame, theme: Any) -> None:
    state = list(random_game(game.new_state(Random(1)), Random(1)))[9]
    plain = game.draw(state, Look(theme=theme, last_move=False, coordinates=False))
    rich = game.draw(
        state, Look(theme=theme, highlights=(Highlight((2, 3)),), arrows=(Arrow((0, 0), (3, 3)),), flipped=True)
    )
    for picture in (plain, rich):
        assert ElementTree.fromstring(picture).tag.endswith("svg")
        assert ("var(--" in picture) == (theme == "auto")
    assert len(rich) > len(plain)


@each_game
def test_a_notebook_shows_the_picture_and_a_terminal_the_text(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    state = game.new_state(Random(1))
    assert state._repr_svg_().startswith("<svg")
    for language in ("de", "en"):
        monkeypatch.setenv("SPIELLEITER_LANG", language)
        assert str(state) == game.draw_text(state, False, language), "in the reader's language"
    assert "\x1b[" in game.draw_text(state, True)
    assert "\x1b[" not in game.draw_text(state, False)


@pytest.mark.slow
@each_game
@given(garbage=st.text(max_size=60))
def test_a_text_that_is_not_a_position_is_refused_with_a_reason(game: AnyGame, garbage: str) -> None:
    for text in (garbage, f"{game.key} {garbage}"):
        with pytest.raises(NotationError) as refused:
            game.notation.parse_state(text)
        assert refused.value.source == text
        assert refused.value.text.de != refused.value.text.en


@cache
def _positions_of_a_game(game: AnyGame) -> list[str]:
    return [game.notation.format_state(state) for state in random_game(game.new_state(Random(2)), Random(2))]


@each_game
@given(data=st.data())
def test_a_damaged_position_is_read_as_a_position_or_refused(game: AnyGame, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(_positions_of_a_game(game)))
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text(alphabet="0123456789/-+ BKRSMLsmlHhYG.", max_size=3)) + text[at + 1 :]
    try:
        state = game.notation.parse_state(damaged)
    except NotationError:
        return
    assert game.notation.parse_state(game.notation.format_state(state)) == state
    for team in TEAMS:
        state.points(team)
    state.legal_moves()


@each_game
@given(garbage=st.text(max_size=30))
def test_a_text_is_read_as_a_move_or_refused_with_a_reason(game: AnyGame, garbage: str) -> None:
    state, move, problem = game.new_state(Random(3)), None, None
    try:
        move = game.notation.parse_move(state, garbage)
    except NotationError as refused:
        problem = refused
    if problem is None:
        assert game.notation.parse_move(state, game.notation.format_move(state, move)) == move
        state.violation(move)
    else:
        assert problem.source == garbage
        assert problem.text.de != problem.text.en


def test_an_unknown_game_names_the_nearest_and_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="did you mean piranhas-2026") as unknown:
        games.load("piranha-2026")
    assert "ostseeschach-2022" in str(unknown.value)
    assert "meinst du piranhas-2026? Bekannt sind" in unknown.value.text.de


def test_a_position_without_words_is_refused() -> None:
    with pytest.raises(NotationError, match="empty"):
        games.parse_position("  ")
