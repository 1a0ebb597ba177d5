"""The page of the host: who is here and does what, tasks for all, rounds of games, and what the projector shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import PageError, Refused
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.opponents import LADDER
from spielleiter.pages.pictures import qr_code
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import whole_number
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.names import MAX_NAME
from spielleiter.web.classroom.rounds import scores
from spielleiter.web.classroom.seats import HOST, JOIN, classroom_of
from spielleiter.web.classroom.state import AnswersShown, ClassScene, SceneChosen, TaskEnded, TaskKind
from spielleiter.web.classroom.tasks import (
    MAX_MINUTES,
    chosen_moves,
    exercise_titles,
    minutes_from_form,
    task_from_form,
    task_view,
)
from spielleiter.web.classroom.tournament import MAX_MINUTES as MAX_TOURNAMENT
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import WebApp, base_url_for, web_app_of

_POINTS = {"1": 1.0, "half": 0.5, "0": 0.0}


def join_address(app: WebApp, base: str) -> str:
    """Where people come in, without the code."""
    return f"{base or app.own_url}{JOIN}"


async def host_page(request: Request) -> Response:
    """Everything at once, live."""
    app, classroom, language = web_app_of(request), classroom_of(request), language_of(request)
    address = join_address(app, base_url_for(request))
    return respond(
        request,
        "classroom/host.html",
        update=host_update(classroom, language),
        state=classroom.state,
        game=classroom.game,
        games=games.seasons(),
        exercises=[(number, title) for number, title in enumerate(exercise_titles(classroom.game), 1)],
        ladder=LADDER,
        max_minutes=MAX_MINUTES,
        max_tournament=MAX_TOURNAMENT,
        max_name=MAX_NAME,
        address=address,
        is_reachable=bool(base_url_for(request)),
        qr=qr_code(f"{address}?code={classroom.state.code}"),
    )


async def host_events(request: Request) -> Response:
    """The event stream of that page."""
    classroom, language = classroom_of(request), language_of(request)
    return EventStream(classroom.channel, ("host", language), lambda: host_update(classroom, language))


def host_update(classroom: Classroom, language: Language) -> PageUpdate:
    """The parts of the page that change; what the host types in stands in none of them."""
    state = classroom.state
    people = sorted(state.people.values(), key=lambda person: person.name.casefold())
    here = sum(classroom.is_here(person.id) for person in people)
    task = state.task
    rows = [
        {
            "person": person,
            "is_here": classroom.is_here(person.id),
            "activity": classroom.activity(person),
            "lesson": state.solved(person.id, "lesson", state.game),
            "puzzles": state.solved(person.id, "puzzle"),
            "level": _best_level(classroom, person.id),
            "is_done": task is not None and state.is_done(task, person.id),
            "player": state.players.get(person.id),
        }
        for person in people
    ]
    context: dict[str, Any] = {
        "state": state,
        "rows": rows,
        "here": here,
        "exercises": len(exercise_titles(classroom.game)),
        "task": None if task is None else task_view(classroom, task),
        "done": sum(row["is_done"] for row in rows),
        "chosen": chosen_moves(state, task) if task is not None and task.kind is TaskKind.POSITION else None,
        "is_shown": task is not None and task.is_shown,
        "missing": [name for name in state.listed if state.by_name(name) is None],
        "scores": scores(state),
        "until": None if state.round is None else classroom.until(state.round.ends),
        "scenes": ClassScene,
    }
    tournament = state.tournament
    context |= {
        "tournament": tournament,
        "is_running": classroom.tournaments.is_running,
        "ready": len(classroom.tournaments.ready()),
        "problem": classroom.tournaments.problem,
        "progress": None if tournament is None else classroom.tournaments.progress(tournament),
        "table": [] if tournament is None else classroom.tournaments.table(tournament),
        "shown": {} if tournament is None else state.shown_names(tournament),
        "entrants": {} if tournament is None else {name: person for person, name in tournament.entrants.items()},
    }
    parts = ("door", "people", "task", "round", "screen", "tournament")
    return PageUpdate(
        parts={f"class-{part}": render(f"classroom/host_{part}.html", language, **context) for part in parts}
    )


def _best_level(classroom: Classroom, person: int) -> int:
    """The strongest level that the participant has beaten in the game of the class."""
    names = [player.name for player in LADDER]
    beaten = [what for kind, _, what in classroom.state.achieved.get(person, ()) if kind == "level"]
    return max((names.index(level) + 1 for level in beaten if level in names), default=0)


# --- people -----------------------------------------------------------------------------------------------------------


async def person_page(request: Request) -> Response:
    """Somebody's name and seat, to be changed."""
    classroom = classroom_of(request)
    person = classroom.state.people.get(request.path_params["id"])
    if person is None:
        raise not_found("Diese Person ist nicht mehr da.", "This person is no longer here.")
    return respond(
        request,
        "classroom/host_person.html",
        person=person,
        activity=classroom.activity(person),
        max_name=MAX_NAME,
    )


