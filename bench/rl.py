"""How fast programs that learn get their games: steps a second with observations and masks, beside the environments.

Random moves; CPU time of this process for one thread, wall-clock time for two. The aims are those of the project's
issue 20. With open_spiel or pgx installed (they are no dependencies), games of similar size are measured beside them:
other rules, other planes, so the order of magnitude is what to read; ``python -m bench.rl --others`` does only that.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.rules import rate
from spielleiter import games, native, rl
from spielleiter.game import AnyGame, playout
from spielleiter.native import Batch
from spielleiter.search import AlphaBeta, Budget, MonteCarlo, engine

KEYS = ("piranhas-2026", "ostseeschach-2022", "blokus-2027")
AIMS = {"piranhas-2026": 100_000, "ostseeschach-2022": 100_000, "blokus-2027": 20_000}
BEFORE = {"piranhas-2026": "42", "blokus-2027": "29"}
"""Games a second of ``rl.env`` before it played on native states."""
GAMES = {"piranhas-2026": (256, 4096), "ostseeschach-2022": (256, 4096), "blokus-2027": (64, 1024)}
"""Small batches fit the caches; with large ones calling the second thread costs next to nothing."""


def batch_steps(key: str, number: int, threads: int) -> Callable[[], int]:
    batch = Batch(key, number, threads=threads)
    for _ in range(200):  # until the games are at different turns
        batch.step(batch.random_actions())

    def step() -> int:
        batch.step(batch.random_actions())
        return number

    return step


def wall_rate(work: Callable[[], int], seconds: float = 2.0) -> float:
    """Like ``rate``, by the clock on the wall."""
    work()
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += work()
    return done / spent


def one_game(env: Any) -> int:
    """The steps of a random game through ``rl.env``, in the loop of docs/rl.md, which looks at everything."""
    env.reset()
    steps = 0
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
            steps += 1
    return steps


def environment_games(key: str) -> float:
    """Whole games a second in that loop."""
    env: Any = rl.env(key, seed=1)
    return rate(lambda: int(one_game(env) > 0))


def environment_steps(key: str) -> float:
    """Steps a second in that loop."""
    env: Any = rl.env(key, seed=1)
    return rate(lambda: one_game(env))


def without_engine(work: Callable[[], float]) -> float:
    """What ``work`` measures where the engine was not built."""
    problem, engine._PROBLEM = engine._PROBLEM, "not used"
    try:
        return work()
    finally:
        engine._PROBLEM = problem


def random_games(game: AnyGame) -> float:
    """Whole random games a second, move by move in Python."""
    rng = Random(1)
    starts = [game.new_state(rng) for _ in range(20)]

    def one_game() -> int:
        playout(starts[rng.randrange(20)], rng)
        return 1

    rate(one_game, 1.0)  # every move is made once
    return rate(one_game)


SEARCH_DEPTH = {"piranhas-2026": 2, "ostseeschach-2022": 3, "blokus-2027": 2}


def searches(game: AnyGame) -> tuple[float, float, float]:
    """Nodes a second of searches in Python: alpha-beta, tree search with the evaluation, tree search with playouts."""
    rng = Random(1)
    state = game.new_state(Random(3))
    for _ in range(8):
        state = state.play_unchecked(rng.choice(state.legal_moves()))

    def alpha_beta() -> int:
        search: AlphaBeta[Any, Any] = AlphaBeta(game.evaluate, moves=game.promising_moves, rng=Random(1))
        return search.search(state, Budget(depth=SEARCH_DEPTH[game.key])).nodes

    def with_evaluation() -> int:
        tree: MonteCarlo[Any, Any] = MonteCarlo(game.evaluate, moves=game.promising_moves, rng=Random(1))
        return tree.search(state, Budget(nodes=300)).nodes

    def with_playouts() -> int:
        tree: MonteCarlo[Any, Any] = MonteCarlo(rng=Random(1))
        return tree.search(state, Budget(nodes=1500)).nodes

    return rate(alpha_beta), rate(with_evaluation), rate(with_playouts)


ONE_BY_ONE = ("piranhas-2026", "ostseeschach-2022", "pinguine-2023", "hase-und-igel-2025", "blokus-2027")


def beside_others() -> Table:
    """Ours and other libraries in turn: one game at a time, and many at once, each with observations and legal actions.

    A library that is not installed is named. The games are not the same: breakthrough (8x8) is about as large as
    Ostseeschach, go (9x9) as Piranhas, and animal_shogi (3x4) the smallest game of this kind that pgx has.
    """
    measured: list[tuple[str, Callable[[], float]]] = [
        (f"rl.env, {key}", partial(environment_steps, key)) for key in ONE_BY_ONE
    ]
    missing = []
    try:
        import pyspiel

        measured += [
            (f"OpenSpiel, {name}", partial(_open_spiel, pyspiel, name)) for name in ("breakthrough", "go(board_size=9)")
        ]
    except ModuleNotFoundError:
        missing.append("open_spiel")
    measured += [
        (f"Batch of 256, {key}", partial(rate, batch_steps(key, 256, 1)))
        for key in ("ostseeschach-2022", "piranhas-2026")
    ]
    try:
        import pgx

        measured += [
            (f"pgx, {name}, 256 at once, by JAX on the CPU", partial(_pgx, pgx, name))
            for name in ("animal_shogi", "go_9x9")
        ]
    except ModuleNotFoundError:
        missing.append("pgx")
    rates: dict[str, list[float]] = {name: [] for name, _ in measured}
    for _ in range(3):
        for name, measure in measured:
            rates[name].append(measure())
    table = Table(title="Steps/s, CPU time, by turns, median of three")
    table.add_column("what")
    table.add_column("steps", justify="right")
    table.add_column("microseconds", justify="right")
    for name, found in rates.items():
        middle = sorted(found)[1]
        table.add_row(name, f"{middle:,.0f}", f"{1e6 / middle:.2f}")
    for name in missing:
        table.add_row(f"{name}: not installed (pip install {name})", "", "")
    return table


def _open_spiel(pyspiel: Any, name: str) -> float:
    game, rng = pyspiel.load_game(name), Random(1)

    def one_game() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return rate(one_game)


def _pgx(pgx: Any, name: str) -> float:
    import jax

    env = pgx.make(name)
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(pgx.experimental.auto_reset(env.step, env.init)))
    key = jax.random.PRNGKey(1)
    state = init(jax.random.split(key, 256))

    def steps() -> int:
        nonlocal state, key
        for _ in range(20):
            key, draw, again = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(float))
            state = step(state, jax.random.categorical(draw, logits), jax.random.split(again, 256))
        state.observation.block_until_ready()
        return 20 * 256

    return rate(steps)


def main() -> None:
    console = Console(width=120)
    if sys.argv[1:] == ["--others"]:
        console.print(beside_others())
        return
    table = Table(title="Batch: steps/s with observations and masks, random moves")
    for name in ("game", "one thread", "aim", "one thread (wall)", "two threads (wall)", "times"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in KEYS:
        for number in GAMES[key]:
            one, two = batch_steps(key, number, 1), batch_steps(key, number, 2)
            cpu, wall, both = rate(one), wall_rate(one), wall_rate(two)
            rates = (f"{cpu:,.0f}", f"{AIMS[key]:,}", f"{wall:,.0f}", f"{both:,.0f}", f"{both / wall:.2f}")
            table.add_row(f"{key}, {number:,} games", *rates)
    console.print(table)
    table = Table(title="Games/s, CPU time, one thread")
    for name in ("game", "rl.env", "in Python", "before", "states: native", "in Python"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in KEYS:
        fast = environment_games(key)
        slow = without_engine(lambda key=key: environment_games(key))  # type: ignore[misc]
        states = random_games(native.load(key)), random_games(games.load(key))
        table.add_row(key, f"{fast:,.0f}", f"{slow:,.0f}", BEFORE.get(key, ""), *(f"{value:,.0f}" for value in states))
    console.print(table)
    table = Table(title="Searches in Python: nodes/s on native states, and how many times those on states in Python")
    for name in ("game", "alpha-beta", "tree, evaluation", "tree, playouts"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for key in KEYS:
        found = zip(searches(native.load(key)), searches(games.load(key)), strict=True)
        table.add_row(key, *(f"{fast:,.0f} ({fast / slow:.1f} x)" for fast, slow in found))
    console.print(table)
    console.print(beside_others())


if __name__ == "__main__":
    main()
