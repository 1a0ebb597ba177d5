"""Positions just before the end, and ways to make moves in them by hand."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from spielleiter.game import AnyGame, Team
from spielleiter.games import load
from spielleiter.web.play.tables import Kind, Seating
from tests.web.conftest import Site


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


def wrong_move(site: Site) -> str:
    """The key of the record of a game that ended by an illegal move, sent in an unusual way."""
    game = load("piranhas-2026")
    seats = (Seating(Kind.PERSON, "Ada"), Seating(Kind.PERSON, "Grace"))
    table = site.open_table(game, seats, game.new_state(Random(3)))
    room = table.room

    async def send_nonsense() -> None:
        table.people[Team.ONE]._remote._sock.send(
            f'<room roomId="{room.room_id}"><data class="move"><!-- hi --><from x="0" y="4"/>'
            f'<direction>LEFT</direction><extra colour="red"/></data></room>'.encode()
        )
        await room.ended

    site.do(send_nonsense)
    site.do(lambda: site.web_app.tables.close(table))
    key = site.web_app.library.of_room(room.room_id)
    assert key is not None
    return key
