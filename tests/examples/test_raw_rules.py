"""The rules of ``new --language``: in Python they know exactly our moves, other languages choose among the same."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from spielleiter import games
from spielleiter.game import AnyGame, Element, random_game
from spielleiter.games.hase_und_igel import State as HareState
from spielleiter.games.hase_und_igel.moves import CARDS, EAT_SALAD, Card
from spielleiter.games.hase_und_igel.position import why_impossible
from spielleiter.games.hase_und_igel.rules import HASE_UND_IGEL_2025, Hare, cost
from spielleiter.games.hase_und_igel.track import LAST, track_of
from spielleiter.games.ostseeschach import State as OstseeschachState
from spielleiter.games.pinguine import State as PenguinState
from spielleiter.programs.raw_players import ProgrammingLanguage, raw_player_files, rules_folder
from spielleiter.wire import ServerConnection
from spielleiter.wire.messages import Close, RoomMessage
from tests.support.night import by_day, examples
from tests.support.raw_players import DAY_PLAYERS, PLAYERS, RawPlayer

# The player of Blokus never lists all moves: it looks for one of the largest pieces first.
GAMES = [
    game
    for game in games.all_games().values()
    if games.plugin_of(game) is None
    and rules_folder(game, ProgrammingLanguage.PYTHON) is not None
    and games.folder_of(game).name != "blokus"
]

RULES = [player for player in PLAYERS if player.game in GAMES]
each_game = pytest.mark.parametrize("game", GAMES, ids=str)


def player_in_python(game: AnyGame) -> Any:
    """The module ``player`` of a player in Python for this game."""
    source = raw_player_files(game, ProgrammingLanguage.PYTHON, "en")["player.py"]
    module = ModuleType("player")
    exec(compile(source, "player.py", "exec"), module.__dict__)
    return module


def positions(game: AnyGame, seed: int, count: int = 15) -> list[Any]:
    """Positions of a random game, those that are rare among them."""
    rng = Random(seed)
    states = [state for state in random_game(game.new_state(rng), rng) if state.outcome is None]
    passed_over = [s for s in states if isinstance(s, PenguinState) and s.to_move != s.turn % 2]
    hares = [hares_with_cards(rng) for _ in range(100)] if isinstance(states[0], HareState) else []
    return rng.sample(states, min(count, len(states))) + passed_over[:5] + hares


def hares_with_cards(rng: Random) -> HareState:
    """Two hares near each other with many cards between many hare fields, so that cards lead to cards."""
    while True:
        fields = ["0", *rng.choices("HHHHCCSMI12", k=LAST - 1), "G"]
        fields[rng.randrange(1, LAST)] = "S"
        near = rng.choice((0, rng.randrange(LAST), LAST - 6))
        one, two = (
            Hare(
                position=min(LAST, near + rng.randint(0, 6)),
                carrots=rng.choice((0, 9, 10, 11, 50)) + cost(rng.randint(0, 6)),
                salads=rng.choice((0, 0, 1, 5)),
                cards=tuple(rng.choices(CARDS, k=rng.choice((0, 1, 2, 4)))),
                last_action=rng.choice((None, EAT_SALAD, Card.SWAP_CARROTS, Card.EAT_SALAD)),
            )
            for _ in range(2)
        )
        turn, track = rng.randrange(58), track_of("".join(fields))
        if why_impossible(track.letters, turn, (one, two)) is None:
            state = HareState.of(HASE_UND_IGEL_2025, track, turn, (one, two))
            if state.outcome is None:
                return state


def state_element(game: AnyGame, state: Any) -> ElementTree.Element:
    return ElementTree.fromstring(game.codec.state_writer(("A", "B"))(state, ()))


def move_in(game: AnyGame, data: str) -> Any:
    """The move that a server makes of this answer."""
    connection = ServerConnection()
    connection.receive_data(f'<protocol><room roomId="R">{data}</room>'.encode())
    [message] = connection.events()
    return move_of(game, message)


def move_of(game: AnyGame, message: Any) -> Any:
    assert isinstance(message, RoomMessage)
    assert isinstance(message.data, Element)
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


@pytest.mark.parametrize("key", ["ostseeschach-2022", "pinguine-2023"])
def test_it_counts_the_ambers_and_fish_that_a_move_wins(key: str) -> None:
    game = games.load(key)
    player = player_in_python(game)
    won = set()
    for seed in range(examples(3)):
        for state in positions(game, seed, count=60):
            assert isinstance(state, OstseeschachState | PenguinState)
            element = state_element(game, state)
            position = player.Position(element)
            for move in position.moves():
                counted = position.ambers(move) if isinstance(state, OstseeschachState) else position.value(move)
                after = state.play(move_in(game, next(answers(player, element, [move]))))
                # The second part of the points: ambers, or fish.
                assert after.points(state.to_move)[1] - state.points(state.to_move)[1] == counted
                won.add(counted)
    assert len(won) > 1


@each_game
def test_unknown_elements_and_attributes_change_nothing(game: AnyGame) -> None:
    player = player_in_python(game)
    state = positions(game, seed=4)[0]
    text = game.codec.state_writer(("A", "B"))(state, ())
    more = re.sub(r"<(board|pieces|row|fields|list|hare)\b([^>]*)>", r'<\1\2 mood="good"><weather wind="3"/>', text)
    assert more != text
    plain, strange = (ElementTree.fromstring(xml) for xml in (text, more))
    expected, found = (
        sorted(answers(player, element, player.Position(element).moves())) for element in (plain, strange)
    )
    assert found == expected


def conversation(player: RawPlayer, start: Path, states: list[Any]) -> Iterator[Any]:
    """The move with which a program answers each of these positions, over one connection."""
    dialect, write = player.game.codec.dialect, player.game.codec.state_writer(("A", "B"))
    reader = ServerConnection()

    def next_message(connection: socket.socket) -> Any:
        while (message := next(iter(reader.events()), None)) is None:
            data = connection.recv(1 << 16)
            assert data, "it closed the connection"
            reader.receive_data(data)
        return message

    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        subprocess.Popen([start, "--port", str(server.getsockname()[1])]) as process,
    ):
        server.settimeout(60)
        connection, _ = server.accept()
        with connection:
            connection.settimeout(60)
            joined = next_message(connection)
            assert joined.game_type == player.game.wire_name
            connection.sendall(b'<protocol><joined roomId="R"/>')
            for state in states:
                data = f'<data class="memento">{write(state, ())}</data>', f'<data class="{dialect.move_request}"/>'
                connection.sendall("".join(f'<room roomId="R">{each}</room>' for each in data).encode())
                yield move_of(player.game, next_message(connection))
            connection.sendall(b'<left roomId="R"/></protocol>')
            assert isinstance(next_message(connection), Close)
    assert process.returncode == 0


@pytest.mark.parametrize("player", by_day(RULES, DAY_PLAYERS), ids=str)
def test_every_language_chooses_among_the_same_moves(
    player: RawPlayer, build_player: Callable[[RawPlayer], Path]
) -> None:
    python = player_in_python(player.game)
    states = positions(player.game, seed=5, count=40)
    moves = conversation(player, build_player(player), states)
    for state, move in zip(states, moves, strict=True):
        element = state_element(player.game, state)
        position = python.Position(element)
        known = position.moves()
        highest = max(map(position.value, known))
        best = [each for each in known if position.value(each) == highest]
        assert move in [move_in(player.game, data) for data in answers(python, element, best)]
