"""What organisers decide: annul games, disqualify a team, draw a lot, pause the season. Everything is logged.

A ruling never destroys anything: an annulled game stays with its record, and the audit log says who, when and why. A
result cannot be changed any more once games were played that depend on it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import find_team
from spielleiter.contest.run.progress import draw_lot
from spielleiter.contest.run.results import counted_games, encounter_length, settle
from spielleiter.contest.run.standings import group_standings, groups_of
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name, parse_game_name
from spielleiter.contest.store import (
    AuditAction,
    Claims,
    Decision,
    EncounterRow,
    GameRow,
    LotRow,
    MatchdayRow,
    SeasonRow,
    now,
    write_audit,
)
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.rating.standings import Lot


def find_encounter(session: Session, key: str) -> EncounterRow:
    """The encounter of that name. Raises ``ContestError``."""
    # Databases differ in what capital letters are: SQLite knows only those of ASCII.
    wanted = (EncounterRow.key == key) | (func.upper(EncounterRow.key) == key.upper())
    found = session.scalars(select(EncounterRow).where(wanted)).first()
    if found is None:
        raise ContestError(
            f"Eine Begegnung {key!r} gibt es nicht; eine Begegnung heißt wie M3-A2, ein Spiel wie M3-A2-4."
            " 'spielleiter contest schedule' zeigt alle.",
            f"there is no encounter {key!r}; an encounter is like M3-A2, a game like M3-A2-4:"
            " 'spielleiter contest schedule' lists them",
        )
    return found


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a ruling is about: one game, or a whole encounter."""

    name: str
    """As the audit log has it: M3-A2-4 or M3-A2."""
    encounter: EncounterRow
    games: list[GameRow]
    """Those that count."""


def _find_subject(session: Session, text: str) -> _Subject:
    """The game or the encounter of that name. Raises ``ContestError`` if there is none, or nothing of it was played."""
    name = parse_game_name(text)
    encounter = find_encounter(session, text if name is None else name.encounter)
    games = counted_games(session, encounter)
    if name is None:
        subject = _Subject(encounter.key, encounter, games)
    else:
        games = [game for game in games if game.number == name.number and name.attempt in (None, game.attempt)]
        attempt = games[0].attempt if games else name.attempt or 1
        subject = _Subject(game_name(encounter.key, name.number, attempt), encounter, games)
    if not games:
        raise ContestError(f"{subject.name} ist noch nicht gespielt.", f"{subject.name} has not been played yet")
    return subject


def annul(contest: Contest, subject: str, reason: str, *, who: str) -> Text:
    """Let a game, or all games of an encounter, be played again. Raises ``ContestError``."""
    with closing(contest.store.claims()) as claims, contest.store.transaction() as session:
        found = _find_subject(session, subject)
        _require_reason(reason)
        encounter, games = found.encounter, found.games
        if encounter.stage == Stage.FINAL and len(games) == 1:
            # Whether later games had to be played depended on this one.
            later = [game for game in counted_games(session, encounter) if game.number > _pair_end(games[0].number)]
            if any(game.number > encounter_length(contest.season, encounter).games for game in later):
                raise ContestError(
                    f"{found.name}: Spätere Spiele hingen davon ab; annulliere die ganze Begegnung {encounter.key}.",
                    f"{found.name}: later games depended on it: annul the whole encounter {encounter.key}",
                )
        _reopen(session, contest.season, encounter, claims)
        for game in games:
            game.annulled = True
        session.flush()
        settle(session, contest.season, encounter)
        write_audit(session, who, AuditAction.ANNUL, found.name, reason)
        return Text(
            f"{found.name} ist annulliert und wird neu gespielt.", f"{found.name} is annulled and will be played again."
        )


def disqualify(contest: Contest, team: str, reason: str, *, who: str, subject: str | None = None) -> Text:
    """Disqualify a team in a game or an encounter, or in everything that it has not played yet.

    In a disqualified game the team gets nothing; the opponent wins it and keeps its own secondary score.
    Raises ``ContestError``.
    """
    with closing(contest.store.claims()) as claims, contest.store.transaction() as session:
        entry = find_team(session, team)
        _require_reason(reason)
        if subject is None:
            if entry.disqualified is not None:
                raise ContestError(
                    f"{entry.name!r} ist schon disqualifiziert.", f"{entry.name!r} is disqualified already"
                )
            entry.disqualified = now()
            write_audit(session, who, AuditAction.DISQUALIFY, entry.name, reason)
            return Text(
                f"{entry.name} verliert alle Spiele, die noch nicht gespielt sind.",
                f"{entry.name} loses all games that are not yet played.",
            )
        found = _find_subject(session, subject)
        encounter, games = found.encounter, found.games
        if entry.id not in (encounter.first_id, encounter.second_id):
            raise ContestError(
                f"{entry.name!r} spielt nicht in {encounter.key}.", f"{entry.name!r} does not play in {encounter.key}"
            )
        _reopen(session, contest.season, encounter, claims)
        for game in games:
            _take_away(game, first=entry.id == encounter.first_id)
        session.flush()
        settle(session, contest.season, encounter)
        write_audit(session, who, AuditAction.DISQUALIFY, f"{entry.name}: {found.name}", reason)
        return Text(
            f"{entry.name} ist in {found.name} disqualifiziert und hat verloren.",
            f"{entry.name} is disqualified in {found.name} and has lost it.",
        )


