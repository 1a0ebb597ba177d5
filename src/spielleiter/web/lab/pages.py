"""The pages of the laboratory: the queue with its form, each test while it is played, and the history of a player."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import PageError, Refused, SpielleiterError
from spielleiter.game import Language, Text
from spielleiter.lab.findings import Findings
from spielleiter.lab.queue import QueuedTest, QueueState, problem_text
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Summary
from spielleiter.pages import charts
from spielleiter.pages.environment import render
from spielleiter.pages.match_report.report import elo_steps, llr_plot, report_page
from spielleiter.pages.updates import PageUpdate
from spielleiter.players import BUILT_IN
from spielleiter.programs.temporary import temporary_folder
from spielleiter.rating.sprt import LIMITS
from spielleiter.web.guard import Role
from spielleiter.web.lab.form import DEFAULTS, form_values, read_wanted_test
from spielleiter.web.lab.laboratory import Laboratory
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.replays.downloads import file_response
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import web_app_of

LAB = "/lab"
_LISTED = 50
"""Tests that have ended, on the page of the queue, and tests of a player."""
_GAMES = 40
"""The last games of a test, on its page."""
_DISK = Text(
    "Was gespielt ist, bleibt; schaffe Platz und versuche es noch einmal.",
    "What was played is kept; free some space and try again.",
)


def _laboratory(request: Request) -> Laboratory:
    found = web_app_of(request).laboratory
    if found is None:
        raise PageError(
            404,
            Text("Hier läuft kein Labor.", "There is no laboratory here."),
            Text("Mit einem Labor starten: spielleiter lab serve ORDNER", "Start one: spielleiter lab serve FOLDER"),
        )
    return found


def _test(request: Request, laboratory: Laboratory) -> QueuedTest:
    test = laboratory.queue.get(request.path_params["id"])
    if test is None:
        raise not_found("Diesen Test gibt es nicht.", "There is no such test.")
    return test


def _is_host(request: Request) -> bool:
    role: Role = request.state.role
    return role >= Role.HOST


# --- the queue --------------------------------------------------------------------------------------------------------


async def queue_page(request: Request) -> Response:
    """What is played, what waits, what has ended; and for the host the form for more."""
    return await _queue_page(request, DEFAULTS)


async def _queue_page(request: Request, values: Mapping[str, str], problem: Text | None = None) -> Response:
    laboratory, language, is_host = _laboratory(request), language_of(request), _is_host(request)
    update = await asyncio.to_thread(lambda: queue_update(laboratory, language, is_host=is_host))
    return respond(
        request,
        "lab/queue.html",
        200 if problem is None else 409,
        update=update,
        values=values,
        problem=problem,
        games=games.seasons(),
        models=LIMITS,
        known=dict.fromkeys([*_named_before(laboratory), *BUILT_IN]),
        folder=laboratory.settings.folder if is_host else "",
    )


def _named_before(laboratory: Laboratory) -> list[str]:
    """Whose versions were tested, the last first."""
    return list(dict.fromkeys(player for test in laboratory.queue.tests for player in test.players))[:30]


async def queue_events(request: Request) -> Response:
    """The event stream of that page."""
    laboratory, language, is_host = _laboratory(request), language_of(request), _is_host(request)
    return EventStream(
        laboratory.channel,
        ("queue", language, is_host),
        lambda: queue_update(laboratory, language, is_host=is_host),
        reads_store=True,
    )


def queue_update(laboratory: Laboratory, language: Language, *, is_host: bool) -> PageUpdate:
    """The parts of the page that change; blocks."""
    running = laboratory.running
    waiting = [_row(laboratory, test) for test in laboratory.queue.waiting() if test.number != running]
    others = [test for test in laboratory.queue.tests if test.state is not QueueState.WAITING]
    now = None if running is None else laboratory.queue.get(running)
    context: dict[str, Any] = {"is_host": is_host, "charts": charts, "quote": quote}
    return PageUpdate(
        parts={
            "lab-now": render("lab/now.html", language, row=None if now is None else _row(laboratory, now), **context),
            "lab-waiting": render("lab/waiting.html", language, rows=waiting, **context),
            "lab-ended": render(
                "lab/ended.html",
                language,
                rows=[_row(laboratory, test) for test in others[:_LISTED]],
                left_out=max(0, len(others) - _LISTED),
                **context,
            ),
        }
    )


def _row(laboratory: Laboratory, test: QueuedTest) -> dict[str, Any]:
    """A test with what is known of it in short."""
    return _known(laboratory, test, lambda: laboratory.summary(test))


def _known(laboratory: Laboratory, test: QueuedTest, look: Callable[[], Summary]) -> dict[str, Any]:
    """A test with what is known of it, also if its files are broken."""
    summary: Summary | None = None
    problem = test.problem
    try:
        summary = look()
    except SpielleiterError as broken:
        problem = problem if problem.en else problem_text(broken)
    names = test.players if summary is None else summary.names
    return {
        "test": test,
        "names": names,
        "players": test.players,
        "summary": summary,
        "game": None if summary is None else games.load(summary.game),
        "problem": problem,
        "is_running": test.number == laboratory.running,
        "seconds_left": None if summary is None else laboratory.seconds_left(test, summary),
        "submitted": _moment(test.submitted),
        "ended": _moment(test.ended),
    }


def _moment(text: str) -> datetime | None:
    """A time of a test's file; ``None`` if there is none, or nonsense."""
    with suppress(ValueError):
        found = datetime.fromisoformat(text)
        return found if found.tzinfo is not None else None
    return None


