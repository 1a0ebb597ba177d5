"""Setting up a position of Piranhas by hand, and what no game leads to."""

from __future__ import annotations

from itertools import combinations

from spielleiter.game import TEAMS, Text
from spielleiter.game.board_input import Setup, SetupField, Stamp
from spielleiter.games.piranhas.rules import SIZE, Rules, State, square_name

_FISH = 16
"""Fish of each team at the start (R1)."""
_KRAKENS = 2
_KRAKEN = Stamp("K", Text("Krake", "kraken"))
_PLAIN = (Stamp("R", Text("roter Fisch", "red fish")), Stamp("B", Text("blauer Fisch", "blue fish")), _KRAKEN)
_WEIGHTED = (
    Stamp("S", Text("rot, klein", "red, small")),
    Stamp("M", Text("rot, mittel", "red, medium")),
    Stamp("L", Text("rot, groß", "red, large")),
    Stamp("s", Text("blau, klein", "blue, small")),
    Stamp("m", Text("blau, mittel", "blue, medium")),
    Stamp("l", Text("blau, groß", "blue, large")),
    _KRAKEN,
)
_TURN = SetupField(Text("Gespielte Züge (gerade: Rot ist am Zug)", "Moves played (even: red is to move)"))
_UNION = SetupField(Text("Zuerst vereint", "United first"), ("-", "ONE", "TWO"))


def setup(rules: Rules) -> Setup:
    """How positions of one rule set are set up."""
    if rules.weighted:
        return Setup(_WEIGHTED, (_TURN, _UNION), why_impossible)
    return Setup(_PLAIN, (_TURN,), why_impossible)


def why_impossible(state: State) -> Text | None:
    """The rule by which no game leads to ``state``, as far as the board shows it; ``None`` if one may."""
    for team, name in zip(TEAMS, (Text("Rot", "Red"), Text("Blau", "Blue")), strict=True):
        if (found := state.fish(team).bit_count()) > _FISH:
            return Text(
                f"{name.de} hat nur {_FISH} Fische, hier sind {found} (R1).",
                f"{name.en} has only {_FISH} fish, here are {found} (R1).",
            )
    krakens = [(x, y) for y in range(SIZE) for x in range(SIZE) if state.krakens >> SIZE * y + x & 1]
    if len(krakens) != _KRAKENS:
        return Text(
            f"Es gibt genau {_KRAKENS} Kraken, hier sind {len(krakens)} (R2).",
            f"There are exactly {_KRAKENS} krakens, here are {len(krakens)} (R2).",
        )
    for x, y in krakens:
        if not (2 <= x <= SIZE - 3 and 2 <= y <= SIZE - 3):
            square = square_name(x, y)
            return Text(
                f"Ein Krake liegt auf den inneren 6 × 6 Feldern, nicht auf {square} (R2).",
                f"A kraken lies on the inner 6 x 6 squares, not on {square} (R2).",
            )
    for (x0, y0), (x1, y1) in combinations(krakens, 2):
        if x0 == x1 or y0 == y1 or abs(x0 - x1) == abs(y0 - y1):
            return Text(
                "Die Kraken liegen nie auf einer gemeinsamen Linie oder Diagonalen (R2).",
                "The krakens never lie on one line or diagonal (R2).",
            )
    return None
