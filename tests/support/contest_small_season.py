"""A small season for tests: four teams, deterministic players in this process, a few hundred milliseconds."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.next import SeasonState, Until
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.sandbox import Level

TEAMS = ("Ada", "Bit & Byte", "<script>alert(1)</script>", "Döner")


def season_text(
    *,
    teams: tuple[str, ...] = TEAMS,
    players: dict[str, str] | None = None,
    more: str = "",
    season: str = "",
    championship: str = "",
    final: bool = True,
) -> str:
    """A season file; ``players`` replaces the players of some teams."""
    chosen = {name: f"random:seed={place}" for place, name in enumerate(teams)} | (players or {})
    entries = "\n".join(
        f'[[teams]]\nname = "{name}"\n' + (f'player = "{chosen[name]}"\n' if chosen[name] else "") for name in teams
    )
    return f"""
[season]
name = "Test"
game = "piranhas-2026"
seed = 7
games = 2
in_process = true
{season}
[championship]
{championship}
{"[final]" if final else ""}
{"games = 2" if final else ""}
{"cap = 4" if final else ""}
{more}
{entries}
"""


def found(folder: Path, text: str | None = None, url: str | None = None) -> Contest:
    """A founded season in ``folder``."""
    path = folder / "season.toml"
    path.write_text(season_text() if text is None else text, encoding="utf-8")
    return Contest.open(path, url)


def play(contest: Contest, until: Until | None = None, **options: object) -> SeasonState | None:
    """Play a season as far as it goes."""

    async def run() -> SeasonState | None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE), concurrency=2) as executor:
            with Conductor(contest, until=until, **options) as conductor:  # type: ignore[arg-type]
                await play_series(conductor, executor, patience=0.02)
            return conductor.state

    return asyncio.run(run())
