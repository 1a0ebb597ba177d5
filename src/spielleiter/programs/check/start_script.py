"""What can be said of a ``start.sh`` without starting it. Most uploads that fail do so here."""

from __future__ import annotations

from pathlib import Path

from spielleiter.game import Text

_BOM = b"\xef\xbb\xbf"


def lint_start_script(script: Path, *, executable_matters: bool) -> list[tuple[Text, Text]]:
    """What is wrong with the file, and the fix for each."""
    try:
        data = script.read_bytes()
    except OSError as problem:
        text = f"{problem.strerror}"
        return [
            (Text(f"nicht lesbar: {text}", f"not readable: {text}"), Text("Rechte ändern", "change its permissions"))
        ]
    found: list[tuple[Text, Text]] = []
    body = data.removeprefix(_BOM)
    if body is not data and body != data:
        found.append(
            (
                Text("beginnt mit einer Byte-LaunchSpec-Mark", "begins with a byte order mark"),
                Text("als UTF-8 ohne BOM speichern", "save it as UTF-8 without BOM"),
            )
        )
    if not body.startswith(b"#!"):
        found.append(
            (
                Text("die erste Zeile ist kein Shebang", "the first line is no shebang"),
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
    if executable_matters and not script.stat().st_mode & 0o111:
        found.append((Text("nicht ausführbar", "not executable"), Text("chmod +x start.sh", "chmod +x start.sh")))
    return found
