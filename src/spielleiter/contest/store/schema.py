"""The schema of the store.

Laws: a game's row is written once, when it has ended, and never changed except by a ruling, which stands in the audit
log; an encounter's sums are those of its counted games, written in the same transaction as each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, overload

from sqlalchemy import (
    JSON,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

_T = TypeVar("_T")
SIDES = ("first", "second")
"""The two teams of an encounter in names of columns, and in ``details``."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC, with its time zone in Python, on every database."""

    impl = DateTime
    cache_ok = True
    python_type = datetime  # Before SQLAlchemy 2.1 a decorator does not know it by itself.

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Take the zone away, in UTC."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give it back."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """Base of all tables."""

    type_annotation_map = {datetime: UtcDateTime, dict[str, Any]: JSON, list[str]: JSON}  # noqa: RUF012


class Pair(Generic[_T]):
    """Two attributes, one for each team of an encounter, as one value."""

    def __init__(self, *names: str) -> None:
        self._names = names

    @overload
    def __get__(self, row: None, kind: type) -> Pair[_T]: ...

    @overload
    def __get__(self, row: object, kind: type) -> tuple[_T, _T]: ...

    def __get__(self, row: object | None, kind: type) -> Pair[_T] | tuple[_T, _T]:
        return self if row is None else self.of(row)

    def of(self, row: object) -> tuple[_T, _T]:
        """The pair of a row, or of its columns."""
        first, second = (getattr(row, name) for name in self._names)
        return first, second

    def columns(self, kind: type[Base]) -> tuple[Any, ...]:
        """Both columns, to be selected."""
        return tuple(getattr(kind, name) for name in self._names)

    def __set__(self, row: object, pair: Sequence[_T]) -> None:
        for name, value in zip(self._names, pair, strict=True):
            setattr(row, name, value)


def _twins(name: str) -> list[str]:
    return [f"{name}_{side}" for side in SIDES]


class SeasonRow(Base):
    """The one season of this store, with the file with which it began."""

    __tablename__ = "season"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60))
    game: Mapped[str] = mapped_column(String(60))
    file: Mapped[str] = mapped_column(Text)
    """The text of ``season.toml``, with the newest dates."""
    default_ranking: Mapped[str] = mapped_column(String(30))
    """How its standings rank where the file does not say: what its rule set said when it began."""
    created: Mapped[datetime]
    paused: Mapped[bool] = mapped_column(default=False)
    """Organisers have asked every ``run`` to stop after the games that are being played."""
    pages_url: Mapped[str | None] = mapped_column(String(300))
    """Where others reach the pages of the season, or did when they were last served; ``None`` if they never were."""


class TeamRow(Base):
    """A team."""

    __tablename__ = "teams"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    school: Mapped[str] = mapped_column(String(60))
    group: Mapped[str] = mapped_column("group_name", String(20))
    disqualified: Mapped[datetime | None]
    """When it began to lose every game that is not yet played."""


