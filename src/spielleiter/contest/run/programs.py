"""The programs of the teams: submitted, checked in the sandbox, stored by hash, activated until the deadline."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from spielleiter import players
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.create import RESERVATION, add_builtin, next_number
from spielleiter.contest.run.program_check import judge_games, may_play, trial_of
from spielleiter.contest.run.progress import read_days
from spielleiter.contest.run.results import start_position
from spielleiter.contest.season import names
from spielleiter.contest.season.actions import AuditAction
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import encounter_key
from spielleiter.contest.season.next import activation_day
from spielleiter.contest.season.snapshot import CheckedProgram, SeasonProgram
from spielleiter.contest.store import ActivationRow, EncounterRow, ProgramFileRow, ProgramRow, TeamRow, now, write_audit
from spielleiter.contest.store.values import program_value
from spielleiter.errors import ContestError
from spielleiter.game import TEAMS, Text
from spielleiter.game import Team as Side
from spielleiter.matches.executor import Executor
from spielleiter.matches.series import in_thread, play_series
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.archive import MAX_ZIP, ZipBytes, map_zip, too_large
from spielleiter.programs.check import Finding, Mark
from spielleiter.programs.check.trial import MAX_ATTEMPTS
from spielleiter.programs.entrants import (
    Entrant,
    EntrantKind,
    ProgramSource,
    entrant_from_zip,
    find_source,
    is_manual,
    resolve,
    with_python,
)
from spielleiter.programs.package import collect
from spielleiter.text import printable

_MAX_LOG = 20_000
_MAX_NAME = 200
Progress = Callable[[Text], None]


def find_team(session: Session, name: str) -> TeamRow:
    """The team of that name, whatever its case. Raises ``ContestError``."""
    return names.find_team(session.scalars(select(TeamRow).order_by(TeamRow.name)), name)


def find_program(session: Session, team: TeamRow, number: int | None) -> ProgramRow:
    """The program of that number, or the team's newest that has passed its check. Raises ``ContestError``."""
    programs = list(
        session.scalars(select(ProgramRow).where(ProgramRow.team_id == team.id).order_by(ProgramRow.number))
    )
    for program in reversed(programs):
        if program.number == number or (number is None and program.passed):
            return program
    known = ", ".join(str(program.number) for program in programs)
    tested = Text("ein Programm, das seine Prüfung bestanden hat,", "a program that passed its check")
    which = tested if number is None else Text(f"ein Programm {number}", f"a program {number}")
    raise ContestError(
        f"{team.name!r} hat {which.de} nicht: eingereicht sind {known or 'keine'}.",
        f"{team.name!r} does not have {which.en}: submitted are {known or 'none'}",
    )


def has_programs(contest: Contest) -> bool:
    """Whether programs run here that are not built in: those are untrusted."""
    first = [team.player for team in contest.season.teams if team.player and not is_manual(team.player)]
    if any(player.partition(":")[0] not in players.BUILT_IN for player in first):
        return True
    with contest.store.reading() as session:
        return session.scalars(select(ProgramRow.id).where(~ProgramRow.builtin).limit(1)).first() is not None


# --- submitting -------------------------------------------------------------------------------------------------------


async def submit(
    contest: Contest,
    team: str,
    player: str,
    *,
    who: str,
    executor: Executor,
    progress: Progress = lambda text: None,
    name: str | None = None,
) -> CheckedProgram:
    """Take in a new program of a team: check it in two games against ``random``, store it with what was found.

    ``player`` is a ZIP, or a Python file, a JAR, a folder or a command (which are packed), or a built-in player;
    ``name`` is shown instead of the file's. One that fails, or whose games were not judged, is stored too, with its
    log, but cannot be activated. Raises ``ContestError`` or ``ProgramError`` for something that is not a program; then
    nothing is stored.
    """
    opened = await in_thread(_open, contest, team, player, who, name or Path(player).name, progress)
    if isinstance(opened, CheckedProgram):
        return opened
    await play_series(opened, executor)
    return await in_thread(opened.store, who)


