"""Why a player program failed, in one line: its own last error with file and line, or how it was ended, in words."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import PurePath
from typing import NamedTuple

from spielleiter.programs.sandbox import ExitStatus, ProgramFile
from spielleiter.programs.start_script import lint_start_script
from spielleiter.text import Text, printable

_MAX_READ = 100_000
"""Characters from the end in which the error is looked for: a stack overflow of Java alone fills half of that."""
_MAX_LINE = 300
_MAX_LINE_READ = 2000
"""Characters of a line that are looked at: patterns that search take time that grows with the square of it."""
_MAX_LINES_AFTER = 8
"""Lines of other text that may follow an error before the last line counts more."""

_SIGNALS = {
    "SIGABRT": Text("hat sich selbst abgebrochen", "aborted itself"),
    "SIGBUS": Text("Zugriff auf ungültigen Speicher", "access to invalid memory"),
    "SIGFPE": Text("Rechenfehler, etwa eine Division durch null", "arithmetic error, such as a division by zero"),
    "SIGILL": Text("ungültiger Maschinenbefehl", "invalid machine instruction"),
    "SIGKILL": Text("von außen beendet, oft aus Speichermangel", "killed from outside, often for lack of memory"),
    "SIGPIPE": Text("schrieb in eine geschlossene Verbindung", "wrote into a closed connection"),
    "SIGSEGV": Text("Zugriff auf ungültigen Speicher", "access to invalid memory"),
    "SIGSYS": Text("verbotener Systemaufruf", "forbidden system call"),
    "SIGXFSZ": Text("schrieb eine zu große Datei", "wrote a file that is too large"),
}
NOT_EXECUTABLE = 126
CANNOT_EXECUTE = (NOT_EXECUTABLE, 127)
"""The exit codes of a shell that could not start a command."""
_RUNTIMES = {
    "java": "Java", "node": "Node.js", "ruby": "Ruby", "mono": "Mono", "dotnet": ".NET", "pypy": "PyPy",
    "pypy3": "PyPy",
}  # fmt: skip
"""What start scripts begin that is no part of a program, and its name."""
_NOT_FOUND = re.compile(
    rf"(?:.*: )?[‘'`]?(?P<name>{'|'.join(_RUNTIMES)})[’']?: (?:No such file or directory|not found|command not found)$"
)
_CLASS_TOO_NEW = re.compile(
    rb"UnsupportedClassVersionError: (?P<name>[^\s:]{1,200}) has been compiled by a more recent version [^\n]{1,200}"
    rb"class file version (?P<needed>\d{2,3})\.\d+\)[^\n]{1,200} up to (?P<here>\d{2,3})\."
)
_NO_KIT = "ModuleNotFoundError: No module named 'spielleiter'"
"""What Python says of a folder of the kit that was zipped by hand."""
_BEFORE_JAVA_1 = 44
"""Class files of Java 17 have the version 61."""


def explain_failure(status: ExitStatus, script: ProgramFile | None = None) -> Text:
    """Why a program ended that should not have, in one line; empty for one that ran until we ended it, in silence.

    ``script`` is its start.sh, which may be the reason.
    """
    own = last_error(status.err, status.out)
    if status.breach is not None:
        return status.breach.text.followed_by(own)
    if status.code is None:
        return own
    if status.code < 0:
        return _signal_text(status.code).followed_by(own)
    problems = lint_start_script(script) if script is not None and status.code in CANNOT_EXECUTE else []
    if problems:
        # What the system says here misleads: "No such file" means the interpreter with a CR behind its name.
        what, _ = problems[0]
        return Text(f"start.sh: {what.de}", f"start.sh: {what.en}")
    if status.code in CANNOT_EXECUTE and (missing := _NOT_FOUND.match(own.en)):
        name = _RUNTIMES[missing["name"]]
        return Text(f"{name} ist auf diesem Rechner nicht installiert", f"{name} is not installed on this machine")
    if too_new := _CLASS_TOO_NEW.search(status.err[-_MAX_READ:]):
        return _too_new(too_new)
    if own.en.startswith(_NO_KIT):
        return own.followed_by(
            Text("im ZIP fehlt der Baukasten; „spielleiter pack“ packt ihn ein",
                 "the kit is not in the ZIP; 'spielleiter pack' adds it")
        )  # fmt: skip
    if own.en:
        return own
    if status.code:
        return Text(
            f"endete sofort und stumm (Exit-Code {status.code})",
            f"ended at once and silently (exit code {status.code})",
        )
    return Text("endete ohne Fehlermeldung", "ended without an error message")


def _too_new(found: re.Match[bytes]) -> Text:
    """A class that was compiled for a newer Java than the one that is here."""
    needed, here = (int(found[version]) - _BEFORE_JAVA_1 for version in ("needed", "here"))
    name = printable(found["name"].decode("utf-8", "replace"))
    return Text(
        f"{name} ist für Java {needed} übersetzt, hier läuft Java {here}: übersetze mit javac --release {here}",
        f"{name} was compiled for Java {needed}, but Java {here} runs here: compile with javac --release {here}",
    )


def exit_name(code: int) -> str:
    """An exit code as people know it, the name of the signal if it was one."""
    try:
        return signal.Signals(-code).name if code < 0 else str(code)
    except ValueError:
        return str(-code)


def _signal_text(code: int) -> Text:
    name = exit_name(code)
    words = _SIGNALS.get(name)
    if words is None:
        return Text(f"beendet durch das Signal {name}", f"ended by the signal {name}")
    return Text(f"{words.de} ({name})", f"{words.en} ({name})")


# --- the error in what a program printed ------------------------------------------------------------------------------


class _Place(NamedTuple):
    file: str
    line: str


_NOISE = re.compile(
    r"""Picked\ up\ \w+: | Node\.js\ v\d | note:\ .*RUST_BACKTRACE | note:\ Some\ details | stack\ backtrace:
    | exit\ status\ \d+$ | goroutine\ \d+ | created\ by\ | \[\.\.\. \d+ bytes
    | (?:\S*:\ (?:line\ )?\d+:\ +(?:\d+\ )?)?(?:Aborted|Segmentation\ fault|Killed|Trace/breakpoint\ trap)\b
    | Security\ framework\ of\ XStream | WARNING:\ .*(?:reflective|sun\.misc|terminally\ deprecated|restricted\ method)
    | OpenJDK\ .*VM\ warning: | SLF4J: | log4j: | WARNING:\ .*(?:native\ access|java\.lang\.System::load)
    | ---\ End\ of\ (?:inner|stack) | Emitted\ '\w+'\ event\ on | npm\ (?:ERR!|error)
    | \S+:\d+:\ (?:\w*Warning|warning): | \#
    | (?:npm\ )?(?:warn|notice)\b | \(Use\ `node\ | \(node:\d+\) | Warning:\ the\ running\ version\ of\ Bundler
    | [\w/.-]+\.[\w.()*-]+\(.*\)$ | [-+=^~\ \d]+$ | During\ handling\ of\ the\ above | The\ above\ exception\ was""",
    re.VERBOSE,
)
"""Lines beside an error, but not the error: goroutines with their calls, rulers, what run-times and the shell add."""
_LOG_LINE = re.compile(
    r"""(?:\[?[\d:.,TZ+/-]{5,}\]?\ *){0,2}(?:\[[^\]]*\]\ *)?\[?(?:INFO|DEBUG|TRACE|FINE(?:R|ST)?|CONFIG|WARN(?:ING)?)\b
    | \w{3}\ \d\d?,\ \d{4}\ \d.*[AP]M\ \S+\ \S+$""",
    re.VERBOSE,
)
"""What a program says while all is well, however often; ``java.util.logging`` writes when and where a line above it."""
_HEADLINES = tuple(
    map(
        re.compile,
        (
            r"(?P<what>\S+: \w+\(\) .+)",
            r"Exception in thread \"[^\"]*\" (?P<what>.+)",
            r"Caused by: (?P<what>.+)",
            r"thread '.*' panicked at '(?P<what>.+)', (?P<file>[^:]+):(?P<line>\d+):\d+$",
            r"thread '.*' (?:\(\d+\) )?panicked at (?P<file>[^:]+):(?P<line>\d+):\d+:$",
            r"(?P<what>(?:panic|fatal error): .+)",
            r"(?:Unhandled exception\.|\[ERROR\] FATAL UNHANDLED EXCEPTION:) (?P<what>.+)",
            r"(?P<file>[^\s:]+\.rb):(?P<line>\d+):in [`'].*': (?P<what>.+ \([A-Z][\w:]*\))$",
            r"terminate called after throwing an instance of '(?P<what>.+)'",
            r"(?:Uncaught )?(?P<what>(?:[\w$]+\.)*(?:[A-Z][\w$]*(?:Error|Exception)\b|(?:Error|Exception):).*)",
        ),
    )
)
"""How the errors of our player kit, the JVM, Rust, Go, .NET, Ruby, C++ and JavaScript begin."""
_LOGGED = re.compile(r".*?(?P<what>\b(?:[a-z][\w$]*\.)+[A-Z][\w$]*(?:Error|Exception)\b.*)")
"""An exception of the JVM that a logger wrote, behind whatever it begins its lines with."""
_INNER = re.compile(r"\s+(?:--->|\[cause\]:) (?P<what>[A-Z].+)")
"""The cause below an error of .NET or Node; the last one is the innermost."""
_FRAMES = tuple(
    map(
        re.compile,
        (
            r"\s+at .*\((?P<file>[\w$]+\.\w+):(?P<line>\d+)\)$",
            r"\s+at (?:.*\()?(?:file://)?(?P<file>[^()\s:]+\.\w+):(?P<line>\d+):\d+\)?$",
            r"\s+at .* in (?P<file>.+):(?:line )?(?P<line>\d+)$",
            r"\s+from (?P<file>[^\s:]+):(?P<line>\d+):in ",
            r"\s+(?P<file>\S+\.go):(?P<line>\d+)(?: |$)",
        ),
    )
)
_COMPILERS = tuple(
    map(
        re.compile,
        (
            r"(?P<file>[^\s:()]+)[:(](?P<line>\d+)(?:[:,]\d+)?\)?: (?:fatal )?error(?: \w+)?: (?P<what>.+)",
            r"(?:cc1\w*|gcc|g\+\+|c\+\+|clang(?:\+\+)?|ld|javac): (?:fatal )?error: (?P<what>.+)",
            r"(?:\./)?(?P<file>[^\s:]+\.go):(?P<line>\d+):\d+: (?P<what>.+)",
            r"error(?:\[E\d+\])?: (?P<what>.+)\n\s+--> (?P<file>[^\s:]+):(?P<line>\d+):\d+",
        ),
    )
)
"""Errors of compilers for C, C++, Java, Kotlin, C#, TypeScript, Go and Rust: a start.sh may build its player."""
_OLD_SDK = (
    " (Java 17+: java --add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/java.util=ALL-UNNAMED ...)"
)
"""What helps a player whose kit is older than the modules of Java, which hide what it looks into."""
_PYTHON_FRAME = re.compile(r"\s+File \"(?P<file>[^\"]+)\", line (?P<line>\d+)")
_FOREIGN = re.compile(
    r"\s+at (?:java|javax|jdk|sun|kotlinx?|System|Microsoft|com\.thoughtworks|com\.sun|org\.slf4j|ch\.qos)\."
    r"|\s+at sc\.(?:api|framework|networking|plugin\w*|protocol|shared|util)\."
    r"|\bnode:|/(?:site-packages|dist-packages|node_modules|gems)/|/lib/ruby/"
    r"|/lib/python3|/rustc/|/go/src/|<frozen |/spielleiter/(?:client|game|games|players)/"
)
"""Frames of the language, of libraries and of the organisers' kit: the error is where the program called them."""


