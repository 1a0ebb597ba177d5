"""What a ``start.sh`` says without being started: in which folder it wants to run, and what is wrong with it.

Most uploads that fail do so here. A script names paths beside it, or from the folder above its own one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from spielleiter.game import Text
from spielleiter.programs.sandbox import ProgramFile

START_SCRIPT = "start.sh"
_BOM = b"\xef\xbb\xbf"
_MAX_READ = 1 << 16
"""Bytes of a script in which paths are looked for."""
_COMMENT = re.compile(r"(?m)^[ \t]*#.*$")
_COMMANDS = re.compile(r"&&|\|\||[;&|\n]")
_REDIRECTION = re.compile(r"\d?>+[ \t]*\S+")
_WORDS = re.compile(r"""["']([^"']*)["']|([^\s"'`=:()<>]+)""")
_UNKNOWN = re.compile(r"[$*?~\\]|^[-/]|^\.*$")
"""Words whose path only a shell knows, options, and what leads elsewhere or nowhere."""
_OWN_FOLDER = ("$0", "${0", "BASH_SOURCE")
_PROGRAMS = (".py", ".jar", ".js", ".mjs", ".rb", ".php", ".pl", ".sh")


class _NamedPaths(NamedTuple):
    """The paths that a script names, as far as they can be read."""

    existing: int = 0
    missing: tuple[str, ...] = ()
    """Paths of programs that do not exist."""


def runs_from_above(script: bytes, folder: str, exists: Callable[[str], bool]) -> bool:
    """Whether a script in ``folder`` is to be run from the folder above: more of the paths that it names exist there.

    ``exists`` knows the files and folders beside the script, by their paths from there.
    """
    above = f"{folder}/"
    from_above = _named_paths(
        script, folder, lambda path: path == folder or (path.startswith(above) and exists(path.removeprefix(above)))
    )
    return from_above.existing > _named_paths(script, "", exists).existing


def with_folders(paths: Iterable[str]) -> set[str]:
    """The paths of files, and of all folders in which they are."""
    found: set[str] = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = posixpath.dirname(path)
    return found


def _named_paths(script: bytes, folder: str, exists: Callable[[str], bool]) -> _NamedPaths:
    """The paths in a script that lies in ``folder``, seen from where it is run."""
    text = script[:_MAX_READ].decode("utf-8", "replace").replace("\r", "").replace("\\\n", " ")
    here, existing, missing = "", 0, []
    for command in _COMMANDS.split(_REDIRECTION.sub("", _COMMENT.sub("", text))):
        words = [quoted or plain for quoted, plain in _WORDS.findall(command)]
        if words[:1] == ["cd"]:
            if any(own in command for own in _OWN_FOLDER):
                here = folder
                continue
            if len(words) != 2 or _UNKNOWN.search(words[1]):
                break  # From here on its folder is unknown.
            here = posixpath.normpath(posixpath.join(here, words[1]))
            existing += exists(here)
            continue
        is_command = True
        for word in words:
            if _UNKNOWN.search(word) or not ("/" in word or "." in word):
                is_command = is_command and word in ("exec", "then", "do")
                continue
            path = posixpath.normpath(posixpath.join(here, word))
            if exists(path) and not path.startswith(".."):
                existing += 1
            elif word.endswith(_PROGRAMS) or (is_command and "/" in word):
                missing.append(word)
            is_command = False
    return _NamedPaths(existing, tuple(missing))


def mended(script: bytes) -> bytes:
    """The script without a byte order mark, with LF at the end of its lines, and with a first line that names a shell.

    The contest does not start it by a shell, so that it needs all three.
    """
    text = script.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.startswith(b"#!") else b"#!/bin/sh\n" + text


def lint_start_script(script: ProgramFile, paths: Collection[str] = ()) -> list[tuple[Text, Text]]:
    """What is wrong with the file, and the fix for each; ``paths`` are the program's files, where they are known."""
    data = script.data
    found: list[tuple[Text, Text]] = []
    body = data.removeprefix(_BOM)
    if body != data:
        found.append(
            (
                Text("beginnt mit einer Byte-Order-Mark (BOM)", "begins with a byte order mark"),
                Text("als UTF-8 ohne BOM speichern", "save it as UTF-8 without BOM"),
            )
        )
    if not body.startswith(b"#!"):
        found.append(
            (
                Text("die erste Zeile ist kein Shebang", "the first line is not a shebang"),
                Text("als erste Zeile einfügen: #!/bin/sh", "insert as the first line: #!/bin/sh"),
            )
        )
    if b"\r" in data:
        found.append(
            (
                Text("die Zeilen enden mit CR LF (Windows)", "the lines end in CR LF (Windows)"),
                Text(
                    "mit LF speichern, z. B.: sed -i 's/\\r$//' start.sh",
                    "save with LF, e.g.: sed -i 's/\\r$//' start.sh",
                ),
            )
        )
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        found.append(
            (
                Text(f"Zeile {line} ist kein UTF-8", f"line {line} is no UTF-8"),
                Text("als UTF-8 speichern", "save it as UTF-8"),
            )
        )
    if not script.executable:
        found.append((Text("nicht ausführbar", "not executable"), Text("chmod +x start.sh", "chmod +x start.sh")))
    named = _named_paths(data, posixpath.dirname(script.path), with_folders(paths).__contains__)
    if paths and named.missing and not named.existing:
        found.append(
            (
                Text(
                    f"startet {named.missing[0]}, und das gibt es nicht: weder neben start.sh noch im Ordner darüber",
                    f"starts {named.missing[0]}, which is not there: neither beside start.sh nor in the folder above",
                ),
                Text(
                    "den ganzen Ordner packen; Pfade gelten ab dem Ordner von start.sh oder ab dem darüber",
                    "pack the whole folder; paths begin in the folder of start.sh, or in the one above",
                ),
            )
        )
    return found
