"""A small season behind the pages, seen from a test: its people, their sessions, and the tokens of their forms."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

httpx = pytest.importorskip("httpx")

from spielleiter.contest.accounts import accounts
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.progress import advance
from spielleiter.contest.run.results import settle
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.store import (
    AccountRow,
    AuditRow,
    EncounterRow,
    GameFilesRow,
    GameRow,
    ProgramRow,
    Store,
    TeamRow,
    now,
)
from spielleiter.programs.sandbox import Level, choose
from spielleiter.web.season.sessions import SESSION_COOKIE

HOSTILE = "<script>alert(1)</script>\"'&"
MEMBER, OTHER, THIRD = "Kieler Sprotten", "Bitschubser", HOSTILE
PEOPLE = {"ada": MEMBER, "bob": OTHER, "eve": THIRD, "olga": None}
PASSWORD = "a good long password"
PROGRAM = 50
"""The number of a program that only the first team has."""
SECRET = "secret of "
"""With what the log of each team begins."""
SEASON = f"""
[season]
name = "Season <b>of</b> the tests"
game = "piranhas-2026"
seed = 5
games = 2
in_process = IN_PROCESS
sandbox = "SANDBOX"

[championship]
qualify = 2

[[teams]]
name = "{MEMBER}"
school = "Gymnasium an der Förde"
player = "random"
[[teams]]
name = "{OTHER}"
player = "random"
[[teams]]
name = '''{THIRD}'''
player = "random"
[[teams]]
name = "Ohne Programm"
"""


@dataclass(eq=False)
class ContestSite:
    """The pages of a contest that are being served."""

    site: Any
    contest: Contest
    people: dict[str, AccountRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with self.store.reading() as session:
            self.people = {account.name: account for account in session.scalars(select(AccountRow))}

    @property
    def base(self) -> str:
        return str(self.site.base)

    @property
    def store(self) -> Store:
        return self.contest.store

    @property
    def jobs(self) -> Any:
        return self.site.running.contest_app.jobs

    def visitor(self, name: str | None) -> Visitor:
        """Somebody with a session of their own; ``None``: a stranger."""
        cookie = ""
        if name is not None:
            with self.store.transaction() as session:
                cookie = accounts._open_session(session, self.people[name].id)
        return Visitor(self.base, cookie)

    def wait(self, channel: Any, reached: Callable[[], bool]) -> None:
        """Wait until something is so that ``channel`` publishes."""

        async def waiting() -> None:
            while not reached():
                await channel.wait(channel.version)

        self.site.do(waiting)

    def scalars(self, wanted: Any) -> list[Any]:
        with self.store.reading() as session:
            return list(session.scalars(wanted))


class Visitor:
    """A browser, as far as a test needs one."""

    def __init__(self, base: str, cookie: str = "") -> None:
        # Without kept connections there is nothing to close in the end.
        none = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.Client(base_url=base, headers={"accept-language": "en"}, limits=none)
        if cookie:
            self.client.cookies.set(SESSION_COOKIE, cookie)

    @property
    def cookie(self) -> str:
        return self.client.cookies.get(SESSION_COOKIE) or ""

    def get(self, path: str, **more: Any) -> Any:
        return self.client.get(path, **more)

    def text(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def token(self) -> str:
        """A token as it stands in the forms of this browser."""
        page = self.get("/contest/account")
        if page.status_code != 200:
            page = self.get("/contest/login")
        found = re.search(r'name="token" value="([^"]+)"', page.text)
        assert found is not None
        return found[1]

    def post(self, path: str, *, token: str | None = None, files: Any = None, **form: str) -> Any:
        """Send a form, with the right token unless another one is given."""
        return self.client.post(path, data={**form, "token": self.token() if token is None else token}, files=files)

    def notices(self, path: str) -> str:
        """What the next page says at its top."""
        return " ".join(re.findall(r'<div class="notice.*?</div>', self.text(path), re.DOTALL))


@cache
def sandbox() -> str:
    """The best way to lock up programs here. A browser of the tests may have an event loop in this thread."""
    with ThreadPoolExecutor() as pool:
        level: Level = pool.submit(lambda: asyncio.run(choose()).level).result()
    return level.value


@contextmanager
def open_season(folder: Path, *, in_process: bool = False) -> Iterator[Contest]:
    """The season with four accounts, a program of its own for one team, and one encounter that was played.

    In this process it is played quickly, but only by built-in players.
    """
    path = folder / "season.toml"
    text = SEASON.replace("SANDBOX", sandbox()).replace("IN_PROCESS", str(in_process).lower())
    path.write_text(text, encoding="utf-8")
    with Contest.open(path) as contest:
        add_people(contest)
        add_program(contest)
        play_one(contest)
        yield contest


def add_people(contest: Contest, people: Mapping[str, str | None] = PEOPLE) -> None:
    """Accounts of members, and of an organiser, who has no team."""
    hashed = accounts._hasher().hash(PASSWORD)  # Once for all: it takes its time.
    with contest.store.transaction() as session:
        ids = {team.name: team.id for team in session.scalars(select(TeamRow))}
        for name, team in people.items():
            session.add(
                AccountRow(
                    name=name,
                    password=hashed,
                    team_id=None if team is None else ids[team],
                    organiser=team is None,
                    created=now(),
                )
            )


def add_program(contest: Contest) -> None:
    """A program of the first team, as if it had been checked."""
    with contest.store.transaction() as session:
        team = session.scalars(select(TeamRow).where(TeamRow.name == MEMBER)).one()
        report = {
            "findings": [],
            "games": [
                {
                    "side": "ONE",
                    "won": True,
                    "reason": {"de": "", "en": ""},
                    "plies": 1,
                    "final": "",
                    "log": f"{SECRET}hello",
                }
            ],
        }
        session.add(
            ProgramRow(
                team_id=team.id,
                number=PROGRAM,
                name=f"{HOSTILE}.zip",
                builtin=False,
                digest="0" * 64,
                size=1,
                submitted=now(),
                who="ada (member)",
                passed=True,
                report=report,
            )
        )


def play_one(contest: Contest) -> None:
    """One encounter of two of the teams, with logs that no other team may see."""
    with contest.store.transaction() as session:
        advance(session, contest.season)
        teams = {team.name: team.id for team in session.scalars(select(TeamRow))}
        wanted = {teams[MEMBER], teams[THIRD]}
        (encounter,) = [one for one in session.scalars(select(EncounterRow)) if {one.first_id, one.second_id} == wanted]
        for number in (1, 2):
            # Why a program failed is a line of its log.
            first, second = (
                dict.fromkeys(("de", "en"), SECRET + team.name) for team in (encounter.first, encounter.second)
            )
            game = GameRow(
                encounter_id=encounter.id,
                number=number,
                decision=Decision.PLAYED,
                points_first=2,
                points_second=0,
                secondary_first=7,
                secondary_second=3,
                fault_second="illegal",
                reason_de="Zug war <b>falsch</b>",
                reason_en="move was <b>wrong</b>",
                plies=12,
                seconds=1.0,
                started=now(),
                start="",
                final="",
                host="",
                details={
                    "first": {"move_times": [0.5, 1.25], "exit_code": 0, "failure": first},
                    "second": {"exit_code": -9, "failure": second},
                },
            )
            session.add(game)
            session.flush()
            logs = [
                zlib.compress(f"{SECRET}{team.name}\n</pre><script>alert(2)</script>\x1b[31m".encode())
                for team in (encounter.first, encounter.second)
            ]
            session.add(GameFilesRow(game_id=game.id, record=b"", log_first=logs[0], log_second=logs[1]))
        settle(session, contest.season, encounter)


def link_in(text: str) -> str:
    found = re.search(r"http://[^<\"]+/contest/invitation/[\w-]+", text)
    assert found is not None
    return found[0]


def audit(contest: ContestSite) -> list[tuple[str, str, str, str]]:
    entries = contest.scalars(select(AuditRow).order_by(AuditRow.id))
    return [(entry.who, entry.action, entry.subject, entry.reason) for entry in entries]


def rest(contest: ContestSite) -> None:
    contest.wait(contest.jobs.channel, lambda: not contest.jobs.season.progress.running)
