"""The positions of the lesson."""

from __future__ import annotations

from spielleiter.games.pinguine.notation import PinguineNotation
from spielleiter.games.pinguine.rules import Rules, State

START = "32211213/2.112121/11211.21/1.121112/211121.1/12.11211/121211.2/31211223"
PLACED = "32211213/2.1P2121/11211.21/p.121112/211121.1/12.11211/12121P.2/31211223"
SLIDES = "11211p21/12112112/2.1.1P12/112121.1/1P.P2121/12111p11/121p2112/p11P1121"
"""The penguin on d5 has free ways in most directions."""
CATCH = "11211p21/1211.112/2.1.1P12/112.21.1/1P..P121/12.11p11/12.p2112/p11P1121"
"""The penguin has come from d5 to e5: a hole is left behind."""
CLOSED = "P1....../.2....p2/....1.../..p.P..1/......../.P....2./...p...1/p......P"
"""The penguins on c4, d7, a8 and b6 are stuck."""

ROOM = "2.13.2../.31P.2../2.2.1.3./..p1.2../1.2..3../.2.1.2../..3.2.1./........"
WAYS = "1.2..1.2/2..1.2.1/..1.P1../..31..../..pP21.2/..1..2.p/P.2..1../.1..p.Pp"
THREE = "2.1P12.1/..21..3./1.2.1..p/P...3.1./...p2..2/1.3..P../..p..12./2..p..P."
TRAP = "2..1..2./.p3..1../1....2p./P21..P../...p...1/2.....3./.1P..1.2/2..1.p.P"
GREED = ".P....2./P......p/..2...../.21P3.../.......p/p......./..3...../p......P"
PASSED = "PP....2./......p1/P......./...1..p./.......2/...p..../P......./p......."
FINISHED = "P....2../...p..../.3....P./..p...../......p./.P....../...2..../p......P"


def position(rules: Rules, board: str, turn: int, fish: str) -> State:
    """The position with this board: the rows from 1 to 8, as a notation writes them."""
    return PinguineNotation(rules).parse_state(f"{rules.key} {board} {fish} {turn}")
