"""The folder of a player in Python that uses this package: what ``spielleiter new`` makes, and the workshop."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from string import Template

from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.programs.package import start_script
from spielleiter.programs.sandbox import PYTHON
from spielleiter.programs.start_script import START_SCRIPT
from spielleiter.text import Language, Text, shell_word

_TEMPLATES = files("spielleiter.programs") / "template"
_START_ON_WINDOWS = """\
@echo off
rem {comment}
cd /d "%~dp0"
python player.py %*
"""
_COMMENT = Text(
    "Startet den Spieler unter Windows; der Wettbewerb nimmt start.sh.",
    "Starts the player on Windows; the contest uses start.sh.",
)


def kit_files(
    name: str,
    game: AnyGame,
    language: Language,
    code: str | None = None,
    positions: Sequence[tuple[str, str]] = (),
) -> dict[str, bytes]:
    """The files of the folder ``name``, explained in a language; ``start.sh`` has to be executable.

    With ``code`` that is the player, and its tests are ``positions`` with the move that it is to play there.
    """
    values = {
        "name": name,
        "word": shell_word(name),
        "serve": _before_comment(f"spielleiter serve --game {game.key}"),
        "pack": _before_comment(f"spielleiter pack . -o {shell_word(f'{name}.zip')}"),
        "key": game.key,
        "package": games.package_of(game),
        "title_de": game.title.de,
        "title_en": game.title.en,
        "scores_de": ", ".join(part.text.de for part in game.scores),
        "scores_en": ", ".join(part.text.en for part in game.scores),
        "official_de": "",
        "official_en": "",
        "positions": "".join(f"    ({position!r}, {move!r}),\n" for position, move in positions),
    }
    if (which := which_rules(game)) is not None:
        values |= {"official_de": f"\n{which.de}\n", "official_en": f"\n{which.en}\n"}

    def filled(file: str) -> bytes:
        template = _TEMPLATES.joinpath(language, f"{file}.txt").read_text(encoding="utf-8")
        return Template(template).substitute(values).encode()

    made = {"README.md": filled("README.md"), START_SCRIPT: start_script(PYTHON, "player.py").encode()}
    if code is None:
        made |= {"player.py": filled("player.py"), "test_player.py": filled("test_player.py")}
    else:
        made |= {"player.py": code.encode(), "test_player.py": filled("test_positions.py")}
    windows = _START_ON_WINDOWS.format(comment=_COMMENT.to(language))
    return made | {"start.bat": windows.replace("\n", "\r\n").encode("ascii")}


def _before_comment(command: str) -> str:
    """A line of the README up to where all its comments begin, if it is not longer."""
    return f"{command:40}  "


def which_rules(game: AnyGame) -> Text | None:
    """When to play by the rules of the season's server, if it has rules of its own."""
    official = f"{game.key}-official"
    if game.official or official not in games.all_games():
        return None
    return Text(
        f"{game.key} sind die Regeln des Regeldokuments. Der Server des echten Wettbewerbs kann davon abweichen: "
        f"Vor dem Hochladen übe mit --game {official} (mehr: spielleiter docs faq).",
        f"{game.key} is the rule document's game. The server of the real contest may differ from it: "
        f"before the upload, practise with --game {official} (more: spielleiter docs faq).",
    )
