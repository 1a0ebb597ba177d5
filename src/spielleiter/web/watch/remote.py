"""The remote control of the show, for a phone: pick the game, hold the show, step back, go on."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from spielleiter.contest.season.names import parse_game_name
from spielleiter.feeds.live import Audience, LiveGame
from spielleiter.game import Language
from spielleiter.pages import words
from spielleiter.pages.environment import render
from spielleiter.pages.season.programme import programme_of
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.problems import not_found
from spielleiter.web.rendering import respond
from spielleiter.web.rights import Access, Page
from spielleiter.web.watch import stage
from spielleiter.web.watch.projector import keep_going, show_stream
from spielleiter.web.watch.show import Scene, Shown
from spielleiter.web.web_app import WebApp, web_app_of

REMOTE = "/organiser/remote"
_MAX_ENDED = 8
"""Games that are over and may be shown once more."""


async def remote_page(request: Request) -> Response:
    """What is on the screen, and the buttons."""
    app, language = web_app_of(request), language_of(request)
    await keep_going(request)
    return respond(request, "watch/remote_page.html", body=_update(app, language).parts["remote"])


async def remote_events(request: Request) -> Response:
    """The remote control again and again: the games change."""
    app, language = web_app_of(request), language_of(request)
    return await show_stream(request, ("remote", language), lambda: _update(app, language))


def _update(app: WebApp, language: Language) -> PageUpdate:
    shown, games = stage.now_shown(app, Audience.GUESTS), app.live.all()
    pages = app.show.pages
    programme = None if pages is None else programme_of(pages)
    html = render(
        "watch/remote.html",
        language,
        shown=shown,
        scene=shown.scene.value,
        held=app.show.held is not None,
        picked=app.show.picked,
        programme=programme,
        running=_choices(app, [live for live in games if not live.is_over], language),
        ended=_choices(app, [live for live in games if live.is_over], language)[:_MAX_ENDED],
        color=lambda live, side: live.history.game.teams[side].to(language),
    )
    return PageUpdate(parts={"remote": html})


def _choices(app: WebApp, games: Sequence[LiveGame], language: Language) -> list[dict[str, str]]:
    """One game of each encounter to pick, the newest; the one that was picked stays in the list."""
    found: dict[str, LiveGame] = {}
    for live in games:
        name = parse_game_name(live.room_id)
        key = live.room_id if name is None else name.encounter
        if key not in found or live.room_id == app.show.picked:
            found[key] = live
    return [_choice(app, live, language) for live in found.values()]


def _choice(app: WebApp, live: LiveGame, language: Language) -> dict[str, str]:
    """A game to pick: its room, where it belongs, and who plays."""
    one, two = words.player_names(live.history.game, live.history.names, language)
    return {"room": live.room_id, "title": stage.title_of(app, live, language), "names": f"{one} – {two}"}


async def control(request: Request) -> Response:
    """Press a button."""
    app = web_app_of(request)
    show, shown = app.show, stage.now_shown(app, Audience.GUESTS)
    match request.path_params["action"]:
        case "pick":
            form = await request.form(max_files=0, max_fields=2)
            room = str(form.get("room", ""))
            if app.live.get(room) is None:
                raise not_found("Dieses Spiel gibt es hier nicht (mehr).", "There is no such game here (any more).")
            show.pick(room)
        case "auto":
            show.pick(None)
        case "hold":
            show.hold(shown)
        case "resume":
            show.hold(None)
        case "back":
            show.hold(_step(shown, -1))
        case "forward":
            show.hold(_step(shown, 1))
        case "programme":
            show.hold(Shown(Scene.WAITING if show.pages is None else Scene.PROGRAMME))
        case _:
            raise not_found("Das gibt es hier nicht.", "There is no such thing here.")
    return RedirectResponse(REMOTE, 303)


def _step(shown: Shown, by: int) -> Shown:
    """The same game some plies before or after; other scenes have no plies."""
    if shown.game is None:
        return shown
    return Shown(Scene.GAME, shown.game, min(max(0, shown.ply + by), len(shown.game.history.plies)))


PAGES = (
    Page("/organiser/remote", remote_page, Access.DIRECTOR),
    Page("/organiser/remote/events", remote_events, Access.DIRECTOR),
    Page("/organiser/remote/{action}", control, Access.DIRECTOR, "POST"),
)