def last_error(*printed: bytes) -> Text:
    """The last error in what a program printed, with file and line where they are given; else its last line.

    The first of several outputs that tells an error counts, or else the first one that says something.
    """
    outputs = [_lines(each) for each in printed]
    for lines in outputs:
        if (found := _last_error(lines) or _compiler_error(lines)) is not None:
            return found
    said = [line for lines in reversed(outputs) for line in lines if line.strip()]
    telling = [line for line in said if not (line[0].isspace() or _NOISE.match(line) or _LOG_LINE.match(line))]
    return _with_place((telling or said or [""])[-1], None)


def _lines(printed: bytes) -> list[str]:
    text = printable(printed[-_MAX_READ:].decode("utf-8", "replace"))
    if "Exception Group Traceback" in text:
        text = re.sub(r"^ *[|+] ?", "", text, flags=re.MULTILINE)
    return [line[:_MAX_LINE_READ].rstrip() for line in text.split("\n")]


def _last_error(lines: Sequence[str]) -> Text | None:
    others = 0
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if not line or line[0].isspace() or _NOISE.match(line):
            continue
        if _LOG_LINE.match(line) and not (at + 1 < len(lines) and _FRAMES[0].match(lines[at + 1])):
            continue
        if (found := _error_at(lines, at)) is not None:
            return found
        others += 1
        if others > _MAX_LINES_AFTER:
            break
    return None


