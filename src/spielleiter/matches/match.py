"""A match: takes the games from the stream of pairings, has them played, stores the results, knows when to stop.

Laws: every game has one line in ``results.jsonl``, written when it has ended and its record and logs are there; killed
at any moment and resumed, exactly the missing games are played. Nothing that a player does ends a match, except that
one that does not start three times in a row makes it pointless to go on (unless it shall ``recover``). A game that is
played again has a line for each attempt, and the last one counts: never half a pair, never a result that was chosen
after the fact.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from spielleiter.errors import WRITE, RecordError, refusing
from spielleiter.feeds import Feed
from spielleiter.game import Text
from spielleiter.matches.executor import Executor
from spielleiter.matches.pairings import Pairing
from spielleiter.matches.plan import RESULTS, MatchPlan
from spielleiter.matches.results import MAX_ATTEMPTS, MatchGame, ResultFile, last_attempts
from spielleiter.matches.series import play_on_feed
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import Entrant, with_seed
from spielleiter.programs.side_result import Fault
from spielleiter.rating.pairs import Pentanomial
from spielleiter.rating.sprt import SprtState, Verdict

MAX_FAILED_STARTS = 3
"""Failed starts of a player in a row: then the match is stopped."""


class Stop(Enum):
    """Why a match ended."""

    COMPLETE = Text("alle Spiele sind gespielt", "all games are played")
    DECIDED = Text("der SPRT hat entschieden", "the SPRT has decided")
    NO_START = Text("ein Spieler startet nicht", "a player does not start")

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended."""

    stop: Stop
    rows: tuple[MatchGame, ...]
    reason: Text
    notices: tuple[Text, ...] = ()
    replaced: tuple[MatchGame, ...] = ()
    """Attempts that do not count, because the game was played again."""


