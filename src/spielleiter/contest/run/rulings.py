"""What organisers decide: annul games, disqualify a team, draw a lot, pause the season. Everything is logged.

A ruling never destroys anything: an annulled game stays with its record, and the audit log says who, when and why. A
result cannot be changed any more once games were played that depend on it. What was decided can be undone while nothing
was built on it: the audit log has what was there before, and keeps both decisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from spielleiter.contest.accounts import accounts
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.programs import find_team
from spielleiter.contest.run.progress import draw_lot
from spielleiter.contest.run.results import counted_games, encounter_length, settle
from spielleiter.contest.run.standings import group_standings, groups_of
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.season.names import game_name, no_encounter, parse_game_name
from spielleiter.contest.store import (
    AuditRow,
    Claims,
    EncounterRow,
    GameRow,
    LotRow,
    MatchdayRow,
    NewsRow,
    SeasonRow,
    TeamRow,
    now,
    row_data,
    row_values,
    write_audit,
)
from spielleiter.contest.store.schema import SIDES
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.rating.standings import Lot


def find_encounter(session: Session, key: str) -> EncounterRow:
    """The encounter of that name. Raises ``ContestError``."""
    # Databases differ in what capital letters are: SQLite knows only those of ASCII.
    wanted = (EncounterRow.key == key) | (func.upper(EncounterRow.key) == key.upper())
    found = session.scalars(select(EncounterRow).where(wanted)).first()
    if found is None:
        raise no_encounter(key)
    return found


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a ruling is about: one game, or a whole encounter."""

    name: str
    """Its name in the audit log: M3-A2-4 or M3-A2."""
    encounter: EncounterRow
    games: list[GameRow]
    """Only games that count."""


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


@contextmanager
def _acting(contest: Contest, *, dry_run: bool) -> Iterator[tuple[Session, Claims]]:
    """A transaction that is taken back at its end if it is only to be seen what would happen."""
    with closing(contest.store.claims()) as claims, suppress(_TakenBack), contest.store.transaction() as session:
        yield session, claims
        if dry_run:
            raise _TakenBack


class _TakenBack(Exception):
    """Ends a transaction without leaving a trace."""


def annul(contest: Contest, subject: str, reason: str, *, who: str, dry_run: bool = False) -> Text:
    """Let a game, or all games of an encounter, be played again: what happened. Raises ``ContestError``.

    With ``dry_run`` nothing happens, and the text says what would.
    """
    with _acting(contest, dry_run=dry_run) as (session, claims):
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
        withdrawn = _reopen(session, contest.season, encounter, claims)
        for game in games:
            game.annulled = True
        session.flush()
        settle(session, contest.season, encounter)
        before = {"games": [row_data(game, "id") | {"annulled": False} for game in games], "lots": withdrawn.lots}
        write_audit(session, who, AuditAction.ANNUL, found.name, reason, undo=before)
        result = Text(
            f"{found.name} ist annulliert und wird neu gespielt.", f"{found.name} is annulled and will be played again."
        )
        if dry_run:
            many = _games(len(games))
            result = withdrawn.added_to(
                f"{found.name}: {many.de} zählen nicht mehr und werden neu gespielt",
                f"{found.name}: {many.en} will no longer count and be played again",
            )
    return result


def accept(contest: Contest, subject: str, reason: str, *, who: str, dry_run: bool = False) -> Text:
    """Let the results of games stand that were lost on time on a busy machine: what happened. Raises ``ContestError``.

    With ``dry_run`` nothing happens, and the text says what would.
    """
    with _acting(contest, dry_run=dry_run) as (session, _):
        found = _find_subject(session, subject)
        _require_reason(reason)
        games = [game for game in found.games if game.decision == Decision.PENDING]
        if not games:
            raise ContestError(f"{found.name} wartet auf keine Entscheidung.", f"{found.name} awaits no decision")
        before = {"games": [row_data(game, "id", "decision") for game in games], "lots": []}
        for game in games:
            game.decision = Decision.PLAYED
        session.flush()
        settle(session, contest.season, found.encounter)
        write_audit(session, who, AuditAction.ACCEPT, found.name, reason, undo=before)
    many = _games(len(games))
    return Text(f"{found.name}: {many.de} gewertet wie gespielt.", f"{found.name}: {many.en} counted as played.")


