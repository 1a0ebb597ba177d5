"""The templates and files of all pages: one environment for the live pages, the exported site and the match report.

Names, schools, reasons and news come from other people: templates escape everything, and addresses are made of ids.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from spielleiter import __version__
from spielleiter.game import Language, Text
from spielleiter.pages import formatting
from spielleiter.pages.boards import game_colors, input_kind
from spielleiter.pages.markdown import markdown
from spielleiter.rating.formatting import duration
from spielleiter.text import upper_first

HERE = Path(__file__).parent
STATIC = HERE / "static"
"""Style sheet, scripts and icon."""

_REFRESH = Markup('<noscript><meta http-equiv="refresh" content="5"></noscript>')
"""For pages that change: where scripts are off, they load themselves again."""

_environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,  # Else each part of each page asks the disk whether its template has changed.
)
_environment.policies["json.dumps_kwargs"] = {"sort_keys": False}  # Things to pick keep the order of their game.
_environment.filters["upper_first"] = upper_first
_environment.filters["markdown"] = markdown
_environment.filters["breakable"] = formatting.breakable
_environment.globals.update(version=__version__, input_kind=input_kind, refresh=lambda: _REFRESH)


def render(name: str, language: Language, /, **context: Any) -> str:
    """The template ``name``, a page or a part of one, in one language."""
    return _environment.get_template(name).render(_words(language), **context)


@cache
def _words(language: Language) -> dict[str, Any]:
    """What every template needs to speak a language."""

    def either(de: str, en: str) -> str:
        return de if language == "de" else en

    def word(text: Text) -> str:
        return text.to(language)

    def counted(count: int, eines: str, mehrere: str, one: str, several: str) -> str:
        return f"{count} {either(eines, one) if count == 1 else either(mehrere, several)}"

    def number(value: float, digits: int = 0, *, signed: bool = False) -> str:
        return formatting.number(value, language, digits, signed=signed)

    return {
        "_": either,
        "word": word,
        "number": number,
        "counted": counted,
        "short": lambda value: formatting.short_number(value, language),
        "countdown": lambda seconds: formatting.countdown(seconds, language),
        "duration": duration,
        "when": lambda moment: formatting.moment(moment, language),
        "lang": language,
    }


@cache
def static_version() -> str:
    """A name for the present contents of all static files: part of their addresses, so that browsers may cache them."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    return sha256(b"".join(path.read_bytes() for path in files) + game_colors().encode()).hexdigest()[:12]
