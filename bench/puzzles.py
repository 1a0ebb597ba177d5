"""Make the puzzles of all games from self-play, and prove them: positions with exactly one winning move.

The engine plays against itself (in Blokus chance does: its games end closer) and proposes positions that one move wins
by force while no other move is good. The rules in Python then search each of them exhaustively
(``search.exhaustive``): the move wins against every reply within the stated number of moves, no other one does; in
Blokus and Pinguine that is the end of the game. The same seed makes the same puzzles; no position comes twice, turned
or mirrored neither, and a game gives one puzzle at most.

    python -m bench.puzzles                           # make all files anew
    python -m bench.puzzles --game piranhas-2026      # the puzzles of one rule set, the others stay
    python -m bench.puzzles --verify                  # prove every puzzle again
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from spielleiter import games
from spielleiter.errors import BudgetSpent
from spielleiter.game import TEAMS, AnyGame, Team
from spielleiter.puzzles.puzzle import FILE, Difficulty, Puzzle, all_puzzles
from spielleiter.search import Budget
from spielleiter.search.engine import EngineSearch
from spielleiter.search.exhaustive import Prover

NODES = (64, 256, 1024, 4096, 16384, 65536)
"""The budgets by which the difficulty is measured."""
MAX_OTHER = 0.7
"""The winning chance of the second best move must not be higher: a slower win would be no mistake."""
MIN_MOVES = 5
MAX_OWN_MOVES = 4
"""The solver's moves in a solution."""
TO_THE_END = 99
"""More moves than are left of any game."""
console = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the puzzles of a rule set are made."""

    number: int
    plies: int
    """Within so many moves of both sides the win must be there."""
    max_share: float = 0.5
    """The part of the puzzles that may have the same difficulty."""
    look: int = 30_000
    """Nodes of the search that proposes positions."""
    max_nodes: int = 600_000
    """A proof that takes more is given up."""
    min_chance: float = 0.8
    """Positions whose winning chance looks smaller at first are ignored."""
    at_random: bool = False
    """Whether the games are random, not the engine's."""
    max_margin: int = 1000
    """Games that end with a larger margin are ignored."""
    last: int = 1000
    """Only so many of the last positions of a game are looked at."""
    can_be_turned: bool = True
    """Whether a board that is turned or mirrored is the same to the rules."""

    def distance(self, prover: Prover, state: Any, team: Team) -> int | None:
        """Within how many moves ``team`` wins, or ``None``; to the end of the game it does not matter when."""
        if self.plies < TO_THE_END:
            return prover.distance(state, team, self.plies)
        return TO_THE_END if prover.wins(state, team, TO_THE_END) else None


BLOKUS = Recipe(
    60,
    plies=TO_THE_END,
    max_share=1.0,
    look=4000,
    max_nodes=60_000,
    min_chance=0.5,
    at_random=True,
    max_margin=3,
    last=9,
)
RECIPES = {
    "piranhas-2019": Recipe(45, plies=5, max_share=0.7),
    "piranhas-2026": Recipe(60, plies=5, max_share=0.7),
    "ostseeschach-2022": Recipe(110, plies=5),
    "blokus-2021": replace(BLOKUS, number=43),
    "blokus-2027": BLOKUS,
    "pinguine-2023": Recipe(
        100,
        plies=TO_THE_END,
        max_share=0.7,
        look=8000,
        max_nodes=100_000,
        min_chance=0.5,
        max_margin=12,
        last=14,
        can_be_turned=False,
    ),
    "hase-und-igel-2025": Recipe(100, plies=5, max_share=0.7, can_be_turned=False),
}