class ProgramFileRow(Base):
    """The bytes of a program, stored once however often they were submitted."""

    __tablename__ = "program_files"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class ProgramRow(Base):
    """A version of a team's program, with what its check has found."""

    __tablename__ = "programs"
    __table_args__ = (UniqueConstraint("team_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    number: Mapped[int]
    """The first of the team is 1."""
    name: Mapped[str] = mapped_column(String(200))
    """The name of the file, or of the built-in player; ``manual`` for a team that plays on its own machine."""
    builtin: Mapped[bool]
    """Whether there is no file."""
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the file, or of the built-in player's name."""
    size: Mapped[int]
    submitted: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    passed: Mapped[bool]
    report: Mapped[dict[str, Any]]
    """What the check and the two games against ``random`` have found."""
    team: Mapped[TeamRow] = relationship()

    @property
    def was_judged(self) -> bool:
        """Whether its check came to a verdict: not if it was not the program's fault that its games were not played."""
        judged: bool = self.report.get("judged", True)
        return judged


class ActivationRow(Base):
    """Which program a team uses since when; the latest row applies."""

    __tablename__ = "activations"

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    program_id: Mapped[int] = mapped_column(ForeignKey("programs.id"))
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    program: Mapped[ProgramRow] = relationship()


class MatchdayRow(Base):
    """A day of a phase; opening it fixes the programs with which it is played."""

    __tablename__ = "matchdays"
    __table_args__ = (UniqueConstraint("stage", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(String(20))
    number: Mapped[int]
    date: Mapped[datetime | None]
    opened: Mapped[datetime | None]
    finished: Mapped[datetime | None]


class EncounterRow(Base):
    """An encounter of two teams; friendly ones have no matchday."""

    __tablename__ = "encounters"
    __table_args__ = (Index("encounters_by_stage", "stage", "group_name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(String(40), unique=True)
    """How people name it: M3-A2 is the second encounter of group A on the third day of the Meisterschaft."""
    matchday_id: Mapped[int | None] = mapped_column(ForeignKey("matchdays.id"), index=True)
    stage: Mapped[str] = mapped_column(String(20))
    group: Mapped[str] = mapped_column("group_name", String(20))
    place: Mapped[int]
    """Where it stands within its day and group, from 1."""
    first_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    """Who has the first move in the first game."""
    second_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), index=True)
    first_program_id: Mapped[int | None] = mapped_column(ForeignKey("programs.id"))
    second_program_id: Mapped[int | None] = mapped_column(ForeignKey("programs.id"))
    games: Mapped[int] = mapped_column(default=0)
    """Games that count so far."""
    won_first: Mapped[int] = mapped_column(default=0)
    won_second: Mapped[int] = mapped_column(default=0)
    drawn: Mapped[int] = mapped_column(default=0)
    secondary_first: Mapped[int] = mapped_column(default=0)
    secondary_second: Mapped[int] = mapped_column(default=0)
    finished: Mapped[datetime | None]
    winner_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    """Who has won it; ``None`` while it runs and if it ended level."""
    lot_seed: Mapped[str | None] = mapped_column(String(200))
    """The seed of the lot that decided it, where one did."""
    first: Mapped[TeamRow] = relationship(foreign_keys=[first_id], lazy="joined", innerjoin=True)
    second: Mapped[TeamRow] = relationship(foreign_keys=[second_id], lazy="joined", innerjoin=True)
    first_program: Mapped[ProgramRow | None] = relationship(foreign_keys=[first_program_id])
    second_program: Mapped[ProgramRow | None] = relationship(foreign_keys=[second_program_id])
    matchday: Mapped[MatchdayRow | None] = relationship(lazy="joined")

    team_ids = Pair[int]("first_id", "second_id")
    teams = Pair[TeamRow]("first", "second")
    program_ids = Pair[int | None]("first_program_id", "second_program_id")
    programs = Pair[ProgramRow | None]("first_program", "second_program")
    won = Pair[int](*_twins("won"))
    secondary = Pair[int](*_twins("secondary"))

    @classmethod
    def is_of(cls, team: int) -> ColumnElement[bool]:
        """The condition that a team plays it."""
        return (cls.first_id == team) | (cls.second_id == team)


class GameRow(Base):
    """A finished game; all pairs of columns are those of the encounter's first and second team."""

    __tablename__ = "games"
    __table_args__ = (UniqueConstraint("encounter_id", "number", "attempt"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    encounter_id: Mapped[int] = mapped_column(ForeignKey("encounters.id"))
    number: Mapped[int]
    """The first is 1; the first team is ONE in odd games."""
    attempt: Mapped[int] = mapped_column(default=1)
    """2 and more where earlier attempts were annulled, by organisers or because the machine was too busy."""
    annulled: Mapped[bool] = mapped_column(default=False)
    decision: Mapped[str] = mapped_column(String(20))
    points_first: Mapped[int]
    """Victory points: 2, 1 or 0."""
    points_second: Mapped[int]
    secondary_first: Mapped[int]
    secondary_second: Mapped[int]
    fault_first: Mapped[str | None] = mapped_column(String(20))
    fault_second: Mapped[str | None] = mapped_column(String(20))
    reason_de: Mapped[str] = mapped_column(Text)
    reason_en: Mapped[str] = mapped_column(Text)
    plies: Mapped[int]
    seconds: Mapped[float]
    started: Mapped[datetime]
    start: Mapped[str] = mapped_column(Text)
    final: Mapped[str] = mapped_column(Text)
    host: Mapped[str] = mapped_column(String(200))
    pressure: Mapped[float | None]
    """How busy the machine was; ``None`` where it was not measured."""
    details: Mapped[dict[str, Any]]
    """For each team: move times, memory, processor time, exit code, sandbox, last words."""
    encounter: Mapped[EncounterRow] = relationship()

    points = Pair[int](*_twins("points"))
    secondary = Pair[int](*_twins("secondary"))
    faults = Pair[str | None](*_twins("fault"))

    def details_of(self, side: int) -> dict[str, Any]:
        """What is known of the program of one team."""
        return self.details.get(SIDES[side]) or {}


class GameFilesRow(Base):
    """The record of a game and what the programs printed, compressed."""

    __tablename__ = "game_files"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    record: Mapped[bytes] = mapped_column(LargeBinary)
    log_first: Mapped[bytes] = mapped_column(LargeBinary)
    log_second: Mapped[bytes] = mapped_column(LargeBinary)

    logs = Pair[bytes](*_twins("log"))


class LotRow(Base):
    """A lot that decided places in the standings."""

    __tablename__ = "lots"

    id: Mapped[int] = mapped_column(primary_key=True)
    stage: Mapped[str] = mapped_column(String(20))
    group: Mapped[str] = mapped_column("group_name", String(20))
    teams: Mapped[list[str]]
    seed: Mapped[str] = mapped_column(String(200))
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))


class AuditRow(Base):
    """Something that a person decided: who, when, what and why."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(200))
    reason: Mapped[str] = mapped_column(Text)
    undo: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What was there before; ``None`` where nothing can be undone."""
    undone: Mapped[datetime | None]
    """When it was undone."""


class NewsRow(Base):
    """A message of the organisers on the pages, in both languages; its text is Markdown."""

    __tablename__ = "news"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    title_de: Mapped[str] = mapped_column(String(200), server_default="")
    title_en: Mapped[str] = mapped_column(String(200), server_default="")
    text_de: Mapped[str] = mapped_column(Text)
    text_en: Mapped[str] = mapped_column(Text)


class FeedRow(Base):
    """Where the games that a process plays can be followed; its process holds a claim on it while it lives."""

    __tablename__ = "feeds"

    id: Mapped[int] = mapped_column(primary_key=True)
    host: Mapped[str] = mapped_column(String(200))
    port: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    opened: Mapped[datetime]


class AccountRow(Base):
    """A person who can log in: a member of a team, or an organiser."""

    __tablename__ = "accounts"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(60), unique=True)
    password: Mapped[str] = mapped_column(String(200))
    """Its argon2 hash."""
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    organiser: Mapped[bool] = mapped_column(default=False)
    created: Mapped[datetime]
    team: Mapped[TeamRow | None] = relationship()


class InvitationRow(Base):
    """A link with which an account can be made, or its password set anew, once."""

    __tablename__ = "invitations"

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of what stands in the link."""
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    organiser: Mapped[bool] = mapped_column(default=False)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"))
    """Whose password it sets anew; ``None``: it makes a new account."""
    created: Mapped[datetime]
    who: Mapped[str] = mapped_column(String(100))
    expires: Mapped[datetime]
    used: Mapped[datetime | None]
    team: Mapped[TeamRow | None] = relationship()
    account: Mapped[AccountRow | None] = relationship()


class LoginSessionRow(Base):
    """A browser that is logged in."""

    __tablename__ = "login_sessions"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the cookie."""
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    created: Mapped[datetime]
    expires: Mapped[datetime]
    account: Mapped[AccountRow] = relationship()
