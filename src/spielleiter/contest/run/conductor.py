"""Plays a season: claims encounters, gives out their games, records the results, opens the next day.

Laws: a game is recorded once, in one transaction with everything that follows from it; an encounter is played by
the process that has claimed it; a run that was killed at any moment and started again plays exactly the missing games.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sqlalchemy import select

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.create import RESERVATION
from spielleiter.contest.run.progress import advance
from spielleiter.contest.run.results import (
    attempt,
    missing_games,
    phase_of,
    record_game,
    record_walkovers,
    start_position,
)
from spielleiter.contest.season.encounter import first_is_one
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import game_name
from spielleiter.contest.season.next import Blocker, SeasonState, Until
from spielleiter.contest.season.snapshot import Encounter, SeasonGame
from spielleiter.contest.store import EncounterRow, ProgramFileRow, ProgramRow
from spielleiter.contest.store.values import encounter_value, game_value, team_value
from spielleiter.errors import ContestError
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import Entrant, entrant_from_zip, resolve, with_python

_RANDOM = "random"
"""Who plays for a team without a program in the trial days."""


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
    """Gives out the games of a season, as ``matches.series`` asks for them.

    ``on_game`` is called with each game that was recorded, ``on_state`` with each new state of the season. Use it with
    ``with``, which releases its claims.
    """

    def __init__(
        self,
        contest: Contest,
        *,
        until: Until | None = None,
        ahead: bool = False,
        only: int | None = None,
        on_game: Callable[[Encounter, SeasonGame], None] = lambda encounter, game: None,
        on_state: Callable[[SeasonState], None] = lambda state: None,
    ) -> None:
        """``only`` is the id of the single encounter to play, as for a friendly one."""
        self._contest = contest
        self._until = until
        self._ahead = ahead
        self._only = only
        self._on_game = on_game
        self._on_state = on_state
        self._claims = contest.store.claims()
        self._claimed: dict[int, _Claimed] = {}
        self._waiting: deque[tuple[_Claimed, int]] = deque()
        self._given: dict[str, tuple[_Claimed, int]] = {}
        self._entrants: dict[tuple[str, int | None], Entrant] = {}
        self._stop = False
        self.state: SeasonState | None = None
        """Where the season stands; ``None`` before the first game was asked for."""

    def __enter__(self) -> Conductor:
        return self

    def __exit__(self, *_: object) -> None:
        self._claims.close()

    def stop(self) -> None:
        """Give out no more games; those that are being played are recorded when they end."""
        self._stop = True
        self._waiting.clear()

    # --- what matches.series asks for ---------------------------------------------------------------------------------

    @property
    def exhausted(self) -> bool:
        """Whether no game will come any more."""
        if self._stop:
            return True
        if self._only is not None:
            return not self._waiting and not self._claimed
        return self.state is not None and self.state.blocker is not Blocker.GAMES

    def next_game(self) -> GameTask | None:
        """The next game, from an encounter that no other process plays."""
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

    def record(self, task: GameTask, finished: FinishedGame) -> None:
        """Record a game that has ended, and what follows from it."""
        claimed, number = self._given.pop(task.id)
        with self._contest.store.transaction() as session:
            encounter = session.get_one(EncounterRow, claimed.id)
            game = record_game(session, self._contest.season, encounter, number, finished)
            missing = missing_games(session, self._contest.season, encounter)
            if game is not None and game.annulled:
                claimed.given.discard(number)
            versions = {program.id: program.number for program in claimed.programs if program is not None}
            shown = encounter_value(encounter, {team.id: team_value(team) for team in encounter.teams}, versions)
        self._give(claimed, missing)
        if game is not None:
            self._on_game(shown, game_value(game))

    # --- inside -------------------------------------------------------------------------------------------------------

    def _claim_more(self) -> None:
        """Claim the next free encounter; open the next day when this one is over."""
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
            self._contest.refresh(session)
            state = advance(session, self._contest.season, ahead=self._ahead, until=self._until)
            day = EncounterRow.matchday_id == state.matchday_id
            unfinished = select(EncounterRow.id).where(day, EncounterRow.finished.is_(None)).order_by(EncounterRow.id)
            ids = list(session.scalars(unfinished)) if state.blocker is Blocker.GAMES else []
        if state != self.state:
            self.state = state
            self._on_state(state)
        return ids

    def _take_over(self, id_: int) -> None:
        """Start with an encounter that is ours now: record what cannot be played, give out the rest."""
        with self._contest.store.transaction() as session:
            encounter = session.get_one(EncounterRow, id_)
            record_walkovers(session, self._contest.season, encounter)
            missing = missing_games(session, self._contest.season, encounter)
            claimed = _Claimed(
                id_,
                encounter.key,
                Stage(encounter.stage),
                (encounter.first.name, encounter.second.name),
                encounter.programs,
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
        return GameTask(
            id=game_name(claimed.key, number, tried),
            game=season.game,
            start=start_position(season, claimed.key, number),
            entrants=(first, second) if first_is_one(number) else (second, first),
            limits=limits,
            in_process=season.in_process,
            ponder=season.ponder,
            takes_notes=season.player_notes,
        )

    def _entrant(self, team: str, program: ProgramRow | None) -> Entrant:
        """The player of a team, unpacked once."""
        key = (team, None if program is None else program.id)
        if key not in self._entrants:
            with self._contest.store.reading() as session:
                file = None if program is None else session.get(ProgramFileRow, program.digest)
            python = self._contest.season.team(team).python
            self._entrants[key] = with_python(open_entrant(team, program, file), python)
        return self._entrants[key]


def open_entrant(team: str, program: ProgramRow | None, file: ProgramFileRow | None) -> Entrant:
    """The player of a team as it is started: a built-in one, one that joins manually, or the program in the ZIP."""
    if program is None or program.builtin:
        reservation = "" if program is None else program.report.get(RESERVATION, "")
        return replace(resolve(_RANDOM if program is None else program.name), name=team, reservation=reservation)
    if file is None:
        raise ContestError(
            f"Die Datei von Programm {program.number} von {team!r} fehlt in der Datenbank.",
            f"the file of program {program.number} of {team!r} is missing in the store",
        )
    return entrant_from_zip(file.data, team, f"{team}, {program.name}")
