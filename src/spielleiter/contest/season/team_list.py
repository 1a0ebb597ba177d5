"""Reads lists of teams, as spreadsheets write them: CSV in UTF-8, UTF-16 or Windows-1252, with ``;``, ``,`` or tabs.

Law: nothing is guessed about a row: it is a team, or refused with its line and the reason.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from spielleiter import players
from spielleiter.contest.season.file import MAX_TEAMS, read_team
from spielleiter.contest.season.model import TeamEntry
from spielleiter.errors import ContestError, SettingsError
from spielleiter.game import Text
from spielleiter.values import Values

MAX_BYTES = 200_000
_DELIMITERS = (";", "\t", ",")
_COLUMNS = {
    "name": ("name", "team", "teamname", "team name", "mannschaft"),
    "school": ("school", "schule"),
    "group": ("group", "gruppe"),
    "player": ("player", "spieler", "programm", "program"),
    "reserve": ("reserve", "reserveplatz", "reserve place"),
}
"""The keys of season files, and what a heading may call them."""
_HEADINGS = {heading: key for key, headings in _COLUMNS.items() for heading in headings}
_WORDS = {"": False, "nein": False, "no": False, "0": False, "ja": True, "yes": True, "x": True, "1": True}
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that is no team."""

    line: int
    """The first line of the file is 1."""
    reason: Text


@dataclass(frozen=True, slots=True)
class TeamList:
    """The teams of a list, and the rows that are none."""

    teams: tuple[TeamEntry, ...]
    refused: tuple[RefusedRow, ...]


def read_team_list(data: bytes | str, known: Collection[str] = ()) -> TeamList:
    """The teams of a list; those that are ``known`` already are refused. Raises ``ContestError`` for no list at all."""
    if len(data) > MAX_BYTES:
        raise ContestError(
            f"Die Liste ist größer als {MAX_BYTES // 1000} kB; eine Saison hat höchstens {MAX_TEAMS} Teams.",
            f"the list is larger than {MAX_BYTES // 1000} kB; a season has at most {MAX_TEAMS} teams",
        )
    text = data if isinstance(data, str) else decode(data)
    rows, teams, refused = _rows(text), [], []
    names = {name.casefold() for name in known}
    columns: Sequence[str | None] = tuple(_COLUMNS)
    for number, (line, cells) in enumerate(rows):
        if number == 0 and (headings := _headings(cells)) is not None:
            columns = headings
            continue
        try:
            team = _team(columns, cells)
            if team.name.casefold() in names:
                raise SettingsError(f"Zwei Teams heißen {team.name!r}.", f"two teams are called {team.name!r}")
        except SettingsError as problem:
            refused.append(RefusedRow(line, problem.text))
            continue
        names.add(team.name.casefold())
        teams.append(team)
        if len(teams) > MAX_TEAMS:
            raise ContestError(
                f"Eine Saison hat höchstens {MAX_TEAMS} Teams; die Liste hat mehr.",
                f"a season has at most {MAX_TEAMS} teams; the list has more",
            )
    return TeamList(tuple(teams), tuple(refused))


def write_team_list(teams: Sequence[TeamEntry]) -> str:
    """The list of these teams, as ``read_team_list`` reads it: one in a line, with semicolons."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=";", lineterminator="\n")
    for team in teams:
        player = team.player if team.player.partition(":")[0] in players.BUILT_IN else ""
        cells = [team.name, team.school, team.group, player, "x" if team.reserve else ""]
        while len(cells) > 1 and not cells[-1]:
            cells.pop()
        writer.writerow(cells)
    return file.getvalue()


def decode(data: bytes) -> str:
    """The text of a file that a spreadsheet or an editor wrote. Raises ``ContestError`` if it is none."""
    try:
        if data.startswith(_UTF_16):
            text = data.decode("utf-16")
        else:
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ContestError(
            "Das ist keine Textdatei. Speichere die Tabelle als CSV (in Excel: „CSV UTF-8“).",
            "this is not a text file: save the spreadsheet as CSV (in Excel: “CSV UTF-8”)",
        )
    return text


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, with the lines in which they begin. Raises ``ContestError``."""
    first, _, rest = text.partition("\n")
    skipped = 0
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:  # Excel says how it separates.
        delimiter, text, skipped = first.strip()[-1], rest, 1
    else:
        begin = next((line for line in text.splitlines() if line.strip()), "")
        delimiter = max(_DELIMITERS, key=begin.count)
    reader, found, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), [], 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((line + skipped, [cell.strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as problem:
        raise ContestError(
            f"Zeile {line + skipped}: kein gültiges CSV, vielleicht fehlt ein Anführungszeichen ({problem}).",
            f"line {line + skipped}: not valid CSV, perhaps a quotation mark is missing ({problem})",
        ) from None
    return found


def _headings(cells: Sequence[str]) -> list[str | None] | None:
    """The keys of the columns if this row names them, among them the teams; other columns are ignored."""
    keys = [_HEADINGS.get(cell.casefold()) for cell in cells]
    known = [key for key in keys if key is not None]
    is_heading = "name" in known and len(known) == len(set(known)) and (len(known) > 1 or len(cells) == 1)
    return keys if is_heading else None


def _team(columns: Sequence[str | None], cells: Sequence[str]) -> TeamEntry:
    """The team of a row. Raises ``SettingsError``."""
    values: dict[str, object] = {}
    for at, written in enumerate(cells):
        # Our own CSV has an apostrophe before what a spreadsheet would take for a formula.
        cell = written[1:] if written[:1] == "'" and written[1:2] in tuple("=+-@") else written
        key = columns[at] if at < len(columns) else None
        if key == "reserve":
            values[key] = _word(cell)
        elif key == "player" and cell and cell.partition(":")[0] not in players.BUILT_IN:
            raise SettingsError(
                f"Das Programm ist ein eingebauter Spieler wie „student“, nicht {cell[:40]!r}; ein eigenes lädt das"
                " Team selbst hoch.",
                f"the program is a built-in player like “student”, not {cell[:40]!r}; a team uploads its own",
            )
        elif key is not None and cell:
            values[key] = cell
        elif cell and len(columns) == len(_COLUMNS) and at >= len(columns):
            raise SettingsError(
                f"Die Zeile hat {len(cells)} Spalten; erwartet werden Team, Schule, Gruppe, Programm, Reserve.",
                f"the row has {len(cells)} columns; expected are team, school, group, program, reserve",
            )
    if not values.get("name"):
        raise SettingsError("Der Name des Teams fehlt.", "the name of the team is missing")
    return read_team(Values(values, ""))


def _word(cell: str) -> bool:
    if cell.casefold() not in _WORDS:
        raise SettingsError(
            f"Reserveplatz: „ja“ oder „nein“, nicht {cell[:40]!r}.", f"reserve place: “yes” or “no”, not {cell[:40]!r}"
        )
    return _WORDS[cell.casefold()]
