"""Hase und Igel as numbers: the track as a line that both teams see alike, chains of cards as numbers."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from spielleiter import games
from spielleiter.game import Team
from spielleiter.games.hase_und_igel import Card
from spielleiter.games.hase_und_igel.encoding import CHAINS
from spielleiter.games.hase_und_igel.moves import EAT_SALAD, GIVE_CARROTS, Advance
from spielleiter.games.hase_und_igel.position import MAX_CARDS
from spielleiter.games.hase_und_igel.rules import State
from tests.support.hase_und_igel_positions import TRACK, position

GAME = games.load("hase-und-igel-2025")
ENCODING = GAME.encoding
TEXTS = [plane.text for plane in ENCODING.planes]


def plane(state: State, team: Team, text: str) -> bytes:
    seen = ENCODING.plane_bytes(state, team)
    return seen[TEXTS.index(text) * 65 :][:65]


def test_fields_and_hares_are_shown_where_they_are() -> None:
    state = position("3:60:5:EEF:-", "12:207:4:-:s")
    assert [at for at, shown in enumerate(plane(state, Team.ONE, "fields: salad field")) if shown] == [10, 22, 42, 57]
    assert plane(state, Team.TWO, "fields: market") == bytes(letter == "M" for letter in TRACK)
    assert plane(state, Team.ONE, "own hare").index(1) == 3
    assert plane(state, Team.TWO, "the opponent's hare").index(1) == 3


def test_what_a_hare_has_stands_on_every_field() -> None:
    state = position("3:60:5:EEF:-", "12:207:4:-:s")
    assert plane(state, Team.ONE, "own cards: eat a salad, on every field") == b"\2" * 65
    assert plane(state, Team.ONE, "own salads, on every field") == b"\5" * 65
    assert plane(state, Team.TWO, "own hundreds of carrots, on every field") == b"\2" * 65
    assert plane(state, Team.TWO, "own carrots beyond them, on every field") == b"\7" * 65
    assert plane(state, Team.ONE, "all ones: the opponent's last action was to swap carrots") == b"\1" * 65
    assert plane(state, Team.ONE, "the turn, on every field") == bytes([20]) * 65


def test_a_number_is_chain_and_distance() -> None:
    state = position("3:60:5:EF:-")
    assert ENCODING.action(state, EAT_SALAD) == 0
    assert ENCODING.action(state, GIVE_CARROTS) == 3
    assert ENCODING.action(state, Advance(1)) == 4
    assert ENCODING.action(state, Advance(64)) == 67
    assert ENCODING.action(state, Advance(1, (Card.EAT_SALAD,))) == 68
    assert ENCODING.move(state, 68 + 64) == Advance(1, (Card.SWAP_CARROTS,))


def test_every_chain_that_can_be_legal_has_a_number_and_none_has_two() -> None:
    assert len(set(CHAINS)) == len(CHAINS) == 1 + 4 + 8 * MAX_CARDS
    # As many cards as a hare can hold, on two hare fields around the other hare, and one more from a market.
    letters = "".join("FH"[step % 2] for step in range(MAX_CARDS))
    track = TRACK[:31] + "CHCHC2" + TRACK[37:]
    state = position(f"28:60:5:{letters}:-", "33:30:5:-:-", track=track)
    moves = [move for move in state.legal_moves() if isinstance(move, Advance)]
    assert max(len(move.cards) for move in moves) <= MAX_CARDS + 1
    numbers = [ENCODING.action(state, move) for move in moves]
    assert [ENCODING.move(state, number) for number in numbers] == moves


def test_what_networks_were_trained_on_stays() -> None:
    state = position("3:60:5:EEF:-", "12:207:4:-:s")
    numbered = sha256()
    for number in range(ENCODING.actions - 1, -1, -7):
        numbered.update(GAME.codec.write_move(ENCODING.move(state, number)).encode())
    seen = sha256(b"".join(ENCODING.plane_bytes(state, team) for team in Team))
    assert (ENCODING.actions, len(ENCODING.planes), ENCODING.size) == (15684, 29, (1, 65))
    assert (numbered.hexdigest()[:12], seen.hexdigest()[:12]) == ("d8d45cfeb7f7", "647b3139ea48")


def test_both_teams_see_the_same_start_but_for_who_moves_second() -> None:
    start = GAME.new_state(Random(4))
    one, two = (ENCODING.plane_bytes(start, team) for team in Team)
    different = [text for i, text in enumerate(TEXTS) if one[i * 65 :][:65] != two[i * 65 :][:65]]
    assert different == ["all ones: this team moves second in a round"]