async def submit(request: Request) -> Response:
    """Put a test into the queue; what is wrong stands above the form, which stays as it was filled in."""
    laboratory = _laboratory(request)
    uploads = temporary_folder("versions")
    async with request.form(max_files=2, max_fields=30) as form:
        values = form_values(form)
        try:
            number = await laboratory.submit(await read_wanted_test(form, values, uploads))
        except PageError:
            raise
        except Refused as problem:
            return await _queue_page(request, values, problem.text)
        finally:
            shutil.rmtree(uploads, ignore_errors=True)
    return RedirectResponse(f"{LAB}/test/{number}", 303)


# --- one test ---------------------------------------------------------------------------------------------------------


async def test_page(request: Request) -> Response:
    """What a test shows so far."""
    laboratory, language, is_host = _laboratory(request), language_of(request), _is_host(request)
    test = _test(request, laboratory)
    update = await asyncio.to_thread(lambda: test_update(laboratory, test.number, language, is_host=is_host))
    return respond(request, "lab/test.html", update=update, test=test, row=_row(laboratory, test))


async def test_events(request: Request) -> Response:
    """The event stream of that page."""
    laboratory, language, is_host = _laboratory(request), language_of(request), _is_host(request)
    number = _test(request, laboratory).number
    return EventStream(
        laboratory.channel,
        ("test", number, language, is_host),
        lambda: test_update(laboratory, number, language, is_host=is_host),
        reads_store=True,
    )


def test_update(laboratory: Laboratory, number: int, language: Language, *, is_host: bool) -> PageUpdate:
    """The parts of its page that change; blocks."""
    test = laboratory.queue.get(number)
    assert test is not None
    findings: Findings | None = None

    def look() -> Summary:
        nonlocal findings
        findings = laboratory.findings(test)
        return findings.summary

    row = _known(laboratory, test, look)
    context: dict[str, Any] = {"row": row, "is_host": is_host, "charts": charts, "quote": quote, "findings": findings}
    if findings is not None:
        names = findings.summary.names
        context |= {
            "elo": charts.elo_course(elo_steps(names, findings.rows), language, names[0]),
            "llr": llr_plot(findings.summary, findings.llr, language),
            "games": findings.rows[: -_GAMES - 1 : -1],
        }
    return PageUpdate(
        parts={
            "lab-test": render("lab/test_now.html", language, **context),
            "lab-charts": render("lab/test_charts.html", language, **context),
            "lab-games": render("lab/test_games.html", language, **context),
        }
    )


async def act(request: Request) -> Response:
    """Stop, resume or move a test, and back to where the button was."""
    laboratory = _laboratory(request)
    test = _test(request, laboratory)
    form = await request.form(max_files=0, max_fields=2)
    back = f"{LAB}/test/{test.number}" if form.get("back") == "test" else LAB
    try:
        match request.path_params["action"]:
            case "stop":
                await laboratory.stop(test.number)
            case "resume":
                laboratory.resume(test.number)
            case "up" | "down" as way:
                laboratory.move(test.number, up=way == "up")
            case _:
                raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    except PageError:
        raise
    except Refused as problem:
        return refusal(request, problem, back, _DISK)
    return RedirectResponse(back, 303)


