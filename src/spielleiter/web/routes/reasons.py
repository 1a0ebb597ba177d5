"""Why a program lost, and what the engine says about a game: pages to learn from."""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from spielleiter.errors import NotationError
from spielleiter.game import AnyGame, Arrow, Cause, Language, Look, Team, Text
from spielleiter.records.record import GameRecord, RecordedOffence
from spielleiter.search import Budget
from spielleiter.web import charts, views
from spielleiter.web.analysis import Analyst, Judgement
from spielleiter.web.language import language_of
from spielleiter.web.library import Shelved
from spielleiter.web.routes.common import hall_of, not_found
from spielleiter.web.routes.replay import limits_for, offender, shelved_of

_EXPECTED = {
    Cause.RULE_VIOLATION: Text("ein gültiger Zug, und nur wenn er verlangt war", "a legal move, and only when asked"),
    Cause.SOFT_TIMEOUT: Text("ein Zug innerhalb der Zeit", "a move in time"),
    Cause.HARD_TIMEOUT: Text("irgendeine Antwort", "any answer at all"),
    Cause.LEFT: Text("dass das Programm bis zum Ende dabei bleibt", "that the program stays until the end"),
}
_ADVICE = {
    Cause.RULE_VIOLATION: Text(
        "Spiele die Stellung mit dem Befehl unten nach und vergleiche: Welche Züge hält dein Programm für möglich?",
        "Replay the position with the command below and compare: which moves does your program think possible?",
    ),
    Cause.SOFT_TIMEOUT: Text(
        "Miss die Zeit in deinem Programm und brich die Suche früh genug ab; lass eine Reserve von 0,2 s für den Weg.",
        "Measure the time in your program and stop the search early enough; keep 0.2 s in reserve for the way.",
    ),
    Cause.HARD_TIMEOUT: Text(
        "Das Programm hat gar nicht geantwortet: Hängt es in einer Schleife, oder hat es die Anfrage nicht gelesen?",
        "The program did not answer at all: does it hang in a loop, or has it not read the request?",
    ),
    Cause.LEFT: Text(
        "Die Verbindung ging zu, bevor das Spiel zu Ende war: Meist ist das Programm abgestürzt. Die letzten Zeilen "
        "seiner Ausgabe sagen oft, warum.",
        "The connection closed before the game was over: mostly the program has crashed. The last lines of its output "
        "often say why.",
    ),
}


# --- why did my program lose? -----------------------------------------------------------------------------------------


async def fault_page(request: Request) -> Response:
    """What was expected, what came, the board, the times, and what the program said."""
    hall, shelved, language = hall_of(request), await shelved_of(request), language_of(request)
    record, guilty = shelved.record, offender(shelved.record)
    if guilty is None or record.result is None:
        raise not_found("In diesem Spiel hat niemand einen Fehler gemacht.", "Nobody made a fault in this game.")
    cause, offence, state = record.result.teams[guilty].cause, record.result.offence, shelved.states[-1]
    move = _sent_move(shelved.game, state, offence)
    limits = limits_for(record, guilty)
    report = hall.tables.reports.get(record.id, {}).get(guilty)
    times = None if offence is None or offence.times is None else offence.times
    return views.page(
        request,
        "fault.html",
        shelved=shelved,
        laying=hasattr(shelved.game.touch, "lay"),
        names=record.names,
        title=shelved.game.title.to(language),
        who=views.side(shelved.game, record.names, guilty, language),
        cause=cause.value,
        what=(offence.text if offence is not None else record.result.reason).to(language),
        expected=_EXPECTED[cause].to(language),
        advice=_ADVICE[cause].to(language),
        rule=_rule(state, move, language),
        board=_board(shelved, move),
        sent=None if offence is None else offence.sent,
        xml=_xml(shelved.game, offence, move),
        line=None
        if times is None
        else charts.time_line(times, limits.soft if limits else None, limits.hard if limits else None, language),
        clock=None if times is None else times.judged.value,
        report=report,
        command=_command(record, shelved, offence, move),
        ply=shelved.plies,
    )


def _sent_move(game: AnyGame, state: Any, offence: RecordedOffence | None) -> Any:
    if offence is None or offence.sent is None:
        return None
    try:
        return game.notation.parse_move(state, offence.sent)
    except NotationError:
        return None


def _rule(state: Any, move: Any, language: Language) -> str | None:
    violation = None if move is None or state.outcome is not None else state.violation(move)
    return None if violation is None else violation.text.to(language)


def _board(shelved: Shelved, move: Any) -> Markup:
    game, state = shelved.game, shelved.states[-1]
    if move is None or game.touch is None:
        return views.board(game, state)
    squares = game.touch.move_squares(state, move)
    arrows = (Arrow(squares[0], squares[1], "mark"),) if hasattr(game.touch, "steps") and len(squares) == 2 else ()
    return views.board(game, state, look=Look(highlights=squares, arrows=arrows))


def _xml(game: AnyGame, offence: RecordedOffence | None, move: Any) -> Markup | None:
    """What came, as XML; the part that matters is marked."""
    if move is not None:
        lines = dedent(game.codec.write_move(move)).strip().split("\n")
        if len(lines) == 1:
            return Markup("<mark>{}</mark>").format(lines[0])
        return Markup("{}\n<mark>{}</mark>\n{}").format(lines[0], "\n".join(lines[1:-1]), lines[-1])
    if offence is None or offence.sent is None or not offence.sent.lstrip().startswith("<"):
        return None
    return Markup("<mark>{}</mark>").format(offence.sent)


