"""Tables at which two people play, positions just before the end, and moves made on the server."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import httpx

from spielleiter.game import AnyGame, Team
from spielleiter.games import load
from spielleiter.web.play.seating import Seating, SeatKind
from tests.support.raw import Raw
from tests.web.conftest import Site

PERSONS = (Seating(SeatKind.PERSON, "Ada"), Seating(SeatKind.PERSON, "Grace"))


@cache
def almost_won(key: str) -> tuple[AnyGame, Any, Any]:
    """A game, a position of it with ONE to move, and a move that wins whatever comes then."""
    game = load(key)
    for seed in range(400):
        rng = Random(seed)
        states = [game.new_state(rng)]
        while states[-1].outcome is None:
            states.append(states[-1].play_unchecked(rng.choice(states[-1].legal_moves())))
        if states[-1].outcome.winner is not Team.ONE:
            continue
        for state in states[-2:-5:-1]:
            if state.to_move is Team.ONE and (move := _winning(state)) is not None:
                # The way here is forgotten, as it is when a position comes from its notation.
                return game, game.notation.parse_state(game.notation.format_state(state)), move
    raise AssertionError(f"no such position of {key}")


def _winning(state: Any) -> Any:
    for move in state.legal_moves():
        if str(move).endswith("PASS"):
            continue
        after = state.play_unchecked(move)
        ends = [after] if after.outcome else [after.play_unchecked(reply) for reply in after.legal_moves()]
        if all(end.outcome is not None and end.outcome.winner is Team.ONE for end in ends):
            return move
    return None


def open_to_client(site: Site, game: AnyGame, name: str, start: Any) -> tuple[Any, Raw]:
    """A table at which a client of ours, which has just been asked for a move, plays against Grace."""
    seats = (Seating(SeatKind.JOINS, name), Seating(SeatKind.PERSON, "Grace"))

    async def join() -> tuple[Any, Raw]:
        tables = site.web_app.tables
        table = await tables.open(game, seats, start)
        assert table.room is not None
        client = await Raw.connect(site.web_app.master.local_address)
        await client.send(f'<joinPrepared reservationCode="{table.room.codes[Team.ONE]}"/>')
        await client.wait_for("moveRequest")
        return table, client

    table, client = site.do(join)
    return table, client


def wrong_move(site: Site) -> str:
    """The key of the record of a game that ended by an illegal move, sent in an unusual way."""
    game = load("piranhas-2026")
    table, client = open_to_client(site, game, "Ada", game.new_state(Random(3)))
    room = table.room

    async def send_nonsense() -> None:
        await client.send(
            f'<room roomId="{room.room_id}"><data class="move"><!-- hi --><from x="0" y="4"/>'
            f'<direction>LEFT</direction><extra colour="red"/></data></room>'
        )
        await room.ended
        await client.close()

    site.do(send_nonsense)
    site.do(lambda: site.web_app.tables.close(table))
    key = site.web_app.library.of_room(room.room_id)
    assert key is not None
    return key


def open_table(site: Site, key: str = "piranhas-2026") -> Any:
    """A table at which Ada and Grace have begun to play."""
    game = load(key)
    return site.open_table(game, PERSONS, game.new_state(Random(3)))


def move_first(site: Site, table: Any) -> None:
    """Play the first legal move of a position."""
    tables = site.web_app.tables
    ply = len(table.plies)
    site.do(lambda: tables.move(table, ply, lambda state: state.legal_moves()[0]))


def resigned_game(site: Site, key: str, plies: int) -> str:
    """The key of the record of a game that was given up after some moves."""
    table = open_table(site, key)
    for _ in range(plies):
        move_first(site, table)
    room = table.room.room_id
    site.do(lambda: site.web_app.tables.resign(table))
    site.do(lambda: site.web_app.tables.close(table))
    record = site.web_app.library.of_room(room)
    assert record is not None
    return record


def post(site: Site, path: str, **form: Any) -> Any:
    """Send a form as a script does."""
    return httpx.post(site.base + path, data=form, headers={"accept": "application/json"})
