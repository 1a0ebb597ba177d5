"""The entrance of a class: the join code, then a name; a device keeps its seat."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.errors import PageError, Refused
from spielleiter.game import Text
from spielleiter.text import NO_TEXT
from spielleiter.web.browsers import browser_of, give_browser, require_browser
from spielleiter.web.classroom.names import MAX_NAME, plain_code
from spielleiter.web.classroom.seats import JOIN, SEAT, classroom_of, person_at
from spielleiter.web.guard import address_of, give_key
from spielleiter.web.language import language_of
from spielleiter.web.play.choices import remember
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.web_app import web_app_of


async def join_page(request: Request) -> Response:
    """Take the code and the name; a visitor with a seat is sent to it."""
    if person_at(request) is not None:
        return RedirectResponse(SEAT, 303)
    code = request.query_params.get("code", "")
    try:
        if code:
            classroom_of(request).book.check_code(code, address_of(request.scope))
    except PageError:
        raise
    except Refused as refused:
        return _form(request, code, problem=refused.text)
    return _form(request, code)


def _form(request: Request, code: str, name: str = "", problem: Text = NO_TEXT, status: int = 200) -> Response:
    classroom, browser = classroom_of(request), browser_of(request)
    state = classroom.state
    is_known = plain_code(code) == state.code
    if not problem.en and browser in state.removed:
        problem = Text(
            "Die Leitung hat deinen Namen entfernt. Komm mit einem anderen wieder herein.",
            "The host has removed your name. Come in again with another one.",
        )
    elif not problem.en and browser in state.freed:
        problem = Text(
            "Dein Platz wurde freigegeben. Wähle deinen Namen noch einmal.",
            "Your seat was freed. Choose your name again.",
        )
    response = respond(
        request,
        "classroom/join.html",
        status,
        code=plain_code(code),
        # The names of a class are for those who know its code.
        names=sorted(state.free_names(), key=str.casefold) if is_known else [],
        is_listed=bool(state.listed),
        is_known=is_known,
        name=name[:200],
        max_name=MAX_NAME,
        problem=problem.to(language_of(request)),
    )
    give_browser(request, response)
    return response


async def join(request: Request) -> Response:
    """Take a seat."""
    classroom, browser = classroom_of(request), require_browser(request)
    form = await request.form(max_files=0, max_fields=4)
    code, name, address = str(form.get("code", "")), str(form.get("name", "")), address_of(request.scope)
    try:
        if "name" not in form:
            classroom.book.check_code(code, address)
            return RedirectResponse(f"{JOIN}?code={plain_code(code)}", 303)
        person = classroom.book.join(code, name, browser, address)
    except PageError:
        raise
    except Refused as refused:
        return _form(request, code, name, refused.text, 409)
    classroom.moved_seat(person.id)
    classroom.note(person, SEAT)
    response = RedirectResponse(SEAT, 303)
    keys = web_app_of(request).keys
    if keys is not None and request.state.role < keys.role(keys.guest):
        give_key(response, keys.guest)
    remember(request, response, name=person.name, game=classroom.state.game)
    return response


PAGES = (
    Page(JOIN, join_page, Access.EVERYBODY),
    Page(JOIN, join, Access.EVERYBODY, "POST"),
)
