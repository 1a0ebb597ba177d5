"""Many games in one compact text: a line for each, to be searched by eye, ``grep`` and ``cut``.

The columns stand between tabs: id, ONE, TWO, result (``1-0``, ``0-1``, ``1/2``, ``*`` without a decision), points
(``2,12:0,4``), end (of the rules, as ``LARGER_SWARM``; else the causes of both, or ``ADJUDICATED``, and the reason),
start position, and the moves between bars. Times, hints and programs are left out: for those there are records. Lines
that begin with # are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from spielleiter.errors import RecordError
from spielleiter.game import Cause, Team, TeamResult, Text
from spielleiter.records.history import History, RecordedResult
from spielleiter.records.reader import read_bounded
from spielleiter.records.writer import write_new_file
from spielleiter.text import one_line

ENDING = ".txt"
_COLUMNS = ("id", "one", "two", "result", "points", "end", "start", "moves")
_ADJUDICATED = "ADJUDICATED"
_RESULTS = {"1-0": Team.ONE, "0-1": Team.TWO, "1/2": None, "*": None}


def game_list(records: Iterable[History]) -> str:
    """All these games as text."""
    return "".join(f"{line}\n" for line in ("# " + "\t".join(_COLUMNS), *map(game_line, records)))


def game_line(record: History) -> str:
    """One game as a line of the text."""
    result, points, end = "*", "", ""
    if (ended := record.result) is not None:
        points = ":".join(",".join(map(str, team.points)) for team in ended.teams)
        if ended.winner is not None:
            result = "1-0" if ended.winner is Team.ONE else "0-1"
        elif ended.end is not None:
            result = "1/2"
        causes = " ".join(team.cause.value for team in ended.teams)
        end = ended.end or f"{_ADJUDICATED if ended.adjudicated else causes}: {one_line(ended.reason.en)}"
    moves = "|".join(move.text for move in record.moves)
    return "\t".join([*map(one_line, (record.id, *record.names)), result, points, end, record.start, moves])


def write_games(records: Iterable[History], path: Path) -> None:
    """Write games to a new text. Raises ``RecordError``, also if the file is there."""
    write_new_file(path, game_list(records).encode("utf-8", "replace"))


def read_games(path: Path) -> Iterator[History]:
    """The games of a text, each checked by its rules. Raises ``RecordError`` with the line that is wrong."""
    return parse_games(read_bounded(path), str(path))


def parse_games(text: bytes, name: str) -> Iterator[History]:
    """The games of a text that is called ``name`` in messages. Raises ``RecordError`` with the line that is wrong."""
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise RecordError(f"{name}: ist kein UTF-8-Text", f"{name}: is not UTF-8 text") from None
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            yield _parse(line, f"{name}:{number}")


def _parse(line: str, place: str) -> History:
    columns = line.split("\t")
    if len(columns) != len(_COLUMNS):
        raise RecordError(
            f"{place}: erwartet werden {len(_COLUMNS)} Spalten zwischen Tabulatoren, da sind {len(columns)}",
            f"{place}: expected {len(_COLUMNS)} columns between tabs, found {len(columns)}",
        )
    id_, one, two, result, points, end, start, moves = columns
    if result not in _RESULTS:
        known = ", ".join(_RESULTS)
        raise RecordError(
            f"{place}: ein Ergebnis ist {known}, nicht {result!r}",
            f"{place}: a result is one of {known}, not {result!r}",
        )
    game, played = (start.split() or [""])[0], filter(None, moves.split("|"))
    record = History(game_key=game, id=id_, start=start, names=(one, two), place=place).play(played)
    final = record.state
    if end:
        try:
            ended = _result(_RESULTS[result], points, end, record.game.notation.format_state(final))
        except ValueError as problem:
            raise RecordError(f"{place}: Punkte oder Ende: {problem}", f"{place}: points or end: {problem}") from None
        reached = None if final.outcome is None else final.outcome.reason.name
        if ended.end is not None and ended.end != reached:
            raise RecordError(
                f"{place}: am Ende soll {end} stehen, diese Züge führen zu {reached or 'keinem Ende'}",
                f"{place}: the end should be {end}, but these moves lead to {reached or 'none'}",
            )
        record.add(ended)
    return record


def _result(winner: Team | None, points: str, end: str, final: str) -> RecordedResult:
    """The result in these columns. Raises ``ValueError``."""
    causes, colon, reason = end.partition(": ")
    adjudicated = bool(colon) and causes == _ADJUDICATED
    reasons = (Cause.REGULAR,) * 2 if adjudicated or not colon else map(Cause, causes.split())
    one, two = (
        TeamResult(cause, tuple(map(int, part.split(","))))
        for cause, part in zip(reasons, points.split(":"), strict=True)
    )
    text = Text(reason, reason) if colon else Text(end, end)
    return RecordedResult((one, two), winner, text, None if colon else end, adjudicated=adjudicated, final=final)
