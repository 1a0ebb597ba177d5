"""What a visitor chose last time, name, game and level, remembered by their own browser."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from urllib.parse import parse_qsl, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import Response

from spielleiter import games
from spielleiter.pages.opponents import suggested

COOKIE = "spielleiter-choices"
MAX_NAME = 40
_SECONDS = 365 * 86400
_MAX_COOKIE = 1000


@dataclass(frozen=True, slots=True)
class FormDefaults:
    """What the forms begin with."""

    name: str = ""
    game: str = games.CURRENT_SEASON
    level: str = ""

    @classmethod
    def of(cls, request: HTTPConnection) -> FormDefaults:
        """What this browser remembers, as far as that can still be chosen."""
        known = dict(parse_qsl(request.cookies.get(COOKIE, "")[:_MAX_COOKIE]))
        game = known.get("game", "")
        return cls(
            clean_name(known.get("name", "")),
            game if game in games.all_games() else games.CURRENT_SEASON,
            suggested(known.get("level", "")),
        )


def clean_name(name: str) -> str:
    """A name as others may see it: one line, not too long."""
    return "".join(char for char in name.strip() if char.isprintable())[:MAX_NAME]


def remember(request: HTTPConnection, response: Response, **chosen: str) -> None:
    """Have the browser remember what was chosen now beside what it remembers already."""
    choices = replace(FormDefaults.of(request), **{name: value for name, value in chosen.items() if value})
    response.set_cookie(COOKIE, urlencode(asdict(choices)), max_age=_SECONDS, httponly=True, samesite="lax")
