"""Why did my program lose? For each fault a page that answers."""

from __future__ import annotations

import asyncio
import re
import shlex
from textwrap import dedent
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from spielleiter.game import AnyGame, Cause, Highlight, Language, Look, Team, Text
from spielleiter.pages import boards, charts, words
from spielleiter.programs.failure import explain_failure
from spielleiter.programs.sandbox import ExitStatus
from spielleiter.records.history import History, RecordedOffence
from spielleiter.text import printable
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.replays import exit_statuses
from spielleiter.web.replays.exit_statuses import last_lines
from spielleiter.web.replays.library import Entry
from spielleiter.web.replays.replay import entry_of
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import WebApp, web_app_of

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
        "Measure the time in your program and stop the search early enough; leave a reserve of 0.2 s for the network.",
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


_SAID_WHY = Text(
    "Das Programm hat selbst gesagt, warum es geht: Behebe das zuerst. Mit dem Befehl unten siehst du die Stellung, in "
    "der es gescheitert ist.",
    "The program itself said why it left: fix that first. The command below shows the position in which it failed.",
)
_KIT_GAVE_UP = Text(
    "Das Programm hat sich nach dem ungültigen Zug selbst beendet, wie es Spieler mit unserem Baukasten tun.",
    "The program ended itself after the illegal move, as players made with our kit do.",
)
_KIT_ILLEGAL = re.compile(rb"is not legal: |nicht erlaubt: ")
"""What the kit prints about an illegal move before it ends, see ``client.player_runner``."""
_MAX_SHOWN = 4000
"""Characters of a message that is shown; our own records store less, but people bring others."""


async def fault_page(request: Request) -> Response:
    """What was expected, what came, the board, the times, and what the program said."""
    app, entry, language = web_app_of(request), await entry_of(request), language_of(request)
    history, guilty = entry.history, entry.history.offender
    if guilty is None or history.result is None:
        raise not_found("In diesem Spiel hat niemand einen Fehler gemacht.", "No player made a fault in this game.")
    cause, offence, move = history.result.teams[guilty].cause, history.result.offence, history.refused_move
    limits = history.limits_at(len(history.moves), guilty)[-1]
    end = await asyncio.to_thread(_exit_status, app, entry, guilty)
    timing = None if offence is None else offence.timing
    return respond(
        request,
        "replays/fault.html",
        entry=entry,
        input_kind=boards.input_kind(history.game),
        names=words.player_names(history.game, history.names, language),
        title=history.game.title.to(language),
        who=words.side(history.game, history.names, guilty, language),
        cause=words.cause_badge(cause, language),
        what=(offence.text if offence is not None else history.result.reason).to(language),
        expected=_EXPECTED[cause].to(language),
        advice=_advice(cause, offence).to(language),
        rule=_rule(history.state, move, language),
        board=_board(history, move),
        sent=None if offence is None or move is None else offence.sent,
        xml=_xml(history.game, offence, move, is_wrong=cause is Cause.RULE_VIOLATION),
        line=None
        if timing is None
        else charts.time_line(timing, limits.soft if limits else None, limits.hard if limits else None, language),
        clock=None if timing is None else timing.judged_by.value,
        end=end,
        failure=None if end is None else explain_failure(end),
        gave_up=_KIT_GAVE_UP if end is not None and cause is Cause.RULE_VIOLATION and _kit_gave_up(end) else None,
        last_lines=last_lines,
        command=_command(history, offence, move),
        ply=len(history.plies),
    )


def _advice(cause: Cause, offence: RecordedOffence | None) -> Text:
    """What to do; a player of our kit that could not go on has said why when it left."""
    said_why = cause is Cause.LEFT and offence is not None and "has left the game: " in offence.text.en
    return _SAID_WHY if said_why else _ADVICE[cause]


def _kit_gave_up(end: ExitStatus) -> bool:
    """Whether a program ended because our kit had noticed its illegal move: no crash to look for."""
    return end.code == 1 and end.breach is None and _KIT_ILLEGAL.search(end.err) is not None


def _exit_status(app: WebApp, entry: Entry, team: Team) -> ExitStatus | None:
    """How the program ended: from memory while we have it, else from beside the record."""
    known = app.tables.exit_status(entry.history.id, team)
    if known is not None:
        return known
    path = app.library.path_of(entry.key)
    return None if path is None else exit_statuses.read(path).get(team)


async def program_log(request: Request) -> Response:
    """All that is stored of what the program at fault printed, as text."""
    app, entry = web_app_of(request), await entry_of(request)
    guilty = entry.history.offender
    end = None if guilty is None else await asyncio.to_thread(_exit_status, app, entry, guilty)
    if end is None:
        raise not_found("Von diesem Programm ist keine Ausgabe gespeichert.", "No output of this program is stored.")
    return PlainTextResponse(printable(end.log.decode("utf-8", "replace")))


def _rule(state: Any, move: Any, language: Language) -> str | None:
    violation = None if move is None or state.outcome is not None else state.violation(move)
    return None if violation is None else violation.text.to(language)


def _board(history: History, move: Any) -> Markup:
    game, state = history.game, history.state
    if move is None or game.board_input is None:
        return boards.board(game, state)
    look = Look(highlights=tuple(map(Highlight, game.board_input.move_squares(state, move))))
    return boards.board(game, state, look=game.board_input.show_move(state, move, look, "mark"))


def _xml(game: AnyGame, offence: RecordedOffence | None, move: Any, *, is_wrong: bool) -> Markup | None:
    """What came, as XML; a move whose message was not stored is written again. The part that ``is_wrong`` is marked."""
    if offence is None:
        return None
    came = offence.xml
    if came is None and move is not None:
        came = dedent(game.codec.write_move(move))
    elif came is None:
        came = offence.sent
    if came is None or not came.strip():
        return None
    if not is_wrong:
        return escape(came.strip()[:_MAX_SHOWN])
    lines = came.strip()[:_MAX_SHOWN].split("\n")
    if len(lines) < 3:
        return Markup("<mark>{}</mark>").format("\n".join(lines))
    return Markup("{}\n<mark>{}</mark>\n{}").format(lines[0], "\n".join(lines[1:-1]), lines[-1])


def _command(history: History, offence: RecordedOffence | None, move: Any) -> str:
    position = history.game.notation.format_state(history.state)
    command = f"spielleiter show {shlex.quote(position)} --moves"
    if move is not None and offence is not None and offence.sent is not None:
        command += f" --play {shlex.quote(offence.sent)}"
    return command


PAGES = (
    Page("/replay/{key}/fault", fault_page, Access.SEASON_RECORD),
    Page("/replay/{key}/fault/log.txt", program_log, Access.SEASON_RECORD),
)
