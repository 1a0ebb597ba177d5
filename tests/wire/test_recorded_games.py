"""Whole recorded games: our server says, byte for byte, what the season's server said."""

import pytest

from spielleiter.game import AnyGame
from spielleiter.games import load
from spielleiter.referee import GameEnded, MoveMade
from spielleiter.wire import ClientConnection, ServerConnection
from tests.support.night import sample
from tests.support.theatre import (
    OFFICIAL,
    SEASONS,
    Cut,
    Theatre,
    connections,
    messages,
    recorded,
    recorded_ids,
    recorded_start,
    single_bytes,
    whole,
    without_texts,
)

pytestmark = pytest.mark.slow

GAMES = {2019: ["a_normal", "r_ruby_vs_java"], 2021: ["a-normal"], 2022: ["a-normal"]}
RECORDED = [(year, name) for year in SEASONS for name in GAMES.get(year, ["a_game"])]


def replay(year: int, scenario: str, cut: Cut = whole) -> tuple[Theatre, list[str]]:
    names = connections(year, scenario)
    game = load(OFFICIAL[year])
    said = recorded(year, names[0], "s2c")
    theatre = Theatre(game, start=recorded_start(game, said), ids=recorded_ids(said), cut=cut)
    waiting = {name: messages(recorded(year, name, "c2s")) for name in names}
    for name in names:
        theatre.say(name, waiting[name].pop(0))
    while asked := [name for name in names if theatre.asked[name]]:
        theatre.say(asked[0], waiting[asked[0]].pop(0))
    for name in names:
        theatre.say(name, b"".join(waiting[name]))
    return theatre, names


@pytest.mark.parametrize("cut", [whole, single_bytes])
@pytest.mark.parametrize(("year", "scenario"), RECORDED)
def test_a_recorded_game_is_answered_as_the_reference_did(year: int, scenario: str, cut: Cut) -> None:
    theatre, names = replay(year, scenario, cut)
    for name in names:
        expected = messages(recorded(year, name, "s2c"))
        assert len(expected) > 40
        assert [without_texts(message) for message in theatre.heard[name]] == [
            without_texts(message) for message in expected
        ]
        assert theatre.closed(name)
    assert not theatre.lobby.rooms


@pytest.mark.parametrize(("year", "scenario"), RECORDED)
def test_a_recorded_game_leaves_a_record_of_every_move_and_its_times(year: int, scenario: str) -> None:
    theatre, _ = replay(year, scenario)
    moves = [effect for effect in theatre.effects if isinstance(effect, MoveMade)]
    [end] = [effect for effect in theatre.effects if isinstance(effect, GameEnded)]
    assert len(moves) > 40
    assert end.result.regular
    assert end.state == moves[-1].state


@pytest.mark.parametrize(("year", "scenario"), RECORDED)
def test_every_message_of_a_client_means_the_same_wherever_it_is_cut(year: int, scenario: str) -> None:
    for name in connections(year, scenario):
        stream = recorded(year, name, "c2s")
        expected = events(ServerConnection(), stream)
        assert len(expected) > 20
        assert events(ServerConnection(), *single_bytes(stream)) == expected
        for message, event in sample(list(zip(messages(stream)[1:], expected[1:], strict=False)), 8):
            alone = b"<protocol>" + message
            for cut in range(10, len(alone)):
                assert events(ServerConnection(), alone[:cut], alone[cut:]) == [event]


@pytest.mark.parametrize(("year", "scenario"), RECORDED)
def test_every_kind_of_message_of_a_server_means_the_same_wherever_it_is_cut(year: int, scenario: str) -> None:
    game = load(OFFICIAL[year])
    stream = recorded(year, connections(year, scenario)[0], "s2c")
    expected = events(client(game), stream)
    assert events(client(game), *single_bytes(stream[:40_000]))[:8] == expected[:8]
    kinds = {type(event): (message, event) for message, event in zip(messages(stream)[1:], expected[1:], strict=True)}
    assert {kind.__name__ for kind in kinds} == {"Welcome", "Memento", "MoveRequest", "Result", "Left", "Close"}
    for message, event in kinds.values():
        alone = b"<protocol>" + message
        for cut in sample(range(10, len(alone), 1 + len(alone) // 400), 80):
            assert events(client(game), alone[:cut], alone[cut:]) == [event]


def client(game: AnyGame) -> ClientConnection:
    return ClientConnection(game.codec.dialect)


def events(connection: ServerConnection | ClientConnection, *pieces: bytes) -> list[object]:
    found: list[object] = []
    for piece in pieces:
        connection.receive_data(piece)
        found += connection.events()
    return found
