"""How good a position of Hase und Igel looks: the way that is left, against the carrots and salads on it.

The weights were fitted to the results of 8,900 games between players that looked two moves ahead (130,000 positions).
Some grow with the turn: they are pairs, for the first turn and what comes on top until the last one.
"""

from __future__ import annotations

from math import tanh

from spielleiter.game import Team
from spielleiter.games.hase_und_igel.moves import Card
from spielleiter.games.hase_und_igel.rules import GOAL_CARROTS, TURN_LIMIT, Hare, State, cost, reach
from spielleiter.games.hase_und_igel.track import LAST, Field, Track

FIELD = (-0.016, 0.072)
AHEAD, LAST_TURNS = 0.36, 10
"""For each field in the last turn, where being ahead is all that counts; less in the ten turns before."""
RUN = 0.3
"""How many fields of the farthest run that the carrots allow count as run already."""
TIME = (0.007, -0.046)
"""For each move that the hare needs to the goal if its carrots are spread evenly."""
MAX_TIME = 40.0
SALAD = (-0.165, -0.017)
NO_SALAD = 0.34
SALAD_WITHOUT_FIELD = (-0.05, -0.56)
"""For each salad more than there are salad fields to eat it on."""
EATING = 0.16
"""Bonus on a salad field where the next move eats."""
EAT_SALAD_CARD = (0.36, -0.28)
SWAP_CARROTS_CARD = 0.17
CARROT = 0.00285
"""For each of the first hundred carrots."""
EXCESS_CARROT = -0.0366
"""For each carrot that could not even be spent on the way to the goal, up to sixty."""
TO_MOVE = 0.043

_SALAD_FIELD = Field.SALAD.letter


def evaluate(state: State, team: Team) -> float:
    """How good ``state`` looks for ``team``, from -1 to 1."""
    one, two = state.hares
    track, turn = state.track, state.turn
    value = _worth(track, turn, one) - _worth(track, turn, two) + (-TO_MOVE if turn & 1 else TO_MOVE)
    return tanh(-value if team else value)


def _worth(track: Track, turn: int, hare: Hare) -> float:
    """What one hare has: first for the race to the goal, in the last turns only for being ahead when they are over."""
    turns_left = TURN_LIMIT - turn
    if turns_left >= LAST_TURNS:
        return _race(track, turn, hare)
    late = 1 - turns_left / LAST_TURNS
    return (1 - late) * _race(track, turn, hare) + late * AHEAD * (hare.position + RUN * reach(hare.carrots))


def _race(track: Track, turn: int, hare: Hare) -> float:
    position, carrots, salads, cards = hare.position, hare.carrots, hare.salads, hare.cards
    phase, left = turn / TURN_LIMIT, LAST - position
    # Equal steps over the whole way cost left * (left / moves + 1) / 2; a salad brings about twelve carrots (R5, R6).
    time = min(MAX_TIME, left * left / max(4, 2 * (carrots + 12 * salads) - left))
    worth = (FIELD[0] + FIELD[1] * phase) * position + (TIME[0] + TIME[1] * phase) * time
    worth += CARROT * min(carrots, 100) + EXCESS_CARROT * min(60, max(0, carrots - GOAL_CARROTS - cost(left)))
    if salads:
        worth += (SALAD[0] + SALAD[1] * phase) * salads + _salad_fields(track, phase, hare)
    else:
        worth += NO_SALAD
    if cards:
        worth += (EAT_SALAD_CARD[0] + EAT_SALAD_CARD[1] * phase) * min(2, cards.count(Card.EAT_SALAD))
        if Card.SWAP_CARROTS in cards:
            worth += SWAP_CARROTS_CARD
    return worth


def _salad_fields(track: Track, phase: float, hare: Hare) -> float:
    """Whether there are fields on which the salads that are left can be eaten."""
    position, worth = hare.position, 0.0
    ahead = track.letters.count(_SALAD_FIELD, position)
    if track.letters[position] == _SALAD_FIELD:
        if hare.has_eaten:
            ahead -= 1
        else:
            worth = EATING
    if hare.salads > ahead:
        worth += (SALAD_WITHOUT_FIELD[0] + SALAD_WITHOUT_FIELD[1] * phase) * (hare.salads - ahead)
    return worth
