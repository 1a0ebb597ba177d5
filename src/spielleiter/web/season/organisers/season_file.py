"""How the organisers change the season file: what will happen is asked first, by doing it and taking it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.contest.season.changes import consequences
from spielleiter.contest.season.model import Season
from spielleiter.contest.season.write import rewrite
from spielleiter.errors import ContestError
from spielleiter.game import Text
from spielleiter.web.language import language_of
from spielleiter.web.rights import person_of
from spielleiter.web.season.contest_app import contest_app_of
from spielleiter.web.season.organisers.confirmation import ask_and_act


async def ask_and_change(
    request: Request, changed: Callable[[Season], Season], back: str, fields: Mapping[str, str] | None = None
) -> Response:
    """Let the season become what ``changed`` makes of it, once that is confirmed; then go ``back``."""
    app, who, language = contest_app_of(request), person_of(request).who, language_of(request)
    contest = app.contest

    def change(*, dry_run: bool) -> tuple[Text, ...]:
        was = contest.season
        now = changed(was)
        found = consequences(was, now)
        if not found:
            raise ContestError("Das ist schon so: Nichts ändert sich.", "It is so already: nothing changes.")
        text = rewrite(contest.text(), was, now)
        contest.change(text, who=who, reason=" ".join(each.to(language) for each in found), dry_run=dry_run)
        return found

    async def ask() -> tuple[Text, ...]:
        return await app.jobs.in_worker(lambda: change(dry_run=True))

    async def act() -> Text:
        await app.jobs.in_worker(lambda: change(dry_run=False))
        app.jobs.season.wake()
        return Text("Geändert; so steht es jetzt auch in der Saisondatei.", "Changed, in the season file, too.")

    return await ask_and_act(request, ask, act, back, can_undo=False, fields=fields)