def disqualify(
    contest: Contest, team: str, reason: str, *, who: str, subject: str | None = None, dry_run: bool = False
) -> Text:
    """Disqualify a team in a game or an encounter, or in everything that it has not played yet: what happened.

    In a disqualified game the team gets nothing; the opponent wins it and keeps its own secondary score.
    With ``dry_run`` nothing happens, and the text says what would. Raises ``ContestError``.
    """
    with _acting(contest, dry_run=dry_run) as (session, claims):
        entry = find_team(session, team)
        _require_reason(reason)
        if subject is None:
            result = _disqualify_from_now_on(session, entry, reason, who, dry_run=dry_run)
        else:
            result = _disqualify_in(session, contest, claims, entry, subject, reason, who, dry_run=dry_run)
    return result


def _disqualify_from_now_on(session: Session, entry: TeamRow, reason: str, who: str, *, dry_run: bool) -> Text:
    if entry.disqualified is not None:
        raise ContestError(f"{entry.name!r} ist schon disqualifiziert.", f"{entry.name!r} is disqualified already")
    entry.disqualified = _after_all_games_of(session, entry)
    write_audit(session, who, AuditAction.DISQUALIFY, entry.name, reason, undo={"team": entry.id})
    if not dry_run:
        return Text(
            f"{entry.name} verliert alle Spiele, die noch nicht gespielt sind.",
            f"{entry.name} loses all games that are not yet played.",
        )
    left = (
        session.scalar(select(func.count()).where(EncounterRow.is_of(entry.id), EncounterRow.finished.is_(None))) or 0
    )
    return Text(
        f"{entry.name} verliert {left} {'Begegnung' if left == 1 else 'Begegnungen'}, die noch nicht zu Ende gespielt"
        f" {'ist' if left == 1 else 'sind'}, und alle, die noch ausgelost werden.",
        f"{entry.name} loses {left} {'encounter that is' if left == 1 else 'encounters that are'} not finished yet, and"
        " all that are still to be drawn.",
    )


def _after_all_games_of(session: Session, entry: TeamRow) -> datetime:
    """Now, but after the games that the team has: the clocks of organisers may differ, or be set."""
    played = select(func.max(GameRow.started)).join(GameRow.encounter).where(EncounterRow.is_of(entry.id))
    latest = session.scalar(played)
    return now() if latest is None else max(now(), latest + timedelta(microseconds=1))


def _disqualify_in(
    session: Session, contest: Contest, claims: Claims, entry: TeamRow, subject: str, reason: str, who: str, *,
    dry_run: bool,
) -> Text:  # fmt: skip
    found = _find_subject(session, subject)
    encounter, games = found.encounter, found.games
    if entry.id not in encounter.team_ids:
        raise ContestError(
            f"{entry.name!r} spielt nicht in {encounter.key}.", f"{entry.name!r} does not play in {encounter.key}"
        )
    withdrawn = _reopen(session, contest.season, encounter, claims)
    before = {"games": [row_data(game, *_RESULT) for game in games], "lots": withdrawn.lots}
    for game in games:
        _take_away(game, encounter.team_ids.index(entry.id))
    session.flush()
    settle(session, contest.season, encounter)
    write_audit(session, who, AuditAction.DISQUALIFY, f"{entry.name}: {found.name}", reason, undo=before)
    if not dry_run:
        return Text(
            f"{entry.name} ist in {found.name} disqualifiziert und hat verloren.",
            f"{entry.name} is disqualified in {found.name} and has lost it.",
        )
    many = _games(len(games))
    return withdrawn.added_to(
        f"{entry.name} verliert {many.de} in {found.name}", f"{entry.name} loses {many.en} in {found.name}"
    )


_RESULT = ("id", "decision", *(f"{name}_{side}" for name in ("points", "secondary") for side in SIDES))
"""What a disqualification changes in a game."""


def _games(number: int) -> Text:
    return Text("1 Spiel", "1 game") if number == 1 else Text(f"{number} Spiele", f"{number} games")


