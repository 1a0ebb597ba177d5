"""Small seasons for tests, and what became of them: players of chance that play the same games every time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from sqlalchemy import select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import podium
from spielleiter.contest.run.standings import group_standings, groups_of
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import SeasonState, Until
from spielleiter.contest.store import EncounterRow, GameRow, LotRow, MatchdayRow
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.series import play_series
from spielleiter.matches.tasks import FinishedGame, GameTask, OnLine

GAME = "piranhas-2026"


def team_lines(names: Iterable[str], group: str = "", player: Callable[[int], str] | None = None) -> str:
    """The teams as they stand in the file; without ``player`` each one plays by a chance of its own."""
    choose = player or (lambda number: f"random:seed={number}")
    lines = []
    for number, name in enumerate(names, 1):
        lines += ["[[teams]]", f'name = "{name}"', f'player = "{choose(number)}"']
        lines += [f'group = "{group}"'] if group else []
    return "\n".join(lines) + "\n"


def season_text(
    groups: Mapping[str, Sequence[str]] | Sequence[str],
    *,
    season: str = "",
    championship: str = "qualify = 4",
    rest: str = "",
    player: Callable[[int], str] | None = None,
) -> str:
    """A season file, played in this process with two games an encounter."""
    by_group = groups if isinstance(groups, dict) else {"": groups}
    head = f'[season]\nname = "Probe"\ngame = "{GAME}"\nseed = 7\ngames = 2\nin_process = true\ntime = 10\n{season}\n'
    teams = "".join(team_lines(names, group, player) for group, names in by_group.items())
    return f"{head}\n[championship]\n{championship}\n\n{rest}\n\n{teams}"


FINAL = "[final]\ngames = 2\ncap = 4\n"
LEAGUE = "[champions_league]\nqualify = 8\n"


def opened(folder: Path, url: str, text: str) -> Contest:
    """The season of a text, in a store."""
    path = folder / "season.toml"
    path.write_text(text, encoding="utf-8")
    return Contest.open(path, url)


class InThisProcess:
    """Plays one game after the other, without threads."""

    slots = 1
    notices = ()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def play(self, task: GameTask, on_line: OnLine | None = None) -> FinishedGame:
        return play_in_process(task, on_line)


def play(contest: Contest, **options: Any) -> SeasonState | None:
    """Play a season as far as it goes."""
    with Conductor(contest, **options) as conductor:
        asyncio.run(play_series(conductor, InThisProcess(), patience=0.02))
        return conductor.state


def outcome(contest: Contest) -> dict[str, Any]:
    """Everything that a season has decided, without times and machines, in an order of its own."""
    summary: dict[str, Any] = {"tables": {}, "games": [], "encounters": [], "lots": [], "days": []}
    with contest.store.reading() as session:
        for stage in Stage:
            for group in groups_of(session, stage):
                if stage is not Stage.FINAL:
                    summary["tables"][stage, group] = group_standings(session, contest.season, stage, group)
        for encounter in session.scalars(select(EncounterRow).order_by(EncounterRow.key)):
            summary["encounters"].append(
                (
                    encounter.key,
                    encounter.first.name,
                    encounter.second.name,
                    encounter.games,
                    encounter.won_first,
                    encounter.won_second,
                    encounter.drawn,
                    encounter.secondary_first,
                    encounter.secondary_second,
                    encounter.winner_id,
                    encounter.lot_seed,
                    encounter.finished is not None,
                )
            )
        games = session.execute(
            select(GameRow, EncounterRow.key).join(EncounterRow).order_by(EncounterRow.key, GameRow.number)
        )
        for game, key in games:
            summary["games"].append(
                (
                    key,
                    game.number,
                    game.attempt,
                    game.annulled,
                    game.decision,
                    (game.points_first, game.points_second),
                    (game.secondary_first, game.secondary_second),
                    game.plies,
                    game.start,
                    game.final,
                    game.reason_en,
                )
            )
        for lot in session.scalars(select(LotRow)):
            summary["lots"].append((lot.stage, lot.group, tuple(lot.teams), lot.seed))
        summary["lots"].sort()
        for day in session.scalars(select(MatchdayRow).order_by(MatchdayRow.stage, MatchdayRow.number)):
            summary["days"].append((day.stage, day.number, day.opened is not None, day.finished is not None))
        summary["podium"] = podium(session, contest.season)
    return summary


__all__ = ["FINAL", "GAME", "LEAGUE", "Until", "opened", "outcome", "play", "season_text", "team_lines"]
