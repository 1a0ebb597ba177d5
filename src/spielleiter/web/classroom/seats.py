"""What every page may ask about a class: is there one, has the visitor a seat in it, and what the bar on top says."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

from starlette.requests import HTTPConnection, Request

from spielleiter.errors import PageError, RecordError
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.text import NO_TEXT
from spielleiter.web.browsers import browser_of
from spielleiter.web.classroom.classroom import Classroom
from spielleiter.web.classroom.state import Participant
from spielleiter.web.classroom.tasks import task_view
from spielleiter.web.guard import Role
from spielleiter.web.language import language_of

JOIN, SEAT, HOST = "/join", "/class", "/class/host"


def find_classroom(request: HTTPConnection) -> Classroom | None:
    """The class of these pages, if there is one."""
    found: Classroom | None = request.app.state.web_app.classroom
    return found


def classroom_of(request: HTTPConnection) -> Classroom:
    """The class of these pages. Raises ``PageError`` if there is none."""
    found = find_classroom(request)
    if found is None:
        raise PageError(
            404,
            Text("Hier gibt es keine Klasse.", "There is no class here."),
            Text("So beginnt eine: spielleiter class", "Start one with: spielleiter class"),
        )
    return found


def person_at(request: HTTPConnection) -> Participant | None:
    """Who sits at the visitor's device, where there is a class."""
    classroom = find_classroom(request)
    return None if classroom is None else classroom.state.by_browser(browser_of(request))


def has_seat(request: HTTPConnection) -> bool:
    """Whether the visitor has a seat in a class: then they can hand in a player, for one."""
    return person_at(request) is not None


def name_in_class(request: HTTPConnection) -> str:
    """The visitor's name on the roster of a class, which cannot be changed at a table; empty elsewhere."""
    person = person_at(request)
    return "" if person is None else person.name


def own_names(request: HTTPConnection) -> frozenset[str]:
    """Under which names the visitor and their player play in a class."""
    classroom, person = find_classroom(request), person_at(request)
    if classroom is None or person is None:
        return frozenset()
    tournament = classroom.state.tournament
    entrant = None if tournament is None else tournament.entrants.get(person.id)
    return frozenset({person.name, *(() if entrant is None else (entrant,))})


def hand_in_url(request: HTTPConnection, game: str) -> str | None:
    """Where the visitor hands in a player of ``game``; ``None`` without a seat, or if the class plays another game."""
    classroom = find_classroom(request)
    return f"{SEAT}/player" if classroom is not None and has_seat(request) and classroom.state.game == game else None


def must_join(request: Request) -> bool:
    """Whether the visitor has to take a seat first: in a class only the host needs no name."""
    role: Role = request.state.role
    return find_classroom(request) is not None and role < Role.HOST and not has_seat(request)


def note_achieved(request: HTTPConnection, kind: str, game: str, what: str) -> None:
    """The visitor has solved an exercise (``lesson``) or a puzzle: the host of a class sees it."""
    classroom, person = find_classroom(request), person_at(request)
    if classroom is not None and person is not None:
        with suppress(RecordError):  # The disk is full, say: that must not keep anybody from learning.
            classroom.achieved(person, kind, game, what)


def class_bar(request: Request) -> dict[str, str] | None:
    """The bar on top of a participant's pages, and the address of its stream; also counts as a sign of their device."""
    classroom, person = find_classroom(request), person_at(request)
    if classroom is None or person is None or request.method != "GET":
        return None
    classroom.note(person, request.url.path)
    here = quote(request.url.path[:200], safe="/")
    update = bar_update(classroom, person.browser, language_of(request))
    return {"html": update.parts["class-bar"], "events": f"{SEAT}/bar/events?at={here}"}


def bar_update(classroom: Classroom, browser: str, language: Language) -> PageUpdate:
    """The event stream of what a participant has to do; one who was removed is sent to the entrance."""
    state = classroom.state
    person = state.by_browser(browser)
    if person is None:
        return PageUpdate(parts={}, follow=JOIN)
    task, current = state.task, state.round
    pair = None if current is None else current.pair_of(person.id)
    game_open = current is not None and pair is not None and current.pairs[pair].points is None
    rival = "" if current is None or pair is None else _rival(classroom, person, current.pairs[pair].people)
    html = render(
        "classroom/bar.html",
        language,
        person=person,
        task=None if task is None else task_view(classroom, task, person),
        rival=rival if game_open else "",
        has_bye=current is not None and current.bye == person.id and not current.is_over,
        round=0 if current is None else current.number,
        until=None if current is None else classroom.until(current.ends),
    )
    say = NO_TEXT
    if game_open:
        say = Text(f"Du spielst gegen {rival}.", f"You play {rival}.")
    return PageUpdate(parts={"class-bar": html}, say=say.to(language) or None)


def _rival(classroom: Classroom, person: Participant, people: tuple[int, int]) -> str:
    return classroom.state.name_of(people[1 - people.index(person.id)])