def _take_away(game: GameRow, side: int) -> None:
    """A disqualified game still counts: 0 points and secondary 0; both may be disqualified in one."""
    points, secondary = list(game.points), list(game.secondary)
    other_has = game.decision in (Decision.PLAYED, Decision.PENDING) or points[1 - side] > 0
    game.decision = Decision.DISQUALIFIED
    points[side] = secondary[side] = 0
    points[1 - side] = 2 if other_has else 0
    game.points, game.secondary = points, secondary


@dataclass(frozen=True, slots=True)
class _Withdrawn:
    """What followed from a result that changes, and is taken back with it."""

    standings: Text | None = None
    """The standings that change."""
    encounters: int = 0
    """Number of scheduled encounters that were not played."""
    lots: list[dict[str, Any]] = field(default_factory=list)

    def added_to(self, de: str, en: str) -> Text:
        """The sentence with these consequences."""
        if self.standings is not None:
            de += f"; die Tabelle {self.standings.de} ändert sich"
            en += f"; the standings of {self.standings.en} change"
        if self.encounters:
            de += f"; {self.encounters} schon ausgeloste, aber noch nicht gespielte Begegnungen werden neu ausgelost"
            en += f"; {self.encounters} encounters that are drawn but not played will be drawn anew"
        return Text(f"{de}.", f"{en}.")


def _reopen(session: Session, season: Season, encounter: EncounterRow, claims: Claims) -> _Withdrawn:
    """Make sure that no played game depends on the result that changes; take back what was only drawn."""
    day = encounter.matchday
    if day is None:  # A friendly one.
        return _Withdrawn()
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
    lots: list[LotRow] = []
    if ids:
        # The lots were drawn for standings that are no longer true.
        mine = select(LotRow).where(LotRow.stage == encounter.stage, LotRow.group == encounter.group)
        lots += session.scalars(mine.order_by(LotRow.id))
    before = [row_data(lot) for lot in lots]
    for lot in lots:
        session.delete(lot)
    day.finished = None
    session.flush()
    name, group = season.stage_name(stage), encounter.group
    standings = Text(f"{name.de} {group}".strip(), f"{name.en} {group}".strip())
    return _Withdrawn(None if stage is Stage.FINAL else standings, len(later_ones), before)


def _pair_end(number: int) -> int:
    return number + number % 2