async def game_page(request: Request) -> Response:
    """The record of one game of a test."""
    app, laboratory = web_app_of(request), _laboratory(request)
    test, name = _test(request, laboratory), request.path_params["game"]

    def find() -> MatchGame | None:
        return next((row for row in laboratory.findings(test).rows if row.id == name and row.record), None)

    try:
        row = await asyncio.to_thread(find)
        if row is not None:
            path = laboratory.queue.match_folder(test.number) / row.record
            entry = await asyncio.to_thread(lambda: app.library.open(path))
            return RedirectResponse(f"/replay/{entry.key}", 303)
    except PageError:
        raise
    except Refused as problem:
        return refusal(request, problem, f"{LAB}/test/{test.number}")
    raise not_found("Dieses Spiel gibt es in diesem Test nicht.", "There is no such game in this test.")


async def report(request: Request) -> Response:
    """The report of the match, as ``match`` writes it: a file to take home."""
    laboratory, language = _laboratory(request), language_of(request)
    test = _test(request, laboratory)
    folder = laboratory.queue.match_folder(test.number)

    def draw() -> str:
        found = laboratory.findings(test)
        return report_page(folder, found.plan, found.rows, found.summary, found.notices, language)

    try:
        page = await asyncio.to_thread(draw)
    except PageError:
        raise
    except Refused as problem:
        return refusal(request, problem, f"{LAB}/test/{test.number}")
    return file_response(page, "text/html; charset=utf-8", f"test-{test.number}.html")


# --- the history of a player ------------------------------------------------------------------------------------------


async def player_page(request: Request) -> Response:
    """The tests of a player, and for each game the strength of its versions."""
    laboratory, language = _laboratory(request), language_of(request)
    name: str = request.path_params["name"]
    tests = laboratory.tests_of(name)
    if not tests:
        raise not_found("Von diesem Spieler gibt es keinen Test.", "There is no test of this player.")
    rows, curves = await asyncio.to_thread(lambda: _history(laboratory, name, tests, language))
    shown, left_out = rows[:_LISTED], max(0, len(rows) - _LISTED)
    return respond(
        request, "lab/player.html", name=name, rows=shown, left_out=left_out, curves=curves, charts=charts, quote=quote
    )


def _history(
    laboratory: Laboratory, name: str, tests: Sequence[QueuedTest], language: Language
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    rows = [_row(laboratory, test) for test in tests]
    keys = dict.fromkeys(row["game"].key for row in rows if row["game"] is not None)
    return rows, [curve for key in keys if (curve := _curve(laboratory, name, rows, key, language)) is not None]


def _curve(
    laboratory: Laboratory, name: str, rows: Sequence[Mapping[str, Any]], key: str, language: Language
) -> dict[str, Any] | None:
    """The ratings of the versions of a player in one game, in the order in which they were first tested."""
    played = [row for row in rows if row["game"] is not None and row["game"].key == key and row["summary"].played]
    versions = dict.fromkeys(
        version
        for row in reversed(played)
        # Of two versions of one player the old one was there before.
        for player, version in reversed(list(zip(row["players"], row["names"], strict=True)))
        if player == name
    )
    found = laboratory.ratings([row["test"] for row in played])
    if found is None:
        return None
    rated = {rating.player: rating for rating in found.ratings.ratings}
    ratings = [(version, rated[version]) for version in versions if version in rated]
    others = [rating for player, rating in rated.items() if player not in versions]
    points = [(str(at), rating) for at, (_, rating) in enumerate(ratings, 1)]
    return {
        "game": games.load(key),
        "ratings": ratings,
        "others": others,
        "plot": charts.rating_curve(points, language, name),
        "notes": found.notes,
    }


PAGES = (
    Page(LAB, queue_page, Access.GUEST),
    Page(f"{LAB}/events", queue_events, Access.GUEST),
    Page(f"{LAB}/tests", submit, Access.HOST, "POST"),
    Page(f"{LAB}/test/{{id:int}}", test_page, Access.GUEST),
    Page(f"{LAB}/test/{{id:int}}/events", test_events, Access.GUEST),
    Page(f"{LAB}/test/{{id:int}}/report", report, Access.GUEST),
    Page(f"{LAB}/test/{{id:int}}/game/{{game}}", game_page, Access.GUEST),
    Page(f"{LAB}/test/{{id:int}}/{{action}}", act, Access.HOST, "POST"),
    Page(f"{LAB}/player/{{name}}", player_page, Access.GUEST),
)
