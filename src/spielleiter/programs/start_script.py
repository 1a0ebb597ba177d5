"""What is wrong with a ``start.sh``, found without starting it. Most uploads that fail do so here."""

from __future__ import annotations

from spielleiter.game import Text
from spielleiter.programs.sandbox import ProgramFile

_BOM = b"\xef\xbb\xbf"


def lint_start_script(script: ProgramFile) -> list[tuple[Text, Text]]:
    """What is wrong with the file, and the fix for each."""
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
    if not script.executable:
        found.append((Text("nicht ausführbar", "not executable"), Text("chmod +x start.sh", "chmod +x start.sh")))
    return found
