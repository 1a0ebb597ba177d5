"""Which of our two languages a browser wants."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from spielleiter.game import Language

COOKIE = "spielleiter-language"


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