def _take_away(game: GameRow, *, first: bool) -> None:
    """A disqualified game still counts: 0 points and secondary 0; both may be disqualified in one."""
    before = game.decision
    game.decision = Decision.DISQUALIFIED
    other_has = before == Decision.PLAYED or (game.points_second if first else game.points_first) > 0
    if first:
        game.points_first = game.secondary_first = 0
        game.points_second = 2 if other_has else 0
    else:
        game.points_second = game.secondary_second = 0
        game.points_first = 2 if other_has else 0


def _reopen(session: Session, season: Season, encounter: EncounterRow, claims: Claims) -> None:
    """Make sure that no played game depends on the result that changes; take back what was only drawn."""
    day = encounter.matchday
    if day is None:  # A friendly one.
        return
    stages = [phase.stage for phase in season.phases]
    stage = Stage(encounter.stage)
    depends = set(stages[stages.index(stage) + 1 :]) if stage is not Stage.TRIAL else set()
    built_on = [later for later in session.scalars(select(MatchdayRow)) if later.stage in depends]
    if stage is Stage.FINAL:
        same = select(MatchdayRow).where(MatchdayRow.stage == Stage.FINAL, MatchdayRow.number > day.number)
        built_on += session.scalars(same).all()
    ids = [later.id for later in built_on]
    later_ones = list(session.scalars(select(EncounterRow.id).where(EncounterRow.matchday_id.in_(ids))))
    for id_ in (encounter.id, *later_ones):
        if not claims.take(id_):
            raise ContestError(
                f"{encounter.key}: Die Begegnung selbst oder eine, die von ihr abhängt, wird gerade gespielt; halte die"
                " Saison erst an.",
                f"{encounter.key}: it, or what follows from it, is being played: pause the season first",
            )
    if session.scalar(select(func.count()).where(GameRow.encounter_id.in_(later_ones))):
        raise ContestError(
            f"{encounter.key}: Von diesem Ergebnis hängen schon gespielte Spiele ab; es lässt sich nicht mehr ändern.",
            f"{encounter.key}: later games were played on this result; it cannot be changed any more",
        )
    session.execute(delete(EncounterRow).where(EncounterRow.matchday_id.in_(ids)))
    session.execute(delete(MatchdayRow).where(MatchdayRow.id.in_(ids)))
    if ids:
        # The lots were drawn for standings that are no longer true.
        session.execute(delete(LotRow).where(LotRow.stage == encounter.stage, LotRow.group == encounter.group))
    day.finished = None
    session.flush()


def _pair_end(number: int) -> int:
    return number + number % 2


def draw_by_hand(contest: Contest, stage: Stage, group: str, seed: str, *, who: str) -> Lot:
    """Draw the next lot that a group needs, with the seed that a person gives. Raises ``ContestError``."""
    season = contest.season
    with contest.store.transaction() as session:
        phase = season.phase(stage)
        if phase is None or group not in groups_of(session, stage):
            raise ContestError(
                f"Eine Gruppe {group!r} gibt es in der Phase {stage.text.de} nicht.",
                f"there is no group {group!r} in {stage}",
            )
        left = select(func.count()).where(MatchdayRow.stage == stage, MatchdayRow.finished.is_(None))
        if session.scalar(left):
            raise ContestError(
                f"Die Phase {stage.text.de} ist noch nicht zu Ende: Wer gleichauf liegt, steht noch nicht fest.",
                f"{stage} is not over yet: nobody knows who will be tied",
            )
        ties = group_standings(session, season, stage, group).ties(season.cuts(phase))
        if not ties:
            raise ContestError(
                f"{f'{stage.text.de} {group}'.strip()}: Um keinen Platz muss gelost werden.",
                f"no place of {f'{stage} {group}'.strip()} needs a lot",
            )
        drawn = draw_lot(session, stage, group, ties[0], seed, who)
        lot = Lot(frozenset(drawn.teams), drawn.seed)
        write_audit(session, who, AuditAction.DRAW_LOT, f"{stage} {group}".strip(), lot.text.en)
        return lot


def pause(contest: Contest, paused: bool, *, who: str, reason: str = "") -> None:
    """Ask every ``run`` to stop after the games that are being played, or allow them again."""
    with contest.store.transaction() as session:
        row = session.get_one(SeasonRow, 1)
        if row.paused != paused:
            row.paused = paused
            write_audit(session, who, AuditAction.PAUSE if paused else AuditAction.RESUME, row.name, reason)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise ContestError(
            "Gib einen Grund an: Alle können ihn lesen.", "give a reason: everybody will be able to read it"
        )
