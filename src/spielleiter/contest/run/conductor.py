"""Plays a season: claims encounters, gives out their games, keeps the results, opens the next day.

Laws: a game is written down once, in one transaction with everything that follows from it; an encounter is played by
whoever has claimed it; killed at any moment and run again, exactly the missing games are played.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import select

from spielleiter.contest.run.create import Contest
from spielleiter.contest.run.progress import Blocker, SeasonState, advance
from spielleiter.contest.run.results import attempt, phase_of, record_game, record_walkovers, score, start_position
from spielleiter.contest.season.encounter import first_is_one
from spielleiter.contest.season.model import Stage
from spielleiter.contest.store import EncounterRow, GameRow, ProgramFileRow, ProgramRow
from spielleiter.errors import ContestError, ProgramError
from spielleiter.game import Text
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.resolve import enter

_RANDOM = "random"
"""Who plays for a team without a program in the trial days."""


@dataclass(frozen=True, slots=True)
class Until:
    """Where to stop: after a phase, or after one of its days."""

    stage: Stage
    matchday: int | None = None

    def is_past(self, stage: Stage, matchday: int, phases: Sequence[Stage]) -> bool:
        """Whether a day comes after it."""
        mine, other = phases.index(self.stage), phases.index(stage)
        if mine != other:
            return other > mine
        return self.matchday is not None and matchday > self.matchday


@dataclass(slots=True)
class _Claimed:
    """An encounter that this process plays."""

    id: int
    key: str
    stage: Stage
    teams: tuple[str, str]
    programs: tuple[ProgramRow | None, ProgramRow | None]
    given: set[int] = field(default_factory=set)
    """The numbers of the games that were given out."""


class Conductor:
    """Gives out the games of a season, as ``runner.series`` asks for them.

    ``tell`` hears each game that was kept, ``news`` each new situation. Use it with ``with``: that releases its claims.
    """

    def __init__(
        self,
        contest: Contest,
        *,
        until: Until | None = None,
        ahead: bool = False,
        only: int | None = None,
        tell: Callable[[EncounterRow, GameRow], None] = lambda encounter, game: None,
        news: Callable[[SeasonState], None] = lambda situation: None,
    ) -> None:
        """``only`` is the id of the single encounter to play, as for a friendly one."""
        self._contest = contest
        self._until = until
        self._ahead = ahead
        self._only = only
        self._tell = tell
        self._news = news
        self._claims = contest.store.claims()
        self._claimed: dict[int, _Claimed] = {}
        self._waiting: deque[tuple[_Claimed, int]] = deque()
        self._given: dict[str, tuple[_Claimed, int]] = {}
        self._entrants: dict[tuple[str, int | None], Entrant] = {}
        self._stop = False
        self.situation: SeasonState | None = None
        """Where the season stands, after the first game was asked for."""

    def __enter__(self) -> Conductor:
        return self

    def __exit__(self, *_: object) -> None:
        self._claims.close()

    def stop(self) -> None:
        """Give out no more games; those that are being played are kept when they end."""
        self._stop = True
        self._waiting.clear()

    # --- what runner.series asks for ----------------------------------------------------------------------------------

    @property
    def exhausted(self) -> bool:
        """Whether no game will come any more."""
        if self._stop:
            return True
        if self._only is not None:
            return not self._waiting and not self._claimed
        return self.situation is not None and not self.situation.is_open

    def next_game(self) -> GameTask | None:
        """The next game, from an encounter that nobody else plays."""
        if self._stop:
            return None
        if not self._waiting:
            self._claim_more()
        if not self._waiting:
            return None
        claimed, number = self._waiting.popleft()
        task = self._task(claimed, number)
        self._given[task.id] = (claimed, number)
        return task

    def keep(self, task: GameTask, played: FinishedGame) -> None:
        """Write down a game that has ended, and what follows from it."""
        claimed, number = self._given.pop(task.id)
        with self._contest.store.transaction() as session:
            encounter = session.get_one(EncounterRow, claimed.id)
            game = record_game(session, self._contest.season, encounter, number, played)
            missing = score(session, self._contest.season, encounter).missing
            if game is not None:
                session.expunge(game)
        self._give(claimed, missing)
        if game is not None:
            self._tell(encounter, game)

    # --- inside -------------------------------------------------------------------------------------------------------

    def _beyond(self, stage: Stage, matchday: int) -> bool:
        phases = [phase.stage for phase in self._contest.season.phases]
        return self._until is not None and self._until.is_past(stage, matchday, phases)

    def _claim_more(self) -> None:
        """Claim the next encounter that nobody plays; open the next day when this one is over."""
        while True:
            candidates = self._candidates()
            for id_ in candidates:
                if id_ not in self._claimed and self._claims.take(id_):
                    self._take_over(id_)
                    if self._waiting:
                        return
            if self._only is not None or not candidates or any(id_ in self._claimed for id_ in candidates):
                return
            with self._contest.store.reading() as session:
                open_ = set(
                    session.scalars(
                        select(EncounterRow.id).where(EncounterRow.id.in_(candidates), EncounterRow.finished.is_(None))
                    )
                )
            if open_:
                return  # Others play these.

    def _candidates(self) -> list[int]:
        """The encounters that may be played now."""
        if self._only is not None:
            return [] if self._claimed else [self._only]
        with self._contest.store.transaction() as session:
            situation = advance(session, self._contest.season, ahead=self._ahead, beyond=self._beyond)
            day = EncounterRow.matchday_id == situation.matchday_id
            unfinished = select(EncounterRow.id).where(day, EncounterRow.finished.is_(None)).order_by(EncounterRow.id)
            ids = list(session.scalars(unfinished)) if situation.is_open else []
        if situation != self.situation:
            self.situation = situation
            self._news(situation)
        return ids

    def _take_over(self, id_: int) -> None:
        """Look at an encounter that is ours now: write down what nobody can play, give out the rest."""
        with self._contest.store.transaction() as session:
            encounter = session.get_one(EncounterRow, id_)
            record_walkovers(session, self._contest.season, encounter)
            missing = score(session, self._contest.season, encounter).missing
            claimed = _Claimed(
                id_,
                encounter.key,
                Stage(encounter.stage),
                (encounter.first.name, encounter.second.name),
                (encounter.first_program, encounter.second_program),
            )
            session.expunge_all()
        self._claimed[id_] = claimed
        self._give(claimed, missing)

    def _give(self, claimed: _Claimed, missing: tuple[int, ...]) -> None:
        if not missing:
            self._claims.release(claimed.id)
            del self._claimed[claimed.id]
            return
        for number in missing:
            if number not in claimed.given and not self._stop:
                claimed.given.add(number)
                self._waiting.append((claimed, number))

    def _task(self, claimed: _Claimed, number: int) -> GameTask:
        season = self._contest.season
        with self._contest.store.reading() as session:
            encounter = session.get_one(EncounterRow, claimed.id)
            limits = phase_of(season, encounter).limits
            tried = attempt(session, encounter, number)
        first, second = (
            self._entrant(team, program) for team, program in zip(claimed.teams, claimed.programs, strict=True)
        )
        name = f"{claimed.key}-{number}" + (f"-{tried}" if tried > 1 else "")
        return GameTask(
            id=name,
            game=season.game,
            start=start_position(season, claimed.key, number),
            entrants=(first, second) if first_is_one(number) else (second, first),
            limits=limits,
            in_process=season.in_process,
        )

    def _entrant(self, team: str, program: ProgramRow | None) -> Entrant:
        """The player of a team, unpacked once."""
        key = (team, None if program is None else program.id)
        if key not in self._entrants:
            with self._contest.store.reading() as session:
                file = None if program is None else session.get(ProgramFileRow, program.digest)
            self._entrants[key] = open_entrant(team, program, file)
        return self._entrants[key]


def open_entrant(team: str, program: ProgramRow | None, file: ProgramFileRow | None) -> Entrant:
    """The player of a team as it is started: a built-in one, or the program in the ZIP."""
    if program is None or program.builtin:
        (entrant,) = enter([_RANDOM if program is None else program.name], ["x"])
        return replace(entrant, name=team)
    if file is None:
        raise ContestError(f"the file of program {program.number} of {team!r} is missing in the store")
    with tempfile.TemporaryDirectory(prefix="spielleiter-") as folder:
        path = Path(folder) / "player.zip"
        path.write_bytes(file.data)
        try:
            (entrant,) = enter([str(path)], ["x"])
        except ProgramError as problem:
            raise ContestError(f"program {program.number} of {team!r}: {problem}") from None
    return replace(entrant, name=team)


def explain_wait(situation: SeasonState) -> Text | None:
    """What has to happen before a season can go on, or ``None`` if it is over or plays."""
    match situation.waits:
        case Blocker.DATE:
            return Text("Danach weiter mit demselben Befehl; --ahead wartet nicht.", "Run again then, or with --ahead.")
        case Blocker.LOT:
            assert situation.stage is not None
            where = f"{situation.stage} {situation.group}".strip()
            return Text(f"Das Los ziehen: contest draw-lot {where}", f"Draw it: contest draw-lot {where}")
        case Blocker.PAUSE:
            return Text("Weiter mit: contest resume", "Go on with: contest resume")
        case Blocker.GAMES | Blocker.NOTHING:
            return None
