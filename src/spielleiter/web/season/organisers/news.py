"""The news of the season, written by the organisers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.run import news
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.rights import Access, Page, person_of
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.forms import act_and_redirect, field
from spielleiter.web.season.organisers.confirmation import ask_and_act
from spielleiter.web.season.organisers.season import HOME
from spielleiter.web.season.rendering import respond_in_contest


async def news_page(request: Request) -> Response:
    """The form for a message, and those that are published."""
    app = contest_app_of(request)
    published = (await app.in_thread(app.season.snapshot)).news
    return respond_in_contest(
        request,
        "organisers/news.html",
        published=published,
        max_length=news.MAX_LENGTH,
        max_title=news.MAX_TITLE,
    )


async def write_news(request: Request) -> Response:
    """Publish a message."""
    app, person = contest_app_of(request), person_of(request)
    title = await _both(request, "title_", news.MAX_TITLE)
    text = await _both(request, "", news.MAX_LENGTH)

    async def act() -> Text:
        await app.in_thread(lambda: news.write_news(app.contest.store, title, text, who=person.who))
        return Text("Veröffentlicht.", "Published.")

    return await act_and_redirect(request, act, f"{HOME}/news")


async def _both(request: Request, prefix: str, max_length: int) -> Text:
    de, en = [await field(request, f"{prefix}{language}", max_length + 1) for language in ("de", "en")]
    return Text(de, en)


async def remove_news(request: Request) -> Response:
    """Take a message back."""
    app, person, id_ = contest_app_of(request), person_of(request), request.path_params["id"]

    async def act() -> Text:
        await app.in_thread(lambda: news.remove_news(app.contest.store, id_, who=person.who))
        return Text("Die Nachricht ist gelöscht.", "The message is deleted.")

    async def consequences() -> Text:
        published = (await app.in_thread(app.season.snapshot)).news
        title = next((one.title for one in published if one.id == id_), None)
        if title is None:
            raise ContestError("Diese Nachricht gibt es nicht mehr.", "This message is gone.")
        return Text(
            f"Die Nachricht „{title.de}“ verschwindet von den Seiten.",
            f"The message “{title.en}” will vanish from the pages.",
        )

    return await ask_and_act(request, consequences, act, f"{HOME}/news")


PAGES = (
    Page(f"{HOME}/news", news_page, Access.ORGANISER),
    Page(f"{HOME}/news", write_news, Access.ORGANISER, "POST"),
    Page(f"{HOME}/news/{{id:int}}/remove", remove_news, Access.ORGANISER, "POST"),
)