class Maker:
    """Makes the puzzles of one rule set."""

    def __init__(self, game: AnyGame, recipe: Recipe, seed: int) -> None:
        self._game = game
        self._recipe = recipe
        self._seed = seed

    def puzzles(self) -> Iterator[Puzzle]:
        """As many different puzzles as the recipe says."""
        number = self._recipe.number
        boards: set[str] = set()
        of_difficulty: Counter[Difficulty] = Counter()
        games_played = count()
        while len(boards) < number:
            puzzle = self._puzzle_of_game(next(games_played))
            if puzzle is None or of_difficulty[puzzle.difficulty] >= self._recipe.max_share * number:
                continue
            if (board := canonical(puzzle.position)) not in boards:
                boards.add(board)
                of_difficulty[puzzle.difficulty] += 1
                yield puzzle

    def _puzzle_of_game(self, number: int) -> Puzzle | None:
        rng = Random(f"{self._seed}/{self._game.key}/{number}")
        search = EngineSearch(self._game, table_mib=4)
        states = self._self_play(search, rng)
        if margin(states[-1]) > self._recipe.max_margin:
            return None
        for state in states[-self._recipe.last - 1 : -1]:
            if self._is_proposed(search, state) and (puzzle := self._proved(state)) is not None:
                return puzzle
        return None

    def _self_play(self, search: EngineSearch[Any, Any], rng: Random) -> list[Any]:
        states = [self._game.new_state(rng)]
        while states[-1].outcome is None:
            state = states[-1]
            if self._recipe.at_random:
                move = rng.choice(state.legal_moves())
            else:
                move = rng.choice(search.search(state, Budget(nodes=400), lines=3).lines).moves[0]
            states.append(state.play(move))
        return states

    def _is_proposed(self, search: EngineSearch[Any, Any], state: Any) -> bool:
        if len(state.legal_moves()) < MIN_MOVES:
            return False
        best, second = search.search(state, Budget(nodes=2000), lines=2).lines
        if best.win_probability < self._recipe.min_chance or second.win_probability == 1.0:
            return False
        best, second = search.search(state, Budget(nodes=self._recipe.look), lines=2).lines
        return best.win_probability == 1.0 and second.win_probability <= MAX_OTHER

    def _proved(self, state: Any) -> Puzzle | None:
        prover, team = Prover(self._recipe.max_nodes), state.to_move
        try:
            plies = self._recipe.distance(prover, state, team)
            if plies is None or len(winning := prover.winning_moves(state, plies)) != 1:
                return None
        except BudgetSpent:
            return None
        position = self._game.notation.format_state(state)
        solution = self._solution(prover, state, winning[0], plies)
        return self._measured(
            Puzzle(game=self._game, position=position, plies=plies, nodes=0, solution=tuple(solution))
        )

    def _solution(self, prover: Prover, state: Any, move: Any, plies: int) -> Iterator[str]:
        """The only winning move, the answer that resists longest, again the only winning move, and so on."""
        team, moves = state.to_move, (move,)
        for _ in range(MAX_OWN_MOVES):
            for move in moves:
                yield self._game.notation.format_move(state, move)
                state = state.play(move)
            plies -= len(moves)
            try:
                found = max(self._continuations(prover, state, team, plies), key=lambda each: each[0], default=None)
            except BudgetSpent:
                return
            if found is None:
                return
            moves = found[1]

    def _continuations(
        self, prover: Prover, state: Any, team: Team, plies: int
    ) -> Iterator[tuple[tuple[int, int], tuple[Any, ...]]]:
        """The opponent's answers after which one move wins again, with that move and how well they resist."""
        for answers, after in _until_turn(state, team):
            left = plies - len(answers)
            winning = prover.winning_moves(after, left)
            ends = [move for move in winning if after.play(move).outcome is not None]
            if len(winning) == 1 or ends:
                resistance = self._recipe.distance(prover, after, team) or 0
                yield (resistance, len(after.legal_moves())), (*answers, *(ends or winning)[:1])

    def _measured(self, puzzle: Puzzle) -> Puzzle | None:
        """With the smallest number of nodes from which on the engine finds the solution."""
        state = puzzle.start
        after = state.play(self._game.notation.parse_move(state, puzzle.solution[0]))
        needed = None
        for nodes in reversed(NODES):
            found = EngineSearch(self._game, table_mib=4).search(state, Budget(nodes=nodes))
            if state.play(found.move) != after:
                break
            needed = nodes
        return None if needed is None else replace(puzzle, nodes=needed)


