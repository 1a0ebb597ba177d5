"""The encounters, games and logs of one team, as its members may see them.

Law: of a game's two logs only the one of the team that asks is ever read.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session, joinedload

from spielleiter.coach.own_games import OwnGames, own_game
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.store import Decision, EncounterRow, GameFilesRow, GameRow, TeamRow
from spielleiter.errors import RecordError
from spielleiter.game import TEAMS, Text
from spielleiter.matches.results import Fault
from spielleiter.records.reader import parse_record
from spielleiter.text import NO_TEXT, printable

_MAX_ENCOUNTERS = 500
_MAX_COACHED = 40
"""Games that the coach looks at: older ones were played by an older program."""


@dataclass(frozen=True, slots=True)
class TeamEncounter:
    """An encounter as one of its teams sees it."""

    id: int
    key: str
    day: Text
    """The title of the matchday; of a friendly encounter the phase."""
    is_public: bool
    """Whether it has a page for everybody: friendly ones have none."""
    opponent: str
    won: int
    lost: int
    drawn: int
    games: int
    finished: datetime | None
    program: int | None
    """The number of the own program with which it is played."""

    @property
    def result(self) -> str:
        """``won``, ``lost`` or ``level``; empty while it runs."""
        if self.finished is None:
            return ""
        return "won" if self.won > self.lost else "lost" if self.won < self.lost else "level"


@dataclass(frozen=True, slots=True)
class TeamGame:
    """A game as one of its teams sees it."""

    id: int
    number: int
    attempt: int
    annulled: bool
    began: bool
    """Whether the own program had the first move."""
    points: int
    their_points: int
    secondary: int
    their_secondary: int
    fault: Text | None
    """What the own program did wrong."""
    failure: Text | None
    """Why, in its own words."""
    reason: Text
    plies: int
    has_log: bool

    @property
    def result(self) -> str:
        """``won``, ``lost`` or ``level``."""
        return {0: "lost", 1: "level", 2: "won"}[self.points]


@dataclass(frozen=True, slots=True)
class OwnLog:
    """What the own program printed in a game, and how it ended."""

    name: str
    """The game as people name it."""
    key: str
    opponent: str
    game: TeamGame
    text: str
    details: Mapping[str, Any]

    @property
    def slowest(self) -> float | None:
        """The seconds of the slowest move."""
        times = self.details.get("move_times") or []
        return max(times) if times else None


def _mine(team_id: int) -> Any:
    return or_(EncounterRow.first_id == team_id, EncounterRow.second_id == team_id)


def encounters(session: Session, season: Season, team_id: int, limit: int = _MAX_ENCOUNTERS) -> list[TeamEncounter]:
    """The encounters of a team that have begun, the newest first."""
    wanted = (
        select(EncounterRow)
        .where(_mine(team_id), or_(EncounterRow.games > 0, EncounterRow.stage == Stage.FRIENDLY))
        .options(
            joinedload(EncounterRow.first),
            joinedload(EncounterRow.second),
            joinedload(EncounterRow.first_program),
            joinedload(EncounterRow.second_program),
            joinedload(EncounterRow.matchday),
        )
        .order_by(EncounterRow.finished.is_not(None), EncounterRow.finished.desc(), EncounterRow.id.desc())
        .limit(limit)
    )
    return [_row(encounter, season, team_id) for encounter in session.scalars(wanted)]


def encounter(session: Session, season: Season, team_id: int, key: str) -> TeamEncounter | None:
    """The encounter of that name, if the team plays in it."""
    found = session.scalars(select(EncounterRow).where(EncounterRow.key == key, _mine(team_id))).first()
    return None if found is None else _row(found, season, team_id)


def _row(encounter: EncounterRow, season: Season, team_id: int) -> TeamEncounter:
    first = encounter.first_id == team_id
    other: TeamRow = encounter.second if first else encounter.first
    stage, day = Stage(encounter.stage), encounter.matchday
    program = encounter.first_program if first else encounter.second_program
    won, lost = encounter.won_first, encounter.won_second
    return TeamEncounter(
        id=encounter.id,
        key=encounter.key,
        day=season.stage_name(stage) if day is None else season.day_title(stage, day.number),
        is_public=day is not None,
        opponent=other.name,
        won=won if first else lost,
        lost=lost if first else won,
        drawn=encounter.drawn,
        games=encounter.games,
        finished=encounter.finished,
        program=None if program is None else program.number,
    )


def games(session: Session, team_id: int, encounter_id: int) -> list[TeamGame]:
    """The games of an encounter in their order; annulled ones too."""
    found = session.get(EncounterRow, encounter_id)
    if found is None or team_id not in (found.first_id, found.second_id):
        return []
    wanted = select(GameRow).where(GameRow.encounter_id == encounter_id).order_by(GameRow.number, GameRow.attempt)
    return [_game(game, found.first_id == team_id) for game in session.scalars(wanted)]


def _game(game: GameRow, first: bool) -> TeamGame:
    fault = game.fault_first if first else game.fault_second
    points, secondary = (game.points_first, game.points_second), (game.secondary_first, game.secondary_second)
    mine, theirs = (0, 1) if first else (1, 0)
    return TeamGame(
        id=game.id,
        number=game.number,
        attempt=game.attempt,
        annulled=game.annulled,
        began=first == (game.number % 2 == 1),
        points=points[mine],
        their_points=points[theirs],
        secondary=secondary[mine],
        their_secondary=secondary[theirs],
        fault=None if fault is None else Fault(fault).text,
        failure=_failure(game.details.get("first" if first else "second")),
        reason=Text(game.reason_de, game.reason_en),
        plies=game.plies,
        has_log=game.decision != Decision.WALKOVER,
    )


def log(session: Session, team_id: int, game_id: int) -> OwnLog | None:
    """What the team's own program printed in a game; ``None`` if the team did not play it."""
    game = session.get(GameRow, game_id, options=[joinedload(GameRow.encounter)])
    if game is None or team_id not in (game.encounter.first_id, game.encounter.second_id):
        return None
    first = game.encounter.first_id == team_id
    column = GameFilesRow.log_first if first else GameFilesRow.log_second
    packed = session.scalar(select(column).where(GameFilesRow.game_id == game_id)) or b""
    text = zlib.decompress(packed).decode("utf-8", "replace") if packed else ""
    key = game.encounter.key
    return OwnLog(
        name=game_name(key, game.number, game.attempt),
        key=key,
        opponent=(game.encounter.second if first else game.encounter.first).name,
        game=_game(game, first),
        text=printable(text),
        details=game.details.get("first" if first else "second") or {},
    )


