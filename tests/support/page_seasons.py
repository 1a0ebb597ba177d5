"""Small seasons that are really played, quickly, with names that mean harm."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import AuditRow, EncounterRow, GameRow, LotRow, NewsRow, TeamRow
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.sandbox import Level

HOSTILE = ("<script>alert(1)</script>", "../../x", '🦈 Haie & "Söhne" \'', "{{ 7 * 7 }}", "=1+1")
NICE = ("Kieler Sprotten", "Bitschubser", "Nullzeiger", "Die Ohrwürmer", "Endlosschleife", "Möwenschreck")
MOMENT = datetime(2027, 2, 1, 18, tzinfo=UTC)
SECRET = "only for the team: my password is 1234"


def season_text(
    names: tuple[str, ...],
    *,
    game: str = "piranhas-2026",
    standings: str = "wins",
    lots: str = "automatic",
    seed: int = 7,
) -> str:
    """A season file with two groups; the first one has an odd number of teams if there are so many."""
    half = len(names) // 2 + (len(names) // 2) % 2 - 1
    teams = "".join(
        f"[[teams]]\nname = {json.dumps(name, ensure_ascii=False)}\nschool = {json.dumps(f'Schule <b>{at}</b>')}\n"
        f'group = "{"A" if at < half else "B"}"\nplayer = "random:seed={at}"\n'
        for at, name in enumerate(names)
    )
    return (
        f'[season]\nname = "Saison <i>2027</i>"\ngame = "{game}"\nseed = {seed}\nstandings = "{standings}"\n'
        f'lots = "{lots}"\n'
        "games = 2\nin_process = true\n[trial]\nmatchdays = 1\n[championship]\nqualify = 4\n"
        f"[champions_league]\nqualify = 8\n[final]\ngames = 2\ncap = 4\n{teams}"
    )


def play(contest: Contest, until: Until | None = None) -> None:
    """Play a season on, as far as wanted."""

    async def run() -> None:
        async with LocalExecutor(ArenaSettings(level=Level.NONE), concurrency=2) as executor:
            with Conductor(contest, until=until) as conductor:
                await play_series(conductor, executor)

    # In a thread of its own: a browser may have the loop of this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()


def found(folder: Path, text: str) -> Contest:
    """The season of a text, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "season.toml").write_text(text, encoding="utf-8")
    return Contest.open(folder / "season.toml")


def disturb(contest: Contest) -> None:
    """Write down what rarely happens: faults, an annulled game, a walkover, lots, rulings, news, and secrets."""
    with contest.store.transaction() as session:
        encounters = session.scalars(select(EncounterRow).where(EncounterRow.stage == Stage.CHAMPIONSHIP)).all()
        games = session.scalars(
            select(GameRow).where(GameRow.encounter_id == encounters[0].id).order_by(GameRow.number)
        ).all()
        games[0].annulled = True
        games[0].details = {"first": {"last_words": SECRET}, "second": {}}
        games[1].fault_first = "illegal"
        games[1].reason_de = f"Ungültiger Zug von {encounters[0].first.name}: <b>das Feld ist besetzt</b>"
        games[1].reason_en = f"Illegal move of {encounters[0].first.name}: <b>the square is taken</b>"
        other = session.scalars(select(GameRow).where(GameRow.encounter_id == encounters[1].id)).first()
        assert other is not None
        other.decision = Decision.DISQUALIFIED
        other.host = "secret-host"
        team = session.scalars(select(TeamRow).order_by(TeamRow.id)).first()
        assert team is not None
        team.disqualified = MOMENT
        names = sorted(session.scalars(select(TeamRow.name)))[:2]
        session.add(
            LotRow(stage=Stage.CHAMPIONSHIP, group="A", teams=names, seed="7/lot/<u>", at=MOMENT, who="secret-who")
        )
        for action, reason in (
            ("annul", "The power failed\nin the hall <img src=x onerror=alert(1)>"),
            ("invite", "secret-invitation"),
        ):
            session.add(AuditRow(at=MOMENT, who="secret-who", action=action, subject="M1-A1-1", reason=reason))
        for number in range(5):
            text = f"News {number} <script>alert(2)</script>"
            session.add(
                NewsRow(
                    at=MOMENT, who="secret-who", title_de=text, title_en=text, text_de=f"Neues: {text}", text_en=text
                )
            )