class Submission:
    """A new program of a team and its first two games, against ``random``, as ONE and as TWO.

    A game that was not judged, because ``random`` failed, is played again. It is a ``Series``: ``play_series`` plays
    its games; ``store`` then stores the program with what was found.
    """

    def __init__(
        self, contest: Contest, team_id: int, team: str, name: str, data: ZipBytes, progress: Progress
    ) -> None:
        """Raises ``ProgramError`` for something that is not a program."""
        self._contest = contest
        self._team_id = team_id
        self._name = name[:_MAX_NAME]
        self._data = data
        self._progress = progress
        self._entrant = with_python(entrant_from_zip(data, "program", name), contest.season.team(team).python)
        self._game = contest.season.load_game()
        self._entrant.check_game(self._game)
        self._waiting = list(TEAMS)
        self._attempts = dict.fromkeys(TEAMS, 0)
        self._games: dict[Side, FinishedGame] = {}
        phase = contest.season.phase(Stage.CHAMPIONSHIP)
        assert phase is not None
        self._limits = phase.limits

    @property
    def exhausted(self) -> bool:
        """Whether no game waits to be given out."""
        return not self._waiting

    def next_game(self) -> GameTask | None:
        """The game as ONE, then that as TWO, then those again that were not judged."""
        if not self._waiting:
            return None
        side = self._waiting.pop(0)
        self._attempts[side] += 1
        name = self._game.team_name(side)
        self._progress(Text(f"Ein Spiel gegen random als {name.de}", f"A game against random as {name.en}"))
        opponent = resolve("random")
        return GameTask(
            id=f"check-{side.name.lower()}-{self._attempts[side]}",
            game=self._game.key,
            start=start_position(self._contest.season, "check", 1),
            entrants=(self._entrant, opponent) if side is Side.ONE else (opponent, self._entrant),
            limits=self._limits,
            can_timeout=(side is Side.ONE, side is Side.TWO),
        )

    def record(self, task: GameTask, finished: FinishedGame) -> None:
        """A game has ended."""
        side = Side.ONE if task.entrants[0] is self._entrant else Side.TWO
        self._games[side] = finished
        if not trial_of(side, finished).is_judged and self._attempts[side] < MAX_ATTEMPTS:
            self._waiting.append(side)

    def store(self, who: str) -> CheckedProgram:
        """The stored program. One that fails is stored too, with its log, but cannot be activated."""
        games = sorted(self._games.items())
        found = judge_games(self._entrant, games, self._game, self._limits)
        digest = _digest(self._data)
        with self._contest.store.transaction() as session:
            if session.get(ProgramFileRow, digest) is None:
                session.add(ProgramFileRow(digest=digest, data=bytes(self._data)))
            program = ProgramRow(
                team_id=self._team_id,
                number=next_number(session, session.get_one(TeamRow, self._team_id)),
                name=self._name,
                builtin=False,
                digest=digest,
                size=len(self._data),
                submitted=now(),
                who=who,
                passed=may_play(found) is Mark.GOOD,
                report=_report(found, games),
            )
            session.add(program)
            session.flush()
        return program_value(program)


def _open(
    contest: Contest, team: str, player: str, who: str, name: str, progress: Progress
) -> Submission | CheckedProgram:
    """The submission to be tried out; a built-in player, or one that passed before, is the program already."""
    source = None if is_manual(player) else find_source(player, contest.folder)
    with contest.store.transaction() as session:
        entry = find_team(session, team)
        if source is None and not contest.season.in_process:
            return program_value(add_builtin(session, entry, player, who))
        if source is not None and source.kind is EntrantKind.BUILT_IN:
            return program_value(add_builtin(session, entry, player, who))
    if source is None or contest.season.in_process:
        raise ContestError(
            "Diese Saison spielt nur mit eingebauten Spielern: in_process ist in ihrer Datei wahr.",
            "this season plays built-in players only: in_process is true in its file",
        )
    data = _zip_of(source, player, contest)
    with contest.store.reading() as session:
        same = select(ProgramRow).where(
            ProgramRow.team_id == entry.id, ProgramRow.digest == _digest(data), ProgramRow.passed
        )
        known = session.scalars(same.order_by(ProgramRow.number.desc()).limit(1)).first()
    if known is not None:
        return program_value(known)  # The very same bytes have passed before.
    _check_quota(contest, entry, len(data))
    return Submission(contest, entry.id, entry.name, name, data, progress)


