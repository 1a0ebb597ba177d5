"""Positions with one right move, and their maker: ``python -m tests.support.tactics`` writes ``tactics.json``.

The engine plays games against itself and proposes positions that one move wins by force. The rules in Python then
search each of them to the end, all moves of both sides: only a move that wins against every reply, while every other
move does not, is an answer. The same seed makes the same suite.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from spielleiter import games
from spielleiter.errors import BudgetSpent
from spielleiter.search import Budget
from spielleiter.search.engine import EngineSearch
from spielleiter.search.exhaustive import Prover

FILE = Path(__file__).with_name("tactics.json")
SUITES = {"piranhas-2019": 3, "piranhas-2026-official": 3, "ostseeschach-2022": 4, "blokus-2021": 30, "blokus-2027": 30}
"""The rule sets, and within how many moves of both sides the win must be there; in Blokus that is the end."""
ENDS = (-22, -3)
"""Which of the last positions of a random game are looked at, where games are won by their points."""
EACH = 6
MAX_NODES = 80_000
WON = 29_000


def propose(search: EngineSearch[Any, Any], state: Any, plies: int) -> bool:
    """Whether the engine thinks that exactly one move wins, by force and not at once."""
    found = search.search(state, Budget(depth=plies + 1, nodes=60_000), lines=2)
    return (
        len(found.lines) == 2
        and found.lines[0].score >= WON
        and 1 < len(found.lines[0].moves) <= plies
        and found.lines[1].score < WON
    )


def make(key: str, plies: int, number: int = EACH, seed: int = 1) -> list[dict[str, Any]]:
    """So many positions of a rule set with their answers."""
    game, rng = games.load(key), Random(f"{key} {seed}")
    made: list[dict[str, Any]] = []
    search = EngineSearch(game, table_mib=8)
    while len(made) < number:
        state, before = game.new_state(rng), len(made)
        while state.outcome is None and len(made) == before:
            if state.turn >= 12 and len(state.legal_moves()) > 4 and propose(search, state, plies):
                try:
                    answers = Prover(MAX_NODES).winning_moves(state, plies)
                except BudgetSpent:
                    answers = []
                if len(answers) == 1:
                    position, answer = game.notation.format_state(state), game.notation.format_move(state, answers[0])
                    made.append({"position": position, "answer": answer, "plies": plies})
            lines = search.search(state, Budget(nodes=400), lines=3).lines
            state = state.play_unchecked(rng.choice(lines).moves[0])
    return made


def make_ends(key: str, plies: int, number: int = EACH, seed: int = 1) -> list[dict[str, Any]]:
    """The same for a game that is won by points: ends of random games, which are closer than those of the engine."""
    game, rng = games.load(key), Random(f"{key} {seed}")
    made: list[dict[str, Any]] = []
    search = EngineSearch(game, table_mib=8)
    while len(made) < number:
        state, states = game.new_state(rng), []
        while state.outcome is None:
            state = state.play_unchecked(rng.choice(state.legal_moves()))
            states.append(state)
        for state in states[ENDS[0] - 1 : ENDS[1] - 1]:
            if 4 < len(state.legal_moves()) < 60 and propose_end(search, state):
                try:
                    answers = Prover(MAX_NODES).winning_moves(state, plies)
                except BudgetSpent:
                    continue
                if len(answers) == 1:
                    position, answer = game.notation.format_state(state), game.notation.format_move(state, answers[0])
                    made.append({"position": position, "answer": answer, "plies": plies})
                    break
    return made


def propose_end(search: EngineSearch[Any, Any], state: Any) -> bool:
    """Whether the engine sees that one move wins, not at once, and no other is even good."""
    best, *others = search.search(state, Budget(nodes=20_000), lines=2).lines
    return len(others) == 1 and best.score >= WON and len(best.moves) > 1 and others[0].score <= 0


def main() -> None:
    """Write the suites."""
    suites = []
    for key, plies in SUITES.items():
        suites += (make_ends if key.startswith("blokus") else make)(key, plies)
        print(key, len(suites), flush=True)
        FILE.write_text(json.dumps(suites, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