def _compiler_error(lines: Sequence[str]) -> Text | None:
    """The first one: the others often follow from it."""
    for at in range(len(lines)):
        two = "\n".join(lines[at : at + 2])
        if (found := next((match for error in _COMPILERS if (match := error.match(two))), None)) is not None:
            given = found.groupdict()
            return _with_place(given["what"], _Place(given["file"], given["line"]) if given.get("file") else None)
    return None


def _error_at(lines: Sequence[str], at: int) -> Text | None:
    """The error whose headline is the line ``at``, or ``None`` if it is none."""
    above = _indented(lines[:at][::-1])
    if python := [(found, line) for line in above if (found := _PYTHON_FRAME.match(line))]:
        top = at - len(above) - 1
        if top > 0 and lines[top].startswith("Traceback ") and lines[top - 1].startswith("Exception ignored "):
            return None  # Of what Python cleaned up at the end.
        # Python's calls stand above its error, the innermost last.
        own = next((found for found, line in python if not _FOREIGN.search(line)), python[0][0])
        return _with_place(lines[at], _Place(own["file"], own["line"]))
    below = lines[at + 1 :]
    found = next((match for headline in _HEADLINES if (match := headline.match(lines[at]))), None)
    if found is None and below and _FRAMES[0].match(below[0]):
        found = _LOGGED.match(lines[at])
    if found is None:
        return None
    given = found.groupdict()
    what = given.get("what")
    if inner := [cause for line in _indented(below) if (cause := _INNER.match(line))]:
        what = inner[-1]["what"].removesuffix(" {")
    if what is None:
        what = below[0] if below else "panic"
    elif below and (said := re.match(r"\s+what\(\):\s+(.+)", below[0])):
        what = f"{what}: {said[1]}"
    if "InaccessibleObjectException" in what or 'does not "opens ' in what:
        what = f"{what[: _MAX_LINE - len(_OLD_SDK)]}{_OLD_SDK}"
    place = _Place(given["file"], given["line"]) if given.get("file") else None
    if place is None or _FOREIGN.search(f"/{place.file}"):
        # Below a cause the JVM leaves out the calls that it has written above.
        above = _above(lines[:at]) if lines[at].startswith("Caused by: ") else []
        place = _innermost(below, above) or place
    return _with_place(what, place)


