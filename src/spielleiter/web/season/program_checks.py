"""Checks of submitted programs in the background, one at a time; a team follows its own live."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir

from spielleiter.contest.run import programs
from spielleiter.errors import ContestError, ProgramError
from spielleiter.feeds.channel import Channel
from spielleiter.game import Text
from spielleiter.programs.sandbox import AUTO, Level
from spielleiter.web.season.workers import Workers

log = logging.getLogger("spielleiter.web")

_MAX_CHECKS = 30
"""Programs that wait for their check, or are being checked."""
_PARSE = "import ast, sys; ast.walk(ast.parse(open(sys.argv[1], 'rb').read()))"
_PARSE_SECONDS = 15.0
_STOPPED = Text("Der Spielleiter wurde beendet.", "The game master was stopped.")
_INTERNAL_ERROR = Text(
    "Bei uns ging etwas schief; dein Programm kann nichts dafür. Die Spielleitung sieht im Terminal, was es ist.",
    "Something went wrong on our side; it is not your program's fault. Organisers see in the terminal what it is.",
)


@dataclass(slots=True)
class ProgramCheck:
    """The check of one submitted program."""

    team_id: int
    name: str
    lines: list[Text] = field(default_factory=list)
    """What has happened so far."""
    number: int | None = None
    """The program's number, as soon as it is stored."""
    passed: bool = False
    problem: Text | None = None
    """Why it could not be stored at all."""
    channel: Channel = field(default_factory=Channel)

    @property
    def over(self) -> bool:
        """Whether its end is known."""
        return self.number is not None or self.problem is not None


class ProgramChecks:
    """All checks since the pages were started."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._contest = workers.contest
        self._checks: dict[int, ProgramCheck] = {}
        self._one_at_a_time = asyncio.Lock()

    def of_team(self, team_id: int) -> ProgramCheck | None:
        """The newest check of a team."""
        return self._checks.get(team_id)

    def start(self, team_id: int, team: str, path: Path, name: str, who: str) -> ProgramCheck:
        """Check a program in the background. Raises ``ContestError`` if it cannot be now.

        The file is deleted afterwards, with the folder in which it lies alone.
        """
        before = self._checks.get(team_id)
        if before is not None and not before.over:
            raise ContestError(
                "Ein anderes Programm deines Teams wird gerade geprüft: warte das ab.",
                "Another program of your team is being checked: wait for its end.",
            )
        if sum(not check.over for check in self._checks.values()) >= _MAX_CHECKS:
            raise ContestError(
                "Zu viele Programme warten auf ihre Prüfung: versuche es in ein paar Minuten noch einmal.",
                "Too many programs wait for their check: try again in a few minutes.",
            )
        if self._contest.season.in_process:
            raise ContestError(
                "Diese Saison spielt nur mit eingebauten Spielern (in_process steht in ihrer Datei).",
                "This season plays with built-in players only (its file says in_process).",
            )
        check = self._checks[team_id] = ProgramCheck(team_id, name)
        self._log(check, Text("Angenommen; die Prüfung beginnt gleich.", "Accepted; the check starts in a moment."))
        self._workers.spawn(self._run(check, team, path, who))
        return check

    def _log(self, check: ProgramCheck, line: Text) -> None:
        check.lines.append(line)
        self._workers.publish(check.channel)

    async def _run(self, check: ProgramCheck, team: str, path: Path, who: str) -> None:
        try:
            async with self._one_at_a_time:
                await self._submit(check, team, path, who)
        except (ContestError, ProgramError) as problem:
            check.problem = _without_folders(problem.text, check.name)
        except asyncio.CancelledError:
            check.problem = _STOPPED
            raise
        except Exception as problem:  # Whatever it is, the team must see that it has ended.
            log.error("a check failed", exc_info=problem)
            check.problem = _INTERNAL_ERROR
        finally:
            shutil.rmtree(path.parent, ignore_errors=True)
            self._workers.publish(check.channel)

    async def _submit(self, check: ProgramCheck, team: str, path: Path, who: str) -> None:
        executor = await self._workers.executor()
        self._refuse_without_sandbox()
        if path.suffix == ".py":
            await _refuse_unreadable(path)
        program = await programs.submit(
            self._contest, team, str(path), who=who, executor=executor, name=check.name,
            progress=lambda line: self._log(check, line),
        )  # fmt: skip
        verdict = Text("Bestanden. ✓", "Passed. ✓") if program.passed else Text("Nicht bestanden. ✗", "Not passed. ✗")
        if not program.was_judged:
            verdict = Text(
                "Nicht geprüft: Die Spiele scheiterten, und nicht an deinem Programm. Lade es noch einmal hoch.",
                "Not checked: its games failed through no fault of your program. Upload it again.",
            )
        self._log(check, verdict)
        check.passed, check.number = program.passed, program.number

    def _refuse_without_sandbox(self) -> None:
        """Untrusted programs are started only in a sandbox, unless the season file says otherwise."""
        if self._workers.level is not Level.BUBBLEWRAP and self._contest.season.sandbox == AUTO:
            raise ContestError(
                "Auf diesem Rechner gibt es keine Sandbox für Programme: die Spielleitung muss bubblewrap installieren,"
                " oder die Sandbox in der Saisondatei wählen.",
                "This machine has no sandbox for programs: organisers must install bubblewrap, or choose the sandbox in"
                " the season file.",
            )


def _without_folders(problem: Text, name: str) -> Text:
    """A message with the bare name of a file: its path on this machine is private."""
    path = re.escape(gettempdir()) + r"/\S+?\.(?:zip|jar|py)\b"
    return Text(re.sub(path, lambda _: name, problem.de), re.sub(path, lambda _: name, problem.en))


async def _refuse_unreadable(path: Path) -> None:
    """Parse a Python file in another process first, since a nasty one can break the parser. Raises ``ProgramError``."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-c", _PARSE, str(path), stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(_PARSE_SECONDS):
            _, printed = await process.communicate()
    except TimeoutError:
        printed = b"it takes too long"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        last = (printed.decode("utf-8", "replace").strip().splitlines() or ["it cannot be read"])[-1][:300]
        raise ProgramError(f"{path}: das ist keine Python-Datei: {last}", f"{path}: this is no Python file: {last}")