def _until_turn(state: Any, team: Team) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every way of the opponent to move until it is the turn of ``team``, and where it leads."""
    if state.outcome is not None:
        return
    if state.to_move is team:
        yield (), state
        return
    for move in state.legal_moves():
        for moves, after in _until_turn(state.play(move), team):
            yield (move, *moves), after


def margin(state: Any) -> int:
    """By how many points a finished game was won."""
    one, two = (int(state.points(team)[1]) for team in TEAMS)
    return abs(one - two)


def _dots(number: re.Match[str]) -> str:
    return "." * int(number[0])


def canonical(position: str) -> str:
    """The board of a position without its turn, the same for all eight ways to turn and mirror it where that is one."""
    key, rows = position.split()[:2]
    if not RECIPES[key].can_be_turned:
        return position.rpartition(" ")[0]
    # A square is a letter, with a sign behind it if it is a tower.
    board = [re.findall(r"[^0-9+]\+?", re.sub(r"[0-9]+", _dots, row)) for row in rows.split("/")]
    ways = []
    for _ in range(4):
        board = [list(column) for column in zip(*reversed(board), strict=True)]
        ways += [str(board), str([row[::-1] for row in board])]
    return f"{key} {min(ways)}"


# --- proofs -----------------------------------------------------------------------------------------------------------


def why_wrong(puzzle: Puzzle, max_nodes: int) -> str | None:
    """What does not hold of a puzzle by exhaustive search, or ``None``. Raises ``BudgetSpent``."""
    state, left, prover = puzzle.start, puzzle.plies, Prover(max_nodes)
    team, last = state.to_move, len(puzzle.solution) - 1
    for ply, text in enumerate(puzzle.solution):
        move = puzzle.game.notation.parse_move(state, text)
        after = state.play(move)
        if state.to_move is team:
            winning = prover.winning_moves(state, left)
            ends_game = ply == last and ply > 0 and after.outcome is not None
            if move not in winning:
                return f"{text} does not win within {left} moves"
            if len(winning) > 1 and not ends_game:
                return f"{len(winning)} moves win instead of {text}"
        state, left = after, left - 1
    return None


# --- files ------------------------------------------------------------------------------------------------------------


def file_of(key: str) -> Path:
    """The file with the puzzles of a rule set."""
    return games.folder_of(games.load(key)) / FILE


def make(key: str, seed: int) -> None:
    """Write the puzzles of a rule set into the file of its game, each as it is found; those of other rule sets stay."""
    made: list[Puzzle] = []
    with console.status(key) as status:
        for puzzle in Maker(games.load(key), RECIPES[key], seed).puzzles():
            made.append(puzzle)
            write(key, made)
            status.update(f"{key}: {len(made)} of {RECIPES[key].number}")
    console.print(f"{key}: {describe(made)}")


def write(key: str, puzzles: list[Puzzle]) -> None:
    """Replace the puzzles of a rule set in the file of its game."""
    file = file_of(key)
    there = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    lines = [line for line in there if line.split()[0] != key] + [puzzle.to_line() for puzzle in puzzles]
    file.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def describe(puzzles: list[Puzzle]) -> str:
    """How many puzzles there are, and how many of each difficulty."""
    counts = Counter(puzzle.difficulty.value for puzzle in puzzles)
    return f"{len(puzzles)} puzzles; " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def verify(keys: list[str]) -> int:
    """Prove all puzzles of these rule sets; the number of those that do not hold."""
    wrong = 0
    for key in keys:
        puzzles = [puzzle for puzzle in all_puzzles().values() if puzzle.game.key == key]
        with console.status(key) as status:
            for number, puzzle in enumerate(puzzles, 1):
                status.update(f"{key}: {number} of {len(puzzles)}")
                try:
                    why = why_wrong(puzzle, 4 * RECIPES[key].max_nodes)
                except BudgetSpent:
                    why = "takes too long to prove"
                if why is not None:
                    wrong += 1
                    console.print(f"{puzzle.id} {puzzle.position}: {why}")
        console.print(f"{key}: {describe(puzzles)}; {'all hold' if not wrong else f'{wrong} wrong so far'}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=RECIPES, help="key of a rule set, repeatable (all)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (1)")
    parser.add_argument("--verify", action="store_true", help="prove the puzzles that are there")
    options = parser.parse_args()
    keys = options.game or list(RECIPES)
    if options.verify:
        sys.exit(1 if verify(keys) else 0)
    for key in keys:
        make(key, options.seed)


if __name__ == "__main__":
    main()
