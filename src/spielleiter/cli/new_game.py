"""``spielleiter new-game``: a small game that keeps all laws, as the beginning of another one."""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from spielleiter import games
from spielleiter.cli.terminal import language, say, t
from spielleiter.errors import WRITE, SettingsError, refusing
from spielleiter.text import Text

_TEMPLATE = files("spielleiter.cli") / "template" / "game"
_FAMILY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class NewGame:
    """What the template has to know of the game that is made from it."""

    family: str
    """``my-game``."""
    year: int
    title: str
    inside: str = ""
    """The package around it, with its dot: empty for a package of its own."""

    @property
    def name(self) -> str:
        """The Python identifier: ``my_game``."""
        return self.family.replace("-", "_")

    @property
    def key(self) -> str:
        return f"{self.family}-{self.year}"

    def write_package(self, folder: Path) -> None:
        """The folder of the game, with its rules and everything around them."""
        self._write(_TEMPLATE / "package", folder)

    def write_project(self, folder: Path) -> None:
        """A package of its own around that folder, by whose entry point the game is found."""
        self.write_package(folder / self.name)
        self._write(_TEMPLATE / "project", folder)
        self.write_test(folder / "tests" / f"test_{self.name}.py")

    def write_test(self, path: Path) -> None:
        """The test of its rules and laws."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._write_file(_TEMPLATE / "test.py.txt", path)

    def _write(self, template: Traversable, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for file in template.iterdir():
            name = file.name.removesuffix(".txt")
            base, *translated = name.split(".", 1)
            if translated and translated[0] in ("de.md", "en.md"):
                if translated[0] != f"{language()}.md":
                    continue
                name = f"{base}.md"
            self._write_file(file, folder / name)

    def _write_file(self, template: Traversable, path: Path) -> None:
        words = {
            "class": "".join(word.capitalize() for word in self.family.split("-")),
            "family": self.family,
            "key": self.key,
            "name": self.name,
            "package": f"{self.inside}{self.name}",
            "title": self.title,
            "wire_name": f"swc_{self.year}_{self.name}",
            "year": str(self.year),
        }
        text = Template(template.read_text(encoding="utf-8")).substitute(words)
        path.write_text(text, encoding="utf-8", newline="\n")


def new_game(
    name: Annotated[Path, typer.Argument(help=t(
        "Der Name des Spiels, etwa mein-spiel; mit einem Pfad davor, wohin es kommt.",
        "The name of the game, as my-game; with a path before it, where to put it."))],
    year: Annotated[int | None, typer.Option(min=2000, max=2999, help=t(
        "Die Saison, genannt nach dem Jahr ihres Finales; Standard: die nächste.",
        "The season, named by the year of its final; default: the next one."))] = None,
    title: Annotated[str, typer.Option(help=t(
        "Wie Menschen es nennen; Standard: nach dem Namen.",
        "What people call it; default: from the name."))] = "",
    checkout: Annotated[Path | None, typer.Option(file_okay=False, help=t(
        "Statt eines eigenen Pakets: in diese Arbeitskopie von Spielleiter, als Spiel einer Saison.",
        "Instead of a package of its own: into this clone of spielleiter, as the game of a season."))] = None,
) -> None:  # fmt: skip
    family = name.name.replace("_", "-")
    season = year or games.load(games.CURRENT_SEASON).year + 1
    shown = " ".join(title.split()) or family.replace("-", " ").title()
    _check_name(family, shown)
    if checkout is None:
        game = NewGame(family, season, shown)
        folder = name.with_name(family)
        _check_free(folder)
        _check_importable(game.name)
        with refusing(SettingsError, folder, WRITE):
            game.write_project(folder)
        say(Text(
            f"{folder} ist ein Paket mit dem Spiel {game.key}. Weiter: pip install -e {folder} && pytest {folder} && "
            f"spielleiter play {game.key}",
            f"{folder} is a package with the game {game.key}. Next: pip install -e {folder} && pytest {folder} && "
            f"spielleiter play {game.key}",
        ))  # fmt: skip
        return
    game = NewGame(family, season, shown, inside="spielleiter.games.")
    folder = checkout / "src" / "spielleiter" / "games"
    tests = checkout / "tests" / "games"
    if not (folder.is_dir() and tests.is_dir()):
        raise SettingsError(
            f"{checkout} ist keine Arbeitskopie von Spielleiter: {folder} und {tests} fehlen.",
            f"{checkout} is not a clone of spielleiter: {folder} and {tests} are missing",
        )
    _check_free(folder / game.name)
    _check_free(tests / game.name)
    with refusing(SettingsError, folder, WRITE):
        game.write_package(folder / game.name)
        game.write_test(tests / game.name / "test_rules.py")
        (tests / game.name / "__init__.py").touch()
    say(Text(
        f"{folder / game.name} ist das Spiel {game.key}. Weiter, in {checkout}: make format && "
        f"pytest tests/games -k {game.key}; CONTRIBUTING.md hat die übrigen Schritte.",
        f"{folder / game.name} is the game {game.key}. Next, in {checkout}: make format && "
        f"pytest tests/games -k {game.key}; CONTRIBUTING.md has the other steps.",
    ))  # fmt: skip


def _check_name(family: str, title: str) -> None:
    """Raise ``SettingsError`` for a name that cannot be that of a game, or is one already."""
    if not _FAMILY.fullmatch(family):
        raise SettingsError(
            f"{family!r}: Ein Spiel heißt mit Kleinbuchstaben, Ziffern und Bindestrichen, etwa mein-spiel.",
            f"{family!r}: the name of a game is small letters, digits and single hyphens, as my-game",
        )
    if any(game.family == family for game in games.all_games().values()):
        raise SettingsError(
            f"{family} gibt es schon; eine weitere Saison davon gehört in seinen Ordner.",
            f"there is a game {family} already; another season of it belongs into its folder",
        )
    if set(title) & set('"\\$'):
        raise SettingsError(
            "Der Titel darf keine Anführungszeichen, \\ oder $ enthalten.",
            "the title must not contain quotation marks, \\ or $",
        )


def _check_importable(name: str) -> None:
    """Raise ``SettingsError`` if Python has something else of that name."""
    found = find_spec(name)
    # A folder of that name in the working directory would also be found: it has no origin.
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or (found is not None and found.origin is not None):
        raise SettingsError(
            f"Ein Python-Paket {name} gibt es schon; wähle einen anderen Namen.",
            f"there is a Python package {name} already; choose another name",
        )


def _check_free(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SettingsError(
            f"{folder} gibt es schon; wähle einen anderen Namen.", f"{folder} is already there; choose another name"
        )
