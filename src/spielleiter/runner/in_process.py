"""A game between built-in players inside this process: no network, no sandbox, no other process. For quick tests."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from spielleiter import games
from spielleiter.errors import IllegalMove, SettingsError
from spielleiter.game import TEAMS, Team, Text
from spielleiter.runner.arena import GameTask, Played
from spielleiter.runner.entrants import EntrantKind
from spielleiter.runner.results import Fault, GameRow, SideResult


def play_in_process(task: GameTask) -> Played:
    """The game, played by calling the players one after the other. Their time is measured and judged as usual."""
    for entrant in task.entrants:
        if entrant.kind is not EntrantKind.BUILT_IN:
            raise SettingsError(f"{entrant.name} is no built-in player: only those can play in this process")
    game = games.load(task.game)
    load = import_module("spielleiter.players").load
    players = [load(entrant.text) for entrant in task.entrants]
    began, wall = time.monotonic(), datetime.now(UTC)
    state = game.notation.parse_state(task.start)
    times: tuple[list[float], list[float]] = ([], [])
    faults: dict[Team, tuple[Fault, Text]] = {}
    plies = 0
    while state.outcome is None and not faults:
        team: Team = state.to_move
        asked = time.perf_counter()
        after, problem = _move(players[team], state, task.limits.soft)
        took = time.perf_counter() - asked
        if problem is None and took > task.limits.soft:
            problem = (Fault.LATE, Text(f"{took:.3f} s gebraucht", f"took {took:.3f} s"))
        if problem is not None:
            faults[team] = problem
        else:
            times[team].append(round(took, 4))
            state, plies = after, plies + 1
    one, two = (
        SideResult(
            name=task.entrants[team].name,
            points=tuple(state.points(team)),
            move_times=tuple(times[team]),
            sandbox="in-process",
        )
        for team in TEAMS
    )
    sides = [one, two]
    winner, reason = (None, Text("", "")) if state.outcome is None else (state.outcome.winner, state.outcome.text)
    for team, (fault, text) in faults.items():
        other = sides[team.opponent]
        sides[team] = replace(sides[team], fault=fault, points=(0,) * len(other.points))
        sides[team.opponent] = replace(other, points=(2, *other.points[1:]))
        name = task.entrants[team].name
        winner, reason = team.opponent, Text(f"{name}: {text.de}", f"{name}: {text.en}")
    row = GameRow(
        id=task.pairing.id,
        pair=task.pairing.pair,
        round=task.pairing.round,
        sides=(sides[0], sides[1]),
        winner=winner,
        counts=True,
        reason=reason,
        start=task.start,
        final=game.notation.format_state(state),
        plies=plies,
        seconds=round(time.monotonic() - began, 3),
        started=wall.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    )
    return Played(row)


def _move(player: Any, state: Any, seconds: float) -> tuple[Any, tuple[Fault, Text] | None]:
    """The state after the player's move, or what went wrong."""
    try:
        return state.play(player.choose(state, seconds)), None
    except IllegalMove as problem:
        return None, (Fault.ILLEGAL, Text(str(problem), str(problem)))
    except Exception as problem:  # noqa: BLE001 - a player may fail in any way, and that is a result
        return None, (Fault.CRASH, Text(repr(problem), repr(problem)))
