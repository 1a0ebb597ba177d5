"""A queue of tests in a folder: a file for each test beside its match; nothing is known but what is on the disk.

A test is a folder that ``match --resume``, ``rate`` and ``coach`` take for what it is: a match. ``queued.json`` in it
says where it stands in the queue. Anybody may submit while one process plays (``claim``); only that one changes tests.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from spielleiter import games
from spielleiter.atomic_files import atomic_write
from spielleiter.errors import READ, WRITE, RecordError, SettingsError, SpielleiterError, refusing
from spielleiter.game import Text
from spielleiter.lab.kept_versions import UploadedZip, keep_version
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import RESULTS, MatchPlan, claim_folder, plan_from_json, read_plan, stored_entrants
from spielleiter.matches.play_settings import PlaySettings
from spielleiter.matches.results import LineFile, is_being_written
from spielleiter.programs.entrants import Entrant, EntrantKind, with_options
from spielleiter.rating.sprt import Sprt
from spielleiter.text import NO_TEXT
from spielleiter.values import parse_json

_QUEUED = "queued.json"
_CLAIM = "queue.lock"
_TESTS, _VERSIONS = "tests", "versions"
_MAX_NOTE = 200
MAX_PAIRS = 1_000_000
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
"""The name of a test's folder."""


class QueueState(Enum):
    """Where a test stands; whether it is being played now is known by who plays it."""

    WAITING = Text("wartet", "waiting")
    STOPPED = Text("angehalten", "stopped")
    FINISHED = Text("beendet", "finished")
    FAILED = Text("abgebrochen", "failed")

    @property
    def text(self) -> Text:
        return self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTest:
    """One test of two versions."""

    number: int
    place: int
    """Position in the queue: the lowest waiting one is played next."""
    state: QueueState = QueueState.WAITING
    players: tuple[str, str]
    """Whose versions the two are, the new one first."""
    submitted: str
    """When, as ISO 8601; so is ``ended``."""
    ended: str = ""
    note: str = ""
    """What the submitter says about it."""
    subjects: tuple[str, str] = ("", "")
    """What the commits of the two say, where they are commits."""
    problem: Text = NO_TEXT
    """Why it failed."""
    concurrency: int | None = None
    cores: tuple[int, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """The test as it stands in its file."""
        return asdict(self) | {"state": self.state.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedTest:
    """A request for a test."""

    versions: tuple[str | UploadedZip, str | UploadedZip]
    """The new one first."""
    game: str = games.CURRENT_SEASON
    sprt: Sprt | None = None
    pairs: int | None = None
    """Pairs of games with sides swapped: their number, or the maximum that an SPRT may take."""
    openings: Openings = field(default_factory=lambda: Openings(random_moves=4))
    seconds: float | None = None
    nodes: int | None = None
    in_process: bool = False
    concurrency: int | None = None
    cores: tuple[int, ...] | None = None
    note: str = ""


class LabQueue:
    """The tests in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tests: dict[int, QueuedTest] = {}
        self._claimed: LineFile | None = None
        self.refresh()

    # --- one process plays --------------------------------------------------------------------------------------------

    def claim(self) -> None:
        """Be the one process that plays these tests. Raises ``SettingsError`` if another one is."""
        with refusing(SettingsError, self.folder, WRITE):
            (self.folder / _TESTS).mkdir(parents=True, exist_ok=True)
        try:
            self._claimed = LineFile(self.folder / _CLAIM)
        except RecordError:
            raise SettingsError(
                f"{self.folder}: ein anderes Fenster spielt diese Warteschlange schon; beende es dort mit Strg-C.",
                f"{self.folder}: this queue is already played in another window; stop it there with Ctrl-C",
            ) from None

    def close(self) -> None:
        """Let another process play."""
        if self._claimed is not None:
            self._claimed.close()
            self._claimed = None

    # --- reading ------------------------------------------------------------------------------------------------------

    @property
    def tests(self) -> list[QueuedTest]:
        """All tests, the newest first."""
        return sorted(self._tests.values(), key=lambda test: -test.number)

    def get(self, number: int) -> QueuedTest | None:
        """The test of this number."""
        return self._tests.get(number)

    def waiting(self) -> list[QueuedTest]:
        """The tests to be played, the next one first."""
        waiting = (test for test in self._tests.values() if test.state is QueueState.WAITING)
        return sorted(waiting, key=lambda test: (test.place, test.number))

    def refresh(self) -> bool:
        """Whether there are tests that were not known yet. Raises ``SettingsError`` if the folder cannot be read."""
        tests = self.folder / _TESTS
        if not tests.is_dir():
            return False
        with refusing(SettingsError, tests, READ):
            numbers = {int(path.name) for path in tests.iterdir() if _NUMBER.fullmatch(path.name)} - self._tests.keys()
        for number in numbers:
            self._tests[number] = self._read(number)
        return bool(numbers)

    def _read(self, number: int) -> QueuedTest:
        path = self.match_folder(number) / _QUEUED
        try:
            with refusing(SettingsError, path, READ):
                data = path.read_bytes()
            return replace(parse_json(data, str(path), SettingsError).read(QueuedTest), number=number)
        except SettingsError as problem:  # One broken file must not cost the others.
            return QueuedTest(
                number=number, place=number, state=QueueState.FAILED, players=("?", "?"), submitted="",
                problem=problem.text,
            )  # fmt: skip

    def match_folder(self, number: int) -> Path:
        """The folder of the match that a test is."""
        return self.folder / _TESTS / str(number)

    def is_running(self, test: QueuedTest) -> bool:
        """Whether a process is playing this test now; unknown on Windows."""
        return test.state is QueueState.WAITING and is_being_written(self.match_folder(test.number) / RESULTS)

    def plan(self, number: int) -> MatchPlan:
        """What is played, with the programs as they are now. Raises ``SettingsError`` or ``ProgramError``."""
        data = read_plan(self.match_folder(number))
        return plan_from_json(data, stored_entrants(data))

    # --- changing -----------------------------------------------------------------------------------------------------

    def submit(self, wanted: WantedTest, settings: PlaySettings | None = None) -> QueuedTest:
        """Put a test at the end of the queue; ``settings`` are those of who will play it, where they are known.

        Raises ``SettingsError``, ``ProgramError`` or another ``Refused`` with what is wrong.
        """
        new, old = (keep_version(self.folder / _VERSIONS, source) for source in wanted.versions)
        plan = _plan(wanted, (new.entrant, old.entrant))
        replace(settings or PlaySettings(), concurrency=wanted.concurrency, cores=wanted.cores).check(plan)
        test = QueuedTest(
            number=0,
            place=0,
            players=(new.player, old.player),
            submitted=_now(),
            subjects=(new.subject, old.subject),
            note=" ".join(wanted.note.split())[:_MAX_NOTE],
            concurrency=wanted.concurrency,
            cores=wanted.cores,
        )
        return self._add(test, plan)

    def _add(self, test: QueuedTest, plan: MatchPlan) -> QueuedTest:
        """Write the folder of a test in one step, under the next free number."""
        tests = self.folder / _TESTS
        draft = tests / f".{secrets.token_hex(6)}"
        with refusing(SettingsError, tests, WRITE):
            try:
                draft.mkdir(parents=True)
                claim_folder(draft, plan, resume=False)
                self.refresh()
                test = replace(test, number=max(self._tests, default=0) + 1)
                while True:
                    test = replace(test, place=max((each.place for each in self.tests), default=0) + 1)
                    _write(draft / _QUEUED, test)
                    try:
                        draft.rename(self.match_folder(test.number))
                        break
                    except OSError:
                        if not self.match_folder(test.number).exists():
                            raise
                        test = replace(test, number=test.number + 1)  # Somebody else was quicker.
            finally:
                shutil.rmtree(draft, ignore_errors=True)
        self._tests[test.number] = test
        return test

    def change(self, number: int, **changes: Any) -> QueuedTest:
        """Change a test, also where the disk does not take it: then it is known until the end of this process.

        Raises ``SettingsError`` in that case.
        """
        test = self._tests[number] = replace(self._tests[number], **changes)
        path = self.match_folder(number) / _QUEUED
        with refusing(SettingsError, path, WRITE):
            _write(path, test)
        return test

    def end(self, number: int, state: QueueState, problem: Text = NO_TEXT) -> QueuedTest:
        """A test is not played any more, for now or for good."""
        return self.change(number, state=state, problem=problem, ended=_now())

    def resume(self, number: int) -> QueuedTest:
        """Let a test that was stopped or has failed wait for its turn again, at its old place."""
        return self.change(number, state=QueueState.WAITING, problem=NO_TEXT, ended="")

    def move(self, number: int, *, up: bool) -> None:
        """Let a waiting test change places with the one before or behind it, if there is one."""
        waiting = self.waiting()
        at = next((at for at, test in enumerate(waiting) if test.number == number), None)
        other = None if at is None else at - 1 if up else at + 1
        if at is None or other is None or not 0 <= other < len(waiting):
            return
        mine, theirs = waiting[at], waiting[other]
        self.change(mine.number, place=theirs.place)
        self.change(theirs.number, place=mine.place)


def _write(path: Path, test: QueuedTest) -> None:
    with atomic_write(path) as draft:
        draft.write_text(json.dumps(test.to_json(), ensure_ascii=False, indent=1), encoding="utf-8")


def _plan(wanted: WantedTest, entrants: Sequence[Entrant]) -> MatchPlan:
    game = games.load(wanted.game)
    if wanted.nodes is not None:
        entrants = [with_options(entrant, {"nodes": str(wanted.nodes)}) for entrant in entrants]
    for entrant in entrants:
        entrant.check_game(game)
    one, two = entrants
    if one.name == two.name or (one.digest == two.digest and one.files is not None):
        name = one.name if one.name == two.name else f"{one.name} = {two.name}"
        raise SettingsError(f"Beide Seiten sind dieselbe Version: {name}.", f"both sides are the same version: {name}")
    if wanted.pairs is not None and not 1 <= wanted.pairs <= MAX_PAIRS:
        raise SettingsError(
            f"Ein Test hat 1 bis {MAX_PAIRS} Paare von Spielen, nicht {wanted.pairs}.",
            f"a test has 1 to {MAX_PAIRS} pairs of games, not {wanted.pairs}",
        )
    wanted.openings.position(game, 0)  # What cannot begin should show now.
    return MatchPlan(
        game=game.key,
        entrants=tuple(entrants),
        games=None if wanted.pairs is None else 2 * wanted.pairs,
        sprt=wanted.sprt,
        openings=wanted.openings,
        seconds=wanted.seconds,
        player_seed=wanted.openings.seed,
        in_process=wanted.in_process,
    )


def shown_plan(folder: Path) -> MatchPlan:
    """The plan of a match for those who only show it: its players are names, their programs are not read.

    Raises ``SettingsError``.
    """
    data = read_plan(folder)
    try:
        entrants = [
            Entrant(name=str(each["name"]), text=str(each["player"]), kind=EntrantKind.COMMAND)
            for each in data["players"]
        ]
    except (KeyError, TypeError) as problem:
        raise SettingsError(
            f"{folder}: ist kein Plan eines Matches: {problem!r}", f"{folder}: not a plan of a match: {problem!r}"
        ) from None
    return plan_from_json(data, entrants)


def problem_text(problem: SpielleiterError) -> Text:
    """Why something failed, for people."""
    text = getattr(problem, "text", None)
    return text if isinstance(text, Text) else Text(str(problem), str(problem))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