class Match:
    """The games of one plan, stored in one folder. ``on_row`` gets each new result, ``on_start`` each new game.

    Spectators can follow the games on ``feed``.
    With ``replay_busy`` a game that was lost on time while the machine was busy is played again, also one of an
    earlier run. With ``recover`` a player that never starts loses its games, and the others go on.
    """

    def __init__(
        self,
        plan: MatchPlan,
        folder: Path,
        executor: Executor,
        *,
        replay_busy: bool = True,
        recover: bool = False,
        on_row: Callable[[MatchGame], None] | None = None,
        on_start: Callable[[Pairing], None] | None = None,
        feed: Feed | None = None,
    ) -> None:
        self.plan = plan
        self.folder = folder
        self._executor = executor
        self._feed = feed
        self._replay_busy = replay_busy
        self._recover = recover
        self._on_row = on_row or (lambda row: None)
        self._on_start = on_start or (lambda pairing: None)
        self._game = plan.load_game()
        self._results = ResultFile(folder / RESULTS)
        self._points: dict[str, tuple[float, float] | None] = {}
        self._failed_starts: dict[str, int] = {}
        self._why_stopped = Text("", "")
        self._again: deque[Pairing] = deque()
        self._attempts = Counter(row.id for row in self._results.rows)
        self._test = None if plan.sprt is None else SprtCourse(plan)
        for row in last_attempts(self._results.rows):
            if not self.is_to_replay(row):
                self._count(row)

    @property
    def rows(self) -> tuple[MatchGame, ...]:
        """The results so far, in the order in which they came; of a game that is played again, the last."""
        return tuple(row for row in last_attempts(self._results.rows) if row.id in self._points)

    @property
    def replaced(self) -> tuple[MatchGame, ...]:
        """The attempts that do not count, because the game is played again."""
        counted = {(row.id, row.attempt) for row in self.rows}
        return tuple(row for row in self._results.rows if (row.id, row.attempt) not in counted)

    def is_to_replay(self, row: MatchGame) -> bool:
        """Whether this result does not count, because the game is played again."""
        return self._replay_busy and any(row.untimely) and row.attempt < MAX_ATTEMPTS

    @property
    def sprt_state(self) -> SprtState | None:
        """Where the test stands, if there is one; once it has decided, that stays."""
        return None if self._test is None else self._test.state

    @property
    def sprt_course(self) -> SprtCourse | None:
        """How the test came there."""
        return self._test

    async def run(self) -> MatchEnd:
        """Play all games that are missing. May be cancelled at any time; what has ended by then is stored."""
        stream = self.plan.arrangement().stream(self._points)
        running: dict[asyncio.Task[FinishedGame], Pairing] = {}
        waiting = exhausted = False
        # Failures of an earlier run were its own; the player may start now.
        self._failed_starts.clear()
        try:
            while True:
                stop = self._stop()
                while stop is None and len(running) < self._executor.slots:
                    if self._again:
                        pairing: Pairing | str | None = self._again.popleft()
                    elif exhausted or waiting:
                        break
                    else:
                        pairing = next(stream, _END)
                    if isinstance(pairing, str):
                        exhausted = True
                    elif pairing is None:
                        waiting = True
                    elif pairing.id not in self._points:
                        self._on_start(pairing)
                        running[asyncio.create_task(self._play(pairing))] = pairing
                if not running:
                    if waiting and stop is None:
                        waiting = False
                        continue
                    break
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._record(running.pop(task), task.result())
                if self._stop() is Stop.NO_START:
                    break
        finally:
            await _cancel(running)
            self._results.close()
        stop = self._stop() or Stop.COMPLETE
        reason = self._why_stopped if stop is Stop.NO_START else stop.text
        return MatchEnd(stop, self.rows, reason, self._executor.notices, self.replaced)

    async def _play(self, pairing: Pairing) -> FinishedGame:
        return await play_on_feed(self._executor, self._task(pairing), self._feed)

    def _task(self, pairing: Pairing) -> GameTask:
        one, two = (self._seeded(pairing, place) for place in (pairing.one, pairing.two))
        return GameTask(
            id=pairing.id,
            game=self.plan.game,
            start=self.plan.openings.position(self._game, pairing.start),
            entrants=(one, two),
            limits=self.plan.limits(),
            in_process=self.plan.in_process,
            ponder=self.plan.ponder,
            adjudication=self.plan.adjudication,
        )

    def _seeded(self, pairing: Pairing, place: int) -> Entrant:
        """The player with the chance that it has in this game: another one in each."""
        entrant, seed = self.plan.entrants[place], self.plan.player_seed
        if seed is None or not entrant.is_ours:
            return entrant
        digest = hashlib.sha256(f"{seed}:{pairing.id}:{place}".encode()).digest()
        return with_seed(entrant, int.from_bytes(digest[:4]))

    def _stop(self) -> Stop | None:
        if not self._recover and any(failed >= MAX_FAILED_STARTS for failed in self._failed_starts.values()):
            return Stop.NO_START
        if self._test is not None and self._test.state.verdict is not Verdict.CONTINUE:
            return Stop.DECIDED
        return None

    # --- recording ----------------------------------------------------------------------------------------------------

    def _record(self, pairing: Pairing, finished: FinishedGame) -> None:
        """Write everything about a game: first what its row names, then the row."""
        row = replace(finished.row, pair=pairing.pair, round=pairing.round)
        if row.id in self._points:
            return  # A lost worker's game that came back after all: counted once.
        self._attempts[row.id] += 1
        attempt = self._attempts[row.id]
        name = row.id if attempt == 1 else f"{row.id}-attempt{attempt}"
        record = self._write("records", f"{name}.jsonl", finished.record)
        one, two = (
            replace(side, log=self._write("logs", f"{name}-{team}.log", log))
            for side, team, log in zip(row.sides, ("one", "two"), finished.logs, strict=True)
        )
        row = replace(row, sides=(one, two), record=record, attempt=attempt)
        self._results.append(row)
        if self.is_to_replay(row):
            self._again.append(pairing)
        else:
            self._count(row)
        self._on_row(row)

    def _write(self, kind: str, name: str, data: bytes) -> str:
        """The name of the file in the folder of the match, or nothing if there is nothing to write."""
        if not data:
            return ""
        path = self.folder / kind / name
        with refusing(RecordError, path, WRITE):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        return f"{kind}/{name}"

    def _count(self, row: MatchGame) -> None:
        one, two = row.victory_points
        self._points[row.id] = (one / 2, two / 2) if row.counts else None
        for side in row.sides:
            if side.fault is Fault.NO_START:
                self._failed_starts[side.name] = self._failed_starts.get(side.name, 0) + 1
                times = MAX_FAILED_STARTS
                self._why_stopped = Text(
                    f"{side.name} ist {times}-mal hintereinander nicht gestartet: {side.failure.de}",
                    f"{side.name} did not start {times} times in a row: {side.failure.en}",
                )
            else:
                self._failed_starts[side.name] = 0
        if self._test is not None:
            self._test.add(row)


_END = "end"


async def _cancel(running: Mapping[asyncio.Task[FinishedGame], Pairing]) -> None:
    for task in running:
        task.cancel()
    for task in running:
        with suppress(asyncio.CancelledError, Exception):
            await task


class SprtCourse:
    """The SPRT over the pairs in the order in which they were finished; its first decision stays."""

    def __init__(self, plan: MatchPlan) -> None:
        assert plan.sprt is not None
        self._test = plan.sprt
        self._first = plan.entrants[0].name
        self._half: dict[str, int] = {}
        self._counts = [0, 0, 0, 0, 0]
        self.state = self._test.state(Pentanomial())
        self.steps: list[tuple[int, float]] = []
        """The LLR after so many pairs."""

    @classmethod
    def of(cls, plan: MatchPlan, rows: Iterable[MatchGame]) -> SprtCourse:
        """The test of a match with these results."""
        course = cls(plan)
        for row in rows:
            course.add(row)
        return course

    def add(self, row: MatchGame) -> None:
        """Take one more game into account."""
        if not row.counts or self.state.verdict is not Verdict.CONTINUE:
            return
        mine = row.victory_points[row.names.index(self._first)]
        if row.pair not in self._half:
            self._half[row.pair] = mine
            return
        self._counts[self._half.pop(row.pair) + mine] += 1
        zero, half, one, one_and_half, two = self._counts
        self.state = self._test.state(Pentanomial((zero, half, one, one_and_half, two)))
        self.steps.append((self.state.pairs, self.state.llr))