async def change_person(request: Request) -> Response:
    """Rename a participant, free their seat, or remove them."""
    classroom, person = classroom_of(request), request.path_params["id"]

    async def act(form: FormData) -> None:
        match request.path_params["action"]:
            case "rename":
                classroom.book.rename(person, str(form.get("name", "")))
            case "free":
                classroom.book.free_seat(person)
            case "remove":
                await classroom.remove(person)
            case _:
                raise _unknown()

    return await _act(request, act)


# --- buttons ----------------------------------------------------------------------------------------------------------


async def do(request: Request) -> Response:
    """Press one of the buttons of the page."""
    classroom = classroom_of(request)

    async def act(form: FormData) -> None:
        action = request.path_params["action"]
        if not await _at_door(classroom, action, form) and not await _in_lesson(classroom, action, form):
            raise _unknown()

    return await _act(request, act)


async def _at_door(classroom: Classroom, action: str, form: FormData) -> bool:
    """Whether it was a button about who comes in."""
    book = classroom.book
    match action:
        case "new-code":
            book.renew_code()
        case "door":
            book.set_door(form.get("open") == "1")
        case "add-name":
            book.add_name(str(form.get("name", "")))
        case "remove-absent":
            for person in [person for person in classroom.state.people if not classroom.is_here(person)]:
                await classroom.remove(person)
        case _:
            return False
    return True


async def _in_lesson(classroom: Classroom, action: str, form: FormData) -> bool:
    """Whether it was a button about tasks, rounds or the projector."""
    book, task = classroom.book, classroom.state.task
    match action:
        case "task":
            book.record(task_from_form(classroom.state, form, book.now()))
            book.record(SceneChosen(ClassScene.TASK))
        case "end-task" if task is not None:
            book.record(TaskEnded(task.number))
        case "show-answers" if task is not None:
            book.record(AnswersShown(task.number))
            book.record(SceneChosen(ClassScene.TASK))
        case "pair":
            await classroom.pair_up(minutes_from_form(form))
        case "decide":
            at, points = whole_number(str(form.get("pair", ""))), _POINTS.get(str(form.get("points")))
            if at is None or points is None:
                raise Refused("Wähle ein Ergebnis.", "Choose a result.")
            classroom.decide(at, points)
        case "decide-open":
            classroom.decide_open()
        case "tournament":
            minutes = _minutes(str(form.get("minutes", "")))
            await classroom.tournaments.begin(minutes, with_yardstick=form.get("yardstick") == "1")
        case "stop-tournament":
            await classroom.tournaments.stop()
        case "screen":
            chosen = next((scene for scene in ClassScene if scene.value == form.get("scene")), None)
            if chosen is None:
                raise Refused("Das kann der Beamer nicht zeigen.", "The projector cannot show that.")
            book.record(SceneChosen(chosen))
        case _:
            return False
    return True


def _unknown() -> PageError:
    return not_found("Das gibt es hier nicht.", "There is no such thing here.")


async def _act(request: Request, act: Callable[[FormData], Awaitable[None]]) -> Response:
    form = await request.form(max_files=0, max_fields=12)
    try:
        await act(form)
    except Refused as problem:
        return refusal(request, problem, HOST, _ADVICE)
    return RedirectResponse(HOST, 303)


async def offer_page(request: Request) -> Response:
    """What a tournament would be, before it begins."""
    classroom = classroom_of(request)
    try:
        minutes = _minutes(request.query_params.get("minutes", ""))
    except Refused as problem:
        return refusal(request, problem, HOST, _ADVICE)
    with_yardstick = request.query_params.get("yardstick") == "1"
    return respond(
        request,
        "classroom/host_offer.html",
        minutes=minutes,
        with_yardstick=with_yardstick,
        offer=await classroom.tournaments.offer(minutes, with_yardstick=with_yardstick),
        game=classroom.game,
    )


def _minutes(text: str) -> int:
    """The length of a tournament. Raises ``Refused``."""
    minutes = whole_number(text)
    if minutes is None or not 1 <= minutes <= MAX_TOURNAMENT:
        raise Refused(
            f"Ein Turnier dauert 1 bis {MAX_TOURNAMENT} Minuten.", f"A tournament takes 1 to {MAX_TOURNAMENT} minutes."
        )
    return minutes


_ADVICE = Text("Geh zurück und versuche es noch einmal.", "Go back and try again.")
PAGES = (
    Page(HOST, host_page, Access.HOST),
    Page(f"{HOST}/events", host_events, Access.HOST),
    Page(f"{HOST}/tournament", offer_page, Access.HOST),
    Page(f"{HOST}/people/{{id:int}}", person_page, Access.HOST),
    Page(f"{HOST}/people/{{id:int}}/{{action}}", change_person, Access.HOST, "POST"),
    Page(f"{HOST}/{{action}}", do, Access.HOST, "POST"),
)