def _command(record: GameRecord, shelved: Shelved, offence: RecordedOffence | None, move: Any) -> str:
    position = shelved.game.notation.format_state(shelved.states[-1])
    command = f"spielleiter show {shlex.quote(position)} --moves"
    if move is not None and offence is not None and offence.sent is not None:
        command += f" --play {shlex.quote(offence.sent)}"
    return command


# --- the game report --------------------------------------------------------------------------------------------------

_THOUGHT = Budget(seconds=0.25)
_TURNING_POINT = 0.2


@dataclass(slots=True, eq=False)
class Report:
    """What the engine thinks of every position of a game, as far as it has come."""

    judgements: list[Judgement | None]
    done: int = 0
    task: asyncio.Task[None] | None = None
    chances: list[float | None] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether all positions were looked at."""
        return self.done >= len(self.judgements)


async def report_page(request: Request) -> Response:
    """The curve of the game, its turning points, and the loss of every move; computed in the background."""
    hall, shelved, language = hall_of(request), await shelved_of(request), language_of(request)
    missing = hall.analyst.absence(shelved.game)
    report: Report | None = shelved.pictures.get("report")
    if missing is None and report is None:
        report = Report([None] * len(shelved.states), chances=[None] * len(shelved.states))
        shelved.pictures["report"] = report
        report.task = asyncio.create_task(_compute(hall.analyst, shelved, report))
    body = "" if report is None else _report(shelved, report, language)
    if request.headers.get("hx-request"):
        return Response(body, media_type="text/html")
    return views.page(
        request,
        "report.html",
        shelved=shelved,
        names=shelved.record.names,
        title=shelved.game.title.to(language),
        missing=missing,
        body=Markup(body),  # noqa: S704 - made by our own template
    )


async def _compute(analyst: Analyst, shelved: Shelved, report: Report) -> None:
    for ply, state in enumerate(shelved.states):
        if state.outcome is not None:
            winner = state.outcome.winner
            report.chances[ply] = 0.5 if winner is None else float(winner is Team.ONE)
        else:
            judgement = await analyst.judge(shelved.game, state, _THOUGHT)
            report.judgements[ply] = judgement
            report.chances[ply] = None if judgement is None else judgement.win_probability
        report.done = ply + 1


def _loss(report: Report, number: int, team: Team, played: Any) -> float | None:
    """How much of its chance ``team`` lost with the move ``number``; nothing if the engine would have played it."""
    before, after, best = report.chances[number - 1], report.chances[number], report.judgements[number - 1]
    if before is None or after is None:
        return None
    if best is not None and best.move == played:
        return 0.0
    return max(0.0, before - after if team is Team.ONE else after - before)


def _report(shelved: Shelved, report: Report, language: Language) -> str:
    rows: list[dict[str, Any]] = []
    notation = shelved.game.notation
    for number, recorded in enumerate(shelved.record.moves, 1):
        state, best = shelved.states[number - 1], report.judgements[number - 1]
        loss = _loss(report, number, recorded.team, notation.parse_move(state, recorded.move))
        if loss is None:
            continue
        better = notation.format_move(state, best.move) if best is not None and loss > 0.02 else None
        rows.append(
            {"ply": number, "team": recorded.team.name.lower(), "text": recorded.move, "loss": loss, "better": better}
        )
    turning = sorted((row for row in rows if row["loss"] >= _TURNING_POINT), key=lambda row: -row["loss"])[:5]
    for row in turning:
        best = report.judgements[row["ply"] - 1]
        state = shelved.states[row["ply"] - 1]
        if best is not None:
            row["board"] = views.board(shelved.game, state, look=views.arrow_look(shelved.game, state, best.move))
    return views.part(
        "parts/report.html",
        language,
        key=shelved.key,
        rows=rows,
        turning=sorted(turning, key=lambda row: row["ply"]),
        curve=charts.chance_curve(report.chances[: report.done], report.done, language) if report.done else "",
        done=report.done,
        total=len(report.judgements),
        finished=report.finished,
        summary=_summary(shelved, rows, language) if report.finished else "",
    )


def _summary(shelved: Shelved, rows: list[dict[str, Any]], language: Language) -> str:
    """The report in a few sentences."""
    sentences = []
    for team in (Team.ONE, Team.TWO):
        own = [row["loss"] for row in rows if row["team"] == team.name.lower()]
        name = views.side(shelved.game, shelved.record.names, team, language)
        mean = 100 * sum(own) / len(own) if own else 0.0
        big = sum(loss >= _TURNING_POINT for loss in own)
        figure = f"{mean:.1f}".replace(".", "," if language == "de" else ".")
        sentences.append(
            f"{name} verlor im Mittel {figure} Prozentpunkte Gewinnchance pro Zug (grobe Fehler: {big})."
            if language == "de"
            else f"{name} lost {figure} percentage points of winning chance a move (blunders: {big})."
        )
    return " ".join(sentences)
