"""The page of the organisers on which the season is run and paused, and lots are drawn."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.run import feeds, rulings
from spielleiter.contest.run.first_programs import teams_to_equip
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Blocker
from spielleiter.errors import ContestError
from spielleiter.feeds.live import LiveGames
from spielleiter.game import Language, Text
from spielleiter.pages.environment import render
from spielleiter.pages.updates import PageUpdate
from spielleiter.web.language import language_of
from spielleiter.web.rights import Access, Page, person_of
from spielleiter.web.season.contest_app import ContestApp, contest_app_of
from spielleiter.web.season.forms import act_and_redirect, field
from spielleiter.web.season.organisers import overview
from spielleiter.web.season.rendering import STREAM_SECONDS, respond_in_contest
from spielleiter.web.streams import EventStream
from spielleiter.web.web_app import web_app_of

HOME = "/contest/organise"
_SHOWN_GAMES = 12


async def season_page(request: Request) -> Response:
    """Where the season stands, and how to let it go on."""
    app, language = contest_app_of(request), language_of(request)
    live = web_app_of(request).live
    shown = await app.in_thread(lambda: _season_part(app, live, language))
    snapshot = await app.in_thread(app.season.snapshot)
    return respond_in_contest(
        request,
        "organisers/season.html",
        shown=shown,
        snapshot=snapshot,
        is_over=snapshot.state.blocker is Blocker.NOTHING,
        to_equip=await app.in_thread(lambda: teams_to_equip(app.contest)),
    )


def _season_part(app: ContestApp, live: LiveGames, language: Language) -> str:
    snapshot, progress = app.season.snapshot(), app.jobs.season.progress
    return render(
        "organisers/season_progress.html",
        language,
        snapshot=snapshot,
        progress=progress,
        games=list(reversed(progress.games)),
        level=app.jobs.level,
        blockers=Blocker,
        waiting=overview.waiting(snapshot.state, snapshot.without_program, is_running=progress.running),
        playing=[game for game in live.running() if game.source is not None][:_SHOWN_GAMES],
        machines=sorted({address.host for address in feeds.addresses(app.contest.store).values()}),
        load=overview.machine_load(),
        busy=None if snapshot.state.blocker is Blocker.NOTHING else overview.busy_machine(),
    )


async def season_events(request: Request) -> Response:
    """The season again and again."""
    app, live, language = contest_app_of(request), web_app_of(request).live, language_of(request)
    return EventStream(
        app.jobs.channel,
        ("season", language),
        lambda: PageUpdate(parts={"season": _season_part(app, live, language)}),
        reads_store=True,
        max_seconds=STREAM_SECONDS,
    )


async def run_season(request: Request) -> Response:
    """Let the season go on."""
    app, person = contest_app_of(request), person_of(request)

    without = [team for team in (await request.form()).getlist("without") if isinstance(team, str)]

    async def act() -> Text:
        await app.jobs.season.start(person.who, without)
        return Text("Die Saison läuft.", "The season is running.")

    return await act_and_redirect(request, act, HOME)


async def pause_season(request: Request) -> Response:
    """Begin no more games."""
    app, person = contest_app_of(request), person_of(request)
    reason = await field(request, "reason", 2000)

    async def act() -> Text:
        await app.jobs.season.pause(person.who, reason)
        return Text(
            "Angehalten. Spiele, die gerade laufen, werden noch zu Ende gespielt.",
            "Paused. Games that are being played come to their end.",
        )

    return await act_and_redirect(request, act, HOME)


async def draw_lot(request: Request) -> Response:
    """Draw the lot for which the season waits."""
    app, person = contest_app_of(request), person_of(request)
    stage, group = await field(request, "stage"), await field(request, "group")
    seed = await field(request, "seed")

    async def act() -> Text:
        if not seed:
            raise ContestError(
                "Gib an, womit gelost wird, zum Beispiel die Lottozahlen des Tages.",
                "Say what the lot is drawn with, for example the day's lottery numbers.",
            )
        if stage not in set(Stage):
            raise ContestError("Diese Phase gibt es nicht.", "There is no such phase.")
        lot = await app.jobs.in_worker(
            lambda: rulings.draw_by_hand(app.contest, Stage(stage), group, seed, who=person.who)
        )
        app.jobs.season.wake()
        return lot.text

    return await act_and_redirect(request, act, HOME)


PAGES = (
    Page(HOME, season_page, Access.ORGANISER),
    Page(f"{HOME}/events", season_events, Access.ORGANISER),
    Page(f"{HOME}/run", run_season, Access.ORGANISER, "POST"),
    Page(f"{HOME}/pause", pause_season, Access.ORGANISER, "POST"),
    Page(f"{HOME}/lot", draw_lot, Access.ORGANISER, "POST"),
)