def draw_by_hand(contest: Contest, stage: Stage, group: str, seed: str, *, who: str) -> Lot:
    """Draw the next lot that a group needs, with the seed that a person gives. Raises ``ContestError``."""
    season = contest.season
    with contest.store.transaction() as session:
        phase, name = season.phase(stage), season.stage_name(stage).de
        if phase is None or group not in groups_of(session, stage):
            raise ContestError(
                f"Eine Gruppe {group!r} gibt es in der Phase {name} nicht.",
                f"there is no group {group!r} in {stage}",
            )
        left = select(func.count()).where(MatchdayRow.stage == stage, MatchdayRow.finished.is_(None))
        if session.scalar(left):
            raise ContestError(
                f"Die Phase {name} ist noch nicht zu Ende: Wer gleichauf liegt, steht noch nicht fest.",
                f"{stage} is not over yet: it is unknown who will be tied",
            )
        ties = group_standings(session, season, stage, group).ties(season.cuts(phase))
        if not ties:
            raise ContestError(
                f"{f'{name} {group}'.strip()}: Um keinen Platz muss gelost werden.",
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


def start(contest: Contest, *, who: str) -> None:
    """Log who lets the season be played; a pause ends."""
    pause(contest, False, who=who)
    with contest.store.transaction() as session:
        write_audit(session, who, AuditAction.RUN, contest.season.name)


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise ContestError(
            "Gib einen Grund an: Alle können ihn lesen.", "give a reason: everybody will be able to read it"
        )


# --- undoing ----------------------------------------------------------------------------------------------------------


def undo(contest: Contest, number: int, *, who: str, reason: str = "", dry_run: bool = False) -> Text:
    """Undo a decision by its number in the audit log: what happened.

    With ``dry_run`` nothing happens, and the text says what would. Raises ``ContestError`` if it is too late.
    """
    with _acting(contest, dry_run=dry_run) as (session, claims):
        entry = session.get(AuditRow, number)
        if entry is None or entry.undo is None or entry.undone is not None:
            raise ContestError(
                "Hier ist nichts rückgängig zu machen: 'spielleiter contest audit' zeigt, was sich rückgängig machen"
                " lässt.",
                "there is nothing to undo here: 'spielleiter contest audit' shows what can be undone",
            )
        match AuditAction(entry.action):
            case AuditAction.REMOVE_NEWS:
                session.add(NewsRow(**row_values(NewsRow, entry.undo | {"id": None})))
                done = Text("Die Nachricht ist wieder da.", "The message is back.")
            case AuditAction.REMOVE_ACCOUNT:
                done = accounts.restore_account(session, entry.undo)
            case AuditAction.REVOKE:
                done = accounts.restore_invitation(session, entry.undo)
            case _ if "team" in entry.undo:
                done = _readmit_team(session, entry)
            case _:
                done = _restore_games(session, contest, claims, entry)
        entry.undone = now()
        write_audit(session, who, AuditAction.UNDO, entry.subject, reason)
        if dry_run:
            done = Text(
                f"Rückgängig gemacht wird: {AuditAction(entry.action).text.de}: {entry.subject}.",
                f"This will be undone: {AuditAction(entry.action).text.en}: {entry.subject}.",
            )
    return done


def _readmit_team(session: Session, entry: AuditRow) -> Text:
    assert entry.undo is not None
    team = session.get_one(TeamRow, entry.undo["team"])
    assert team.disqualified is not None
    lost = select(func.count()).select_from(GameRow).join(GameRow.encounter)
    lost = lost.where(
        EncounterRow.is_of(team.id),
        ~GameRow.annulled,
        GameRow.decision == Decision.WALKOVER,
        GameRow.started >= team.disqualified,
    )
    if (number := session.scalar(lost) or 0) > 0:
        raise ContestError(
            f"{team.name} hat seitdem {_games(number).de} kampflos verloren; annulliere sie zuerst.",
            f"{team.name} has lost {_games(number).en} by walkover since: annul them first",
        )
    team.disqualified = None
    return Text(f"{team.name} spielt wieder mit.", f"{team.name} plays again.")


def _restore_games(session: Session, contest: Contest, claims: Claims, entry: AuditRow) -> Text:
    assert entry.undo is not None
    changed = {data["id"]: data for data in entry.undo["games"]}
    games = [session.get_one(GameRow, id_) for id_ in changed]
    encounter = session.get_one(EncounterRow, games[0].encounter_id)
    later = select(AuditRow).where(AuditRow.id > entry.id, AuditRow.undo.is_not(None), AuditRow.undone.is_(None))
    for other in session.scalars(later):
        assert other.undo is not None
        if changed.keys() & {data["id"] for data in other.undo.get("games", ())}:
            raise ContestError(
                f"{entry.subject}: Danach wurde darüber neu entschieden; mach zuerst Nr. {other.id} rückgängig.",
                f"{entry.subject}: it was ruled on again after that: undo number {other.id} first",
            )
    again = select(GameRow.number).where(GameRow.encounter_id == encounter.id, ~GameRow.annulled)
    played = set(session.scalars(again.where(GameRow.id.not_in(changed))))
    if any(game.number in played for game in games):
        raise ContestError(
            f"{entry.subject}: ist schon neu gespielt; das lässt sich nicht mehr rückgängig machen.",
            f"{entry.subject}: has been played again already, so this cannot be undone any more",
        )
    _reopen(session, contest.season, encounter, claims)
    for game in games:
        for name, value in changed[game.id].items():
            setattr(game, name, value)
    session.flush()
    settle(session, contest.season, encounter)
    session.add_all(LotRow(**row_values(LotRow, lot | {"id": None})) for lot in entry.undo["lots"])
    return Text(f"{entry.subject}: Es gilt wieder das alte Ergebnis.", f"{entry.subject}: the old result holds again.")