def _above(lines: Sequence[str]) -> list[str]:
    """The calls of the errors of which the next line is the cause, from its own side on."""
    found: list[str] = []
    for line in reversed(lines):
        if line and not line[0].isspace() and not line.startswith("Caused by: "):
            break
        found.append(line)
    return found[::-1]


def _indented(lines: Sequence[str]) -> list[str]:
    """The lines up to the first one that is not indented."""
    end = next((at for at, line in enumerate(lines) if line and not line[0].isspace()), len(lines))
    return list(lines[:end])


def _innermost(below: Sequence[str], above: Sequence[str] = ()) -> _Place | None:
    """The first place in the program's own code in the calls below an error, or above it; else the first of all."""
    frames = [
        (_Place(found["file"], found["line"]), line)
        for line in (*below, *above)
        for frame in _FRAMES
        if (found := frame.match(line))
    ]
    return next((place for place, line in frames if not _FOREIGN.search(line)), frames[0][0] if frames else None)


def _with_place(what: str, place: _Place | None) -> Text:
    what = what.strip().replace("\t", " ")
    if len(what) > _MAX_LINE:
        what = what[: _MAX_LINE - 1] + "…"
    if place is None:
        return Text(what, what)
    # Where the sandbox unpacked the program says nothing to its author.
    name = PurePath(place.file).name if place.file.startswith("/") else place.file
    name = name.replace("\t", " ")
    return Text(f"{what} ({name}, Zeile {place.line})", f"{what} ({name}, line {place.line})")
