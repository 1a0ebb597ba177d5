"""The rules of ``new --language`` in Python know exactly the moves of ours, and choose one of the best."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from spielleiter import games
from spielleiter.game import AnyGame, random_game
from spielleiter.games.hase_und_igel import State as HareState
from spielleiter.games.hase_und_igel.moves import CARDS, EAT_SALAD, Card
from spielleiter.games.hase_und_igel.position import why_impossible
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025, Hare
from spielleiter.games.hase_und_igel.track import LAST, draw_track
from spielleiter.games.pinguine import State as PenguinState
from spielleiter.programs.raw_players import ProgrammingLanguage, raw_player_files
from spielleiter.wire import ServerConnection
from spielleiter.wire.messages import RoomMessage
from tests.support.night import examples

# The player of Blokus never lists all moves: it looks for one of the largest pieces first.
GAMES = [
    game
    for game in games.all_games().values()
    if games.plugin_of(game) is None and games.folder_of(game).name != "blokus"
]

each_game = pytest.mark.parametrize("game", GAMES, ids=str)


def player_in_python(game: AnyGame) -> Any:
    """The module ``player`` of a player in Python for this game."""
    source = raw_player_files(game, ProgrammingLanguage.PYTHON, "en")["player.py"]
    module = ModuleType("player")
    exec(compile(source, "player.py", "exec"), module.__dict__)
    return module


def positions(game: AnyGame, seed: int) -> list[Any]:
    """Positions of a random game, those that are rare among them."""
    rng = Random(seed)
    states = [state for state in random_game(game.new_state(rng), rng) if state.outcome is None]
    passed_over = [s for s in states if isinstance(s, PenguinState) and s.to_move != s.turn % 2]
    hares = [hares_with_cards(rng) for _ in range(20)] if isinstance(states[0], HareState) else []
    return rng.sample(states, min(15, len(states))) + passed_over[:5] + hares


def hares_with_cards(rng: Random) -> HareState:
    """Two hares near each other with more cards than a random game gives them, so that cards lead to cards."""
    while True:
        track, near = draw_track(rng), rng.randrange(LAST)
        one, two = (
            Hare(
                position=min(LAST, near + rng.randint(0, 6)),
                carrots=rng.choice((0, 3, 8, 10, 15, 30, 68, 150)),
                salads=rng.choice((0, 0, 1, 5)),
                cards=tuple(rng.choices(CARDS, k=rng.choice((0, 1, 2, 4, 8)))),
                last_action=rng.choice((None, EAT_SALAD, Card.SWAP_CARROTS, Card.EAT_SALAD)),
            )
            for _ in range(2)
        )
        turn = rng.randrange(58)
        if why_impossible(track.letters, turn, (one, two)) is None:
            state = HareState.of(HASE_UND_IGEL_2025, track, turn, (one, two))
            if state.outcome is None:
                return state


def state_element(game: AnyGame, state: Any) -> ElementTree.Element:
    return ElementTree.fromstring(game.codec.state_writer(("A", "B"))(state))


def move_in(game: AnyGame, data: str) -> Any:
    """The move that a server makes of this answer."""
    connection = ServerConnection()
    connection.receive_data(f'<protocol><room roomId="R">{data}</room>'.encode())
    [message] = connection.events()
    assert isinstance(message, RoomMessage)
    return game.codec.read_move(message.data)


def answers(player: Any, state: ElementTree.Element, moves: list[Any]) -> Iterator[str]:
    """What the player answers if it knows only one of these moves, for each of them."""
    for move in moves:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(player.Position, "moves", lambda _, move=move: [move])
            yield player.choose_move(state)


@each_game
def test_its_moves_are_the_legal_ones_each_once(game: AnyGame) -> None:
    player = player_in_python(game)
    for seed in range(examples(2)):
        for state in positions(game, seed):
            element = state_element(game, state)
            known = player.Position(element).moves()
            read = [move_in(game, data) for data in answers(player, element, known)]
            assert len(read) == len(set(read))
            assert set(read) == set(state.legal_moves()), game.notation.format_state(state)


@each_game
def test_it_chooses_among_the_moves_of_highest_value(game: AnyGame) -> None:
    player = player_in_python(game)
    for state in positions(game, seed=3)[:10]:
        element = state_element(game, state)
        position = player.Position(element)
        moves = position.moves()
        highest = max(map(position.value, moves))
        best = [move for move in moves if position.value(move) == highest]
        assert player.choose_move(element) in answers(player, element, best)


@each_game
def test_unknown_elements_and_attributes_change_nothing(game: AnyGame) -> None:
    player = player_in_python(game)
    state = positions(game, seed=4)[0]
    text = game.codec.state_writer(("A", "B"))(state)
    more = re.sub(r"<(board|pieces|row|fields|list|hare)\b([^>]*)>", r'<\1\2 mood="good"><weather wind="3"/>', text)
    assert more != text
    plain, strange = (ElementTree.fromstring(xml) for xml in (text, more))
    expected, found = (
        sorted(answers(player, element, player.Position(element).moves())) for element in (plain, strange)
    )
    assert found == expected