def _zip_of(source: ProgramSource, player: str, contest: Contest) -> ZipBytes:
    """The ZIP, packed here if the program is none yet."""
    if source.kind is not EntrantKind.ZIP:
        data = collect(source, contest.season.load_game()).to_bytes()
        if len(data) > MAX_ZIP:
            problem = too_large(MAX_ZIP)
            raise ContestError(f"{player}: als ZIP {problem.de}.", f"{player}: as a ZIP {problem.en}")
        return data
    return map_zip(source.path, player)


def _check_quota(contest: Contest, team: TeamRow, size: int) -> None:
    """Refuse a version more than a team may have: every one is kept, with its bytes and its log."""
    season = contest.season
    with contest.store.reading() as session:
        own = select(func.count(), func.coalesce(func.sum(ProgramRow.size), 0)).where(
            ProgramRow.team_id == team.id, ~ProgramRow.builtin
        )
        versions, stored = session.execute(own).one()
    if versions >= season.max_versions or stored + size > season.max_upload * 1_000_000:
        raise ContestError(
            f"{team.name!r} hat schon {versions} Programme mit {stored / 1e6:.0f} MB eingereicht; erlaubt sind"
            f" {season.max_versions} mit {season.max_upload} MB. Die Spielleitung kann das in der Saisondatei ändern"
            " (max_versions, max_upload).",
            f"{team.name!r} has submitted {versions} programs with {stored / 1e6:.0f} MB already; allowed are"
            f" {season.max_versions} with {season.max_upload} MB. The organisers can change that in the season file"
            " (max_versions, max_upload)",
        )