def own_games(session: Session, team_id: int, team: str, limit: int = _MAX_COACHED) -> OwnGames | None:
    """The newest games of a team that were played and have a record, for the coach; ``None`` without any."""
    wanted = (
        select(GameRow, GameFilesRow.record)
        .join(GameFilesRow, GameFilesRow.game_id == GameRow.id)
        .join(EncounterRow, EncounterRow.id == GameRow.encounter_id)
        .where(_mine(team_id), GameRow.annulled.is_(False), GameRow.decision != Decision.WALKOVER)
        .options(joinedload(GameRow.encounter))
        .order_by(GameRow.id.desc())
        .limit(limit)
    )
    found = []
    for row, packed in session.execute(wanted):
        if not packed:
            continue
        first = row.encounter.first_id == team_id
        game, opponent = _game(row, first), (row.encounter.second if first else row.encounter.first).name
        fault = row.fault_first if first else row.fault_second
        place = f"season-{row.id}"
        try:
            record = parse_record(zlib.decompress(packed), place)
            known = Fault(fault) if fault else None
            side = TEAMS[0] if game.began else TEAMS[1]
            found.append(own_game(record, side, opponent, place, known, game.failure or NO_TEXT))
        except (RecordError, zlib.error):  # The page of the game says what is wrong with it.
            continue
    records = [each.record for each in found if each.record is not None]
    return OwnGames(team, records[0].load_game(), tuple(found), ()) if records else None


def _failure(details: Mapping[str, Any] | None) -> Text | None:
    """Why the program failed, if it did; older games say nothing about that."""
    failure = (details or {}).get("failure")
    return Text(**failure) if failure and failure["en"] else None
