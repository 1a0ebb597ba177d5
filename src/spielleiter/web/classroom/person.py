"""The pages of a participant: what to do now, the bar on top of every page, the position of a task, the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter import games
from spielleiter.errors import PageError, Refused
from spielleiter.game import AnyGame, Language, Look, Team, Text
from spielleiter.pages import boards, words
from spielleiter.pages.board_input import input_data, legal_move
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.browsers import browser_of
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.rounds import scores
from spielleiter.web.classroom.seats import HOST, JOIN, SEAT, bar_update, classroom_of, person_at
from spielleiter.web.classroom.state import ClassTask, Participant, PositionAnswered, TaskKind
from spielleiter.web.classroom.tasks import exercise_titles, task_view
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of
from spielleiter.web.play.board_input import answer_move, try_page
from spielleiter.web.rendering import refusal, respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.streams import EventStream

_MAX_PATH = 200


def seated(request: Request) -> tuple[Classroom, Participant]:
    """The class, and who sits at the visitor's device. Raises ``PageError`` for a device without a seat."""
    classroom, person = classroom_of(request), person_at(request)
    if person is None:
        raise PageError(
            403,
            Text("Du hast hier noch keinen Platz.", "You have no seat here yet."),
            Text(
                f"Öffne {JOIN} und gib den Code vom Beamer ein.", f"Open {JOIN} and type the code from the projector."
            ),
        )
    return classroom, person


# --- what to do now ---------------------------------------------------------------------------------------------------


async def seat_page(request: Request) -> Response:
    """What to do now, how far one is, and the ways to everything else."""
    classroom = classroom_of(request)
    if person_at(request) is None and request.state.role >= Role.HOST:
        return RedirectResponse(HOST, 303)
    classroom, person = seated(request)
    return respond(
        request,
        "classroom/seat.html",
        person=person,
        game=classroom.game,
        exercises=len(exercise_titles(classroom.game)),
        update=seat_update(classroom, person.browser, language_of(request)),
    )


async def seat_events(request: Request) -> Response:
    """The event stream of that page."""
    classroom, person = seated(request)
    language = language_of(request)
    return EventStream(
        classroom.book.channel,
        ("seat", person.browser, language),
        lambda: seat_update(classroom, person.browser, language),
    )


def seat_update(classroom: Classroom, browser: str, language: Language) -> PageUpdate:
    """The parts of the page that change."""
    state = classroom.state
    person = state.by_browser(browser)
    if person is None:
        return PageUpdate(parts={}, follow=JOIN)
    table = scores(state)
    mine = next((row for row in table if row.person == person.id), None)
    html = render(
        "classroom/seat_now.html",
        language,
        person=person,
        state=state,
        game=classroom.game,
        task=None if state.task is None else task_view(classroom, state.task, person),
        is_position=state.task is not None and state.task.kind is TaskKind.POSITION,
        pair=_pair(classroom, person),
        score=mine,
        people=len(table),
        solved=state.solved(person.id, "lesson", classroom.game.key),
        puzzles=state.solved(person.id, "puzzle"),
        exercises=len(exercise_titles(classroom.game)),
    )
    player = render(
        "classroom/seat_player.html",
        language,
        player=state.players.get(person.id),
        tournament=state.tournament,
        person=person,
    )
    return PageUpdate(parts={"seat-now": html, "seat-player": player})


def _pair(classroom: Classroom, person: Participant) -> dict[str, Any] | None:
    """The participant's game in the present round."""
    current = classroom.state.round
    at = None if current is None else current.pair_of(person.id)
    if current is None or at is None:
        return None
    pair = current.pairs[at]
    me = pair.people.index(person.id)
    return {
        "round": current.number,
        "rival": classroom.state.name_of(pair.people[1 - me]),
        "points": None if pair.points is None else pair.points[me],
    }


async def bar_events(request: Request) -> Response:
    """The bar on top of a page again and again; each sign of life says which page is open."""
    classroom, person = seated(request)
    language, path = language_of(request), request.query_params.get("at", "")[:_MAX_PATH]
    on_position = path == f"{SEAT}/position"

    def update() -> PageUpdate:
        bar = bar_update(classroom, person.browser, language)
        if not on_position:
            return bar
        return replace(bar, parts={**bar.parts, "position-over": _position_over(classroom, language)})

    def alive() -> None:
        present = classroom.state.by_browser(person.browser)
        if present is not None:
            classroom.note(present, path)

    return EventStream(
        classroom.book.channel,
        ("bar", person.browser, language, on_position),
        update,
        alive=alive,
    )


async def own_game(request: Request) -> Response:
    """To one's table of the present round, wherever it is now."""
    classroom, person = seated(request)
    try:
        table = await classroom.table_of(person)
    except Refused as problem:
        return refusal(request, problem, SEAT)
    return RedirectResponse(SEAT if table is None else f"/table/{table.key}", 303)


