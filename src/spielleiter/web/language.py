"""Which of our two languages a browser wants."""

from __future__ import annotations

import re

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from spielleiter.game import Language

COOKIE = "spielleiter-language"
_BACK = re.compile(r"/[A-Za-z0-9._~/-]{0,200}(\?[A-Za-z0-9._~/=&%+-]{0,5000})?")
"""An address of ours to come back to: no other host, nothing that a browser could read in another way."""


def language_of(request: HTTPConnection) -> Language:
    """The language that was chosen on a page, else the one that the browser asks for first, else English."""
    chosen = request.cookies.get(COOKIE)
    if chosen in ("de", "en"):
        return "de" if chosen == "de" else "en"
    return preferred(request.headers.get("accept-language", ""))


def preferred(header: str) -> Language:
    """The better liked of German and English in an ``Accept-Language`` header."""
    liking = {"de": 0.0, "en": 0.0}
    for part in header[:500].split(","):
        tag, _, parameter = part.strip().partition(";")
        base = tag.strip().lower().split("-")[0]
        try:
            weight = float(parameter.strip().removeprefix("q=")) if parameter.strip() else 1.0
        except ValueError:
            continue
        if base in liking:
            liking[base] = max(liking[base], weight)
    return "de" if liking["de"] > liking["en"] else "en"


async def choose_language(request: Request) -> Response:
    """Remember the language, and back to where one came from."""
    wanted = request.path_params["language"]
    back = request.query_params.get("back", "/")
    if not _BACK.fullmatch(back) or back.startswith("//"):
        back = "/"
    answer = RedirectResponse(back, 303)
    if wanted in ("de", "en"):
        answer.set_cookie(COOKIE, wanted, max_age=365 * 86400, httponly=True, samesite="lax")
    return answer
