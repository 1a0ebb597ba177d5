"""How good a position of Piranhas is, at a glance."""

from __future__ import annotations

from math import tanh

from spielleiter.game import Team
from spielleiter.games.piranhas.rules import SIZE, State, swarms

_X_BITS = tuple(sum(1 << s for s in range(SIZE * SIZE) if s % SIZE >> bit & 1) for bit in range(4))
_Y_BITS = tuple(sum(1 << s for s in range(SIZE * SIZE) if s // SIZE >> bit & 1) for bit in range(4))


def _distance(s, t):
    return max(abs(s % SIZE - t % SIZE), abs(s // SIZE - t // SIZE))


_FARTHER = tuple(
    tuple(sum(1 << s for s in range(SIZE * SIZE) if _distance(s, c) >= r) for r in range(2, SIZE))
    for c in range(SIZE * SIZE)
)

W = dict(groups=0.10, far=0.04, part=0.3, mob=0.0, tempo=0.0)


def team_value(state, fish, W):
    n = fish.bit_count()
    if not n:
        return 0
    sx = sum((fish & b).bit_count() << i for i, b in enumerate(_X_BITS))
    sy = sum((fish & b).bit_count() << i for i, b in enumerate(_Y_BITS))
    c = (sy + n // 2) // n * SIZE + (sx + n // 2) // n
    far = 0
    for mask in _FARTHER[c]:
        k = (fish & mask).bit_count()
        if not k:
            break
        far += k
    groups = list(swarms(fish))
    if len(groups) == 1:
        return 1.0
    weight = state.weight(fish)
    largest = max(map(state.weight, groups))
    return -W["groups"] * len(groups) - W["far"] * far + W["part"] * largest / weight + W.get("size",0)*largest/16


def make(W):
    def evaluate(state: State, team: Team) -> float:
        own, other = state.fish(team), state.fish(team.opponent)
        v = team_value(state, own, W) - team_value(state, other, W)
        if W["mob"]:
            mine = len(state.legal_moves())
            v += (W["mob"] if state.to_move is team else -W["mob"]) * mine
        return tanh(v)
    return evaluate


evaluate = make(W)