# --- the position of a task -------------------------------------------------------------------------------------------


def _asked(request: Request) -> tuple[Classroom, ClassTask, AnyGame, Any]:
    """The position that the class is asked about. Raises ``PageError`` if there is none just now."""
    classroom = classroom_of(request)
    task = classroom.state.task
    if task is None or task.kind is not TaskKind.POSITION:
        raise PageError(
            404,
            Text("Gerade wird nach keiner Stellung gefragt.", "No position is asked about just now."),
            Text("Auf deiner Seite steht, was jetzt zu tun ist.", "Your page says what to do now."),
        )
    game = games.load(task.game)
    return classroom, task, game, game.notation.parse_state(task.what)


async def position_page(request: Request) -> Response:
    """The board on which one shows what one would play."""
    _, person = seated(request)
    classroom, task, game, state = _asked(request)
    return respond(
        request,
        "classroom/position.html",
        game=game,
        task=task,
        update=_position_update(classroom, task, person, language_of(request)),
        over=_position_over(classroom, language_of(request)),
        input_kind=boards.input_kind(game),
        color=game.color_to_move(state),
        example=game.notation.format_move(state, state.legal_moves()[0]),
    )


def _position_over(classroom: Classroom, language: Language) -> str:
    """That the class is not asked about a position any more; empty while it is."""
    task = classroom.state.task
    is_open = task is not None and task.kind is TaskKind.POSITION and task.is_open(classroom.book.now())
    return render("classroom/position_over.html", language, is_over=not is_open)


def _position_update(classroom: Classroom, task: ClassTask, person: Participant, language: Language) -> PageUpdate:
    """The board with the own answer, which may be changed as long as the task is open."""
    game = games.load(task.game)
    state = game.notation.parse_state(task.what)
    answer = classroom.state.answers.get(task.number, {}).get(person.id)
    is_open = task.is_open(classroom.book.now())
    board_input = game.board_input
    flipped = board_input is not None and board_input.flips_for_two and state.to_move is Team.TWO
    look = Look(flipped=flipped, last_move=False)
    said = ""
    if answer is not None:
        move = game.notation.parse_move(state, answer)
        look = boards.move_look(game, state, move, look)
        said = words.move_text(game, state, move, language)
    status = render("classroom/position_status.html", language, answer=answer, said=said)
    return PageUpdate(
        parts={"board": boards.board(game, state, look=look), "status": status},
        say=said or None,
        play={
            "position": {"task": str(task.number), "answer": answer or ""},
            **input_data(game, state, language, flipped=flipped, mine=is_open, ply=task.number),
        },
    )


async def answer_position(request: Request) -> Response:
    """The move that the participant would play."""
    _, person = seated(request)
    classroom, task, game, state = _asked(request)

    async def play(form: Mapping[str, Any]) -> tuple[str, PageUpdate]:
        if not task.is_open(classroom.book.now()) or str(form.get("task", task.number)) != str(task.number):
            raise Refused("Die Zeit für diese Aufgabe ist um.", "The time for this task is over.")
        move = legal_move(game, state, form)
        text = game.notation.format_move(state, move)
        if classroom.state.answers.get(task.number, {}).get(person.id) != text:
            classroom.book.record(PositionAnswered(task.number, person.id, text))
        return f"{SEAT}/position", _position_update(classroom, task, person, language_of(request))

    return await answer_move(request, f"{SEAT}/position", play)


def _position(request: Request) -> tuple[AnyGame, Any]:
    _, _, game, state = _asked(request)
    return game, state


try_move = try_page(_position)


def game_after_restart(request: Request, room: str) -> str | None:
    """Where the participant's game goes on whose table was in ``room`` before a restart."""
    classroom, browser = request.app.state.web_app.classroom, browser_of(request)
    person = None if classroom is None else classroom.state.by_browser(browser)
    current = None if classroom is None else classroom.state.round
    if person is None or current is None or (at := current.pair_of(person.id)) is None:
        return None
    return f"{SEAT}/game" if room in current.pairs[at].rooms and current.pairs[at].points is None else None


PAGES = (
    Page(SEAT, seat_page, Access.GUEST),
    Page(f"{SEAT}/events", seat_events, Access.GUEST),
    Page(f"{SEAT}/bar/events", bar_events, Access.GUEST),
    Page(f"{SEAT}/game", own_game, Access.GUEST),
    Page(f"{SEAT}/position", position_page, Access.GUEST),
    Page(f"{SEAT}/position/move", answer_position, Access.GUEST, "POST"),
    Page(f"{SEAT}/position/try", try_move, Access.GUEST),
)