def _digest(data: ZipBytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _report(found: Sequence[Finding], played: Sequence[tuple[Side, FinishedGame]]) -> dict[str, Any]:
    """What is stored of a check: the ticks and crosses, and the games with the program's own log."""
    return {
        "judged": may_play(found) is not Mark.UNKNOWN,
        "findings": [
            {
                "check": finding.key,
                "good": finding.mark is Mark.GOOD,
                "known": finding.mark is not Mark.UNKNOWN,
                "note": finding.mark is Mark.NOTE,
                "title": _both(finding.title),
                "detail": _both(finding.detail),
                "fix": None if finding.fix is None else _both(finding.fix),
                "failure": _both(finding.failure),
                "trial": finding.trial,
            }
            for finding in found
        ],
        "games": [
            {
                "side": side.name,
                "won": game.row.winner is side,
                "reason": _both(game.row.reason),
                "plies": game.row.plies,
                "final": game.row.final,
                "log": printable(game.logs[side][-_MAX_LOG:].decode("utf-8", "replace")),
            }
            for side, game in played
        ],
    }


def _both(text: Text) -> dict[str, str]:
    return {"de": text.de, "en": text.en}


# --- activating -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Activated:
    """A program that was activated, and from which day on it plays."""

    team: str
    program: SeasonProgram
    day: Text
    """The title of the matchday."""

    @property
    def text(self) -> Text:
        """What was done, in one sentence."""
        name = f"{self.program.number} ({self.program.name})"
        return Text(
            f"{self.team} spielt mit Programm {name} ab {self.day.de}.",
            f"{self.team} plays with program {name} from {self.day.en} on.",
        )


def activate(contest: Contest, team: str, number: int | None = None, *, who: str) -> Activated:
    """Let a team play with a program from the next day on whose deadline has not passed. Raises ``ContestError``.

    Without a number it is the newest one that passed its check.
    """
    with contest.store.transaction() as session:
        entry = find_team(session, team)
        program = find_program(session, entry, number)
        if not program.was_judged:
            raise ContestError(
                f"Programm {program.number} von {entry.name!r} ist noch nicht geprüft und kann nicht aktiviert werden:"
                " Reiche es noch einmal ein.",
                f"program {program.number} of {entry.name!r} is not checked yet and cannot be activated: submit it"
                " again",
            )
        if not program.passed:
            raise ContestError(
                f"Programm {program.number} von {entry.name!r} hat seine Prüfung nicht bestanden und kann nicht"
                f" aktiviert werden: 'spielleiter contest programs {entry.name!r}' sagt, warum.",
                f"program {program.number} of {entry.name!r} has failed its check and cannot be activated:"
                f" 'spielleiter contest programs {entry.name!r}' says why",
            )
        stage, matchday = activation_day(contest.season, read_days(session), now())
        session.add(ActivationRow(team_id=entry.id, program_id=program.id, at=now(), who=who))
        return Activated(entry.name, program_value(program), contest.season.day_title(stage, matchday))


def active_program(session: Session, team: TeamRow) -> ProgramRow | None:
    """The program with which a team would play now."""
    newest = select(ActivationRow).where(ActivationRow.team_id == team.id).order_by(ActivationRow.id.desc()).limit(1)
    activation = session.scalars(newest).first()
    return None if activation is None else activation.program


def active_entrants(contest: Contest) -> list[Entrant]:
    """The players of all teams that have one, as far as is known without unpacking them."""
    with contest.store.reading() as session:
        teams = session.scalars(select(TeamRow).order_by(TeamRow.id)).all()
        active = [(team.name, program) for team in teams if (program := active_program(session, team)) is not None]
        return [
            Entrant(
                name=name,
                text=program.name,
                kind=EntrantKind.MANUAL if RESERVATION in program.report else EntrantKind.ZIP,
                reservation=program.report.get(RESERVATION, ""),
            )
            for name, program in active
        ]


# --- friendly games ---------------------------------------------------------------------------------------------------


def arrange_friendly(contest: Contest, first: str, second: str, *, who: str | None = None) -> tuple[int, str]:
    """A new friendly encounter of two teams with their active programs: its id, for a ``Conductor``, and its key.

    With ``who`` it was a challenge, which goes into the audit log.

    It never counts. Raises ``ContestError`` if a team is unknown or has no program.
    """
    with contest.store.transaction() as session:
        one, two = find_team(session, first), find_team(session, second)
        if one.id == two.id:
            raise ContestError(
                f"{one.name!r} kann nicht gegen sich selbst spielen.", f"{one.name!r} cannot play against itself"
            )
        programs = [active_program(session, team) for team in (one, two)]
        for team, program in zip((one, two), programs, strict=True):
            if program is None:
                raise ContestError(
                    f"{team.name!r} hat noch kein aktives Programm.", f"{team.name!r} has no active program yet"
                )
        before = session.scalars(select(EncounterRow.place).where(EncounterRow.stage == Stage.FRIENDLY))
        place = max(before, default=0) + 1
        encounter = EncounterRow(
            key=encounter_key(Stage.FRIENDLY, "", None, place),
            stage=Stage.FRIENDLY,
            group="",
            place=place,
            team_ids=(one.id, two.id),
            program_ids=[None if program is None else program.id for program in programs],
        )
        session.add(encounter)
        session.flush()
        if who is not None:
            write_audit(session, who, AuditAction.CHALLENGE, f"{encounter.key}: {first} - {second}")
        return encounter.id, encounter.key


def unfinished_friendlies(contest: Contest, challenger: str | None = None) -> list[int]:
    """The ids of the friendly encounters that are not over, or only of those to which a team has challenged."""
    wanted = select(EncounterRow.id).where(EncounterRow.stage == Stage.FRIENDLY, EncounterRow.finished.is_(None))
    with contest.store.reading() as session:
        if challenger is not None:
            wanted = wanted.where(EncounterRow.first_id == find_team(session, challenger).id)
        return list(session.scalars(wanted.order_by(EncounterRow.id)))
