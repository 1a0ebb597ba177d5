"""Writes the folder: pages of both languages, what they load, and the script that keeps it all for later.

``index.html`` chooses the language; ``de`` and ``en`` hold the pages, ``assets/VERSION`` what they share. The folder is
whole or not there, and takes the place of an older one of ours alone.
"""

from __future__ import annotations

import gzip
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from spielleiter import __version__, games
from spielleiter.errors import WRITE, SettingsError, refusing
from spielleiter.game import AnyGame, Language, Text
from spielleiter.pages import questions
from spielleiter.pages.boards import game_colors
from spielleiter.pages.environment import STATIC, render
from spielleiter.pages.lessons import cover, overview_context, section_views
from spielleiter.pages.opponents import LADDER
from spielleiter.pages.puzzles import PuzzleStream, game_rows
from spielleiter.pages.questions import LessonQuestion
from spielleiter.players import BUILT_IN
from spielleiter.workshop import assets
from spielleiter.workshop.export.pages import PageFile, answered_page
from spielleiter.workshop.games import OPPONENTS
from spielleiter.workshop.page import SESSION, page_context

LANGUAGES: tuple[Language, ...] = get_args(Language)
MANIFEST = "export.json"
"""Names the files of a folder of ours, so that it can be replaced, and nothing else."""
_KIND = "spielleiter workshop"
_FRAME_POLICY = "default-src 'none'; script-src blob: 'wasm-unsafe-eval'; worker-src blob:"
"""Policy of the frame that opens workers: they inherit it, and so have no network at all."""
_SCRIPTS = (
    "answered", "board", "choice", "choose", "computer", "elements", "exported", "exported-server", "history",
    "learn", "live", "motion", "opponents", "picks", "pieces", "play", "progress", "puzzles", "replay", "shapes",
    "snapshots", "sounds", "squares", "table", "tiles", "workshop", "workshop-ask", "workshop-board",
    "workshop-code", "workshop-editor", "workshop-files", "workshop-page", "workshop-python", "workshop-thought",
    "workshop-worker",
)  # fmt: skip
_STYLES = ("style.css", "workshop.css", "icon.svg")

Progress = Callable[[int, int], None]
"""Called with how many pages of how many are written."""


def export_workshop(target: Path, *, on_progress: Progress = lambda done, total: None) -> None:
    """Write the folder. Raises ``SettingsError``; then ``target`` is as it was."""
    found = assets.load()
    if found is None:
        raise SettingsError(
            "Es fehlt Python für den Browser: pip install 'spielleiter[workshop]', oder im Quelltext make workshop",
            "Python for the browser is missing: pip install 'spielleiter[workshop]', or in a checkout make workshop",
        )
    with _replaced_folder(target) as folder:
        _Site(folder, found).write(on_progress)


@contextmanager
def _replaced_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name only when it is complete, in the place of an older export."""
    path = path.absolute()
    draft, old = (path.with_name(f".{path.name}.{suffix}") for suffix in ("part", "old"))
    with refusing(SettingsError, path, WRITE):
        _check_replaceable(path)
        try:
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            yield draft
            _check_replaceable(path)
            shutil.rmtree(old, ignore_errors=True)
            if path.is_dir():
                path.rename(old)
            draft.rename(path)
        finally:
            if old.is_dir() and not path.exists():
                old.rename(path)
            shutil.rmtree(draft, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def _check_replaceable(path: Path) -> None:
    """Raises ``SettingsError`` where something is that we have not written."""
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    try:
        manifest = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        known = set(manifest["files"]) if manifest["kind"] == _KIND else set[str]()
    except (OSError, ValueError, KeyError, TypeError):
        known = set()
    if not known:
        raise SettingsError(
            f"{path}: Hier ist schon etwas anderes als ein Export der Werkstatt; nenne einen neuen Ordner",
            f"{path}: not empty, and not an export of the workshop; name a new folder",
        )
    strange = next((name for name in _files_in(path) if name not in known and name != MANIFEST), None)
    if strange is not None:
        raise SettingsError(
            f"{path}: {strange} gehört nicht zu diesem Export; verschiebe es oder nenne einen neuen Ordner",
            f"{path}: {strange} is not part of this export; move it away, or name a new folder",
        )


def _files_in(folder: Path) -> list[str]:
    """All files of a folder, as addresses seen from there."""
    found = [Path(root) / name for root, _, names in os.walk(folder) for name in names]
    return sorted(path.relative_to(folder).as_posix() for path in found)


class _Site:
    """Writes everything into a folder that is there."""

    def __init__(self, folder: Path, found: assets.Assets) -> None:
        self._folder, self._found = folder, found
        self._shared = self._shared_files()
        digest = sha256(__version__.encode())
        for name, data in sorted(self._shared.items()):
            digest.update(name.encode() + b"\0" + data)
        self._version = digest.hexdigest()[:12]
        self._assets = f"../assets/{self._version}/"
        with_puzzles = [game for game, _ in game_rows()]
        self._games = list({game.key: game for game in (*games.seasons(), *with_puzzles)}.values())
        self._nonce = secrets.token_urlsafe(12)
        self._has_engine = assets.ENGINE in found.files

    def write(self, on_progress: Progress) -> None:
        """All of it."""
        shared = self._folder / "assets" / self._version
        shared.mkdir(parents=True)
        for name, data in self._shared.items():
            (shared / name).write_bytes(data)
        for language in LANGUAGES:
            (self._folder / language).mkdir()
        pages = [(make, language) for language in LANGUAGES for make in self._pages(language)]
        for done, (make, language) in enumerate(pages, 1):
            name, html = make()
            (self._folder / language / name).write_text(html, encoding="utf-8", newline="")
            on_progress(done, len(pages))
        start = render(
            "choose.html", "de", name="Spielleiter", assets=self._assets.removeprefix("../"), policy=PageFile("").policy
        )
        (self._folder / "index.html").write_text(start, encoding="utf-8", newline="")
        self._write_offline()
        manifest = {"kind": _KIND, "version": __version__, "files": _files_in(self._folder)}
        (self._folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")

    # --- what pages load ----------------------------------------------------------------------------------------------

    def _shared_files(self) -> dict[str, bytes]:
        files = {name: (STATIC / name).read_bytes() for name in (*_STYLES, *(f"{each}.js" for each in _SCRIPTS))}
        files["server.js"] = b'export * from "./exported-server.js";\n'
        files["boards.css"] = game_colors().encode()
        files["python.html"] = render("exported/python.html", "en", policy=_FRAME_POLICY).encode()
        for name, asset in self._found.files.items():
            if name in (assets.EDITOR, "LICENSES.txt"):
                files[name] = asset.plain
            elif name != assets.SOURCES:
                files[f"{name}.packed"] = asset.data if asset.is_gzipped else gzip.compress(asset.data, 9, mtime=0)
        files[f"{assets.SOURCES}.packed"] = gzip.compress(assets.pack_sources(pages=True), 1, mtime=0)
        return files

    def _write_offline(self) -> None:
        """The script that keeps all files, but those that nobody opens."""
        files = [name for name in _files_in(self._folder) if not name.endswith("LICENSES.txt")]
        digest = sha256(b"".join((self._folder / name).read_bytes() for name in files)).hexdigest()[:16]
        head = f"self.VERSION = {json.dumps(digest)};\nself.FILES = {json.dumps(files)};\n"
        source = (STATIC / "offline.js").read_text(encoding="utf-8")
        (self._folder / "offline.js").write_text(head + source, encoding="utf-8", newline="")

    # --- pages --------------------------------------------------------------------------------------------------------

    def _python_data(self, session: str) -> dict[str, Any]:
        return {
            "files": self._assets,
            "sources": assets.SOURCES,
            "worker": f"{self._assets}workshop-worker.js",
            "session": session,
            "engine": assets.ENGINE,
            "engineOpponents": [each.name for each in LADDER] if self._has_engine else [],
        }

    def _render(self, page: PageFile, template: str, language: Language, **context: Any) -> tuple[str, str]:
        python = self._python_data("spielleiter.workshop.export.answers")
        html = page.render(template, language, asset=lambda name: self._assets + name, python=python, **context)
        return page.name, html

    def _pages(self, language: Language) -> Iterator[Callable[[], tuple[str, str]]]:
        """Each page of a language, to be made."""
        yield lambda: self._start_page(language)
        yield lambda: self._lessons_page(language)
        yield lambda: self._puzzles_page(language)
        for kind, base, title in (
            ("puzzle", "/puzzles", Text("Rätsel", "Puzzle")),
            ("table", "/table/computer", Text("Spielen", "Play")),
        ):
            yield lambda kind=kind, base=base, title=title: self._render(  # type: ignore[misc]
                answered_page(kind), "exported/answered.html", language, answers=base, title=title.to(language)
            )
        for game in self._games:
            yield lambda game=game: self._workshop_page(game, language)  # type: ignore[misc]
            if game.lesson is None:
                continue
            yield lambda game=game: self._lesson_page(game, language)  # type: ignore[misc]
            for number in range(1, len(game.lesson().questions) + 1):
                for fields in ({}, {"solution": "1"}):
                    yield lambda game=game, number=number, fields=fields: self._question_page(  # type: ignore[misc]
                        game, number, fields, language
                    )

    def _start_page(self, language: Language) -> tuple[str, str]:
        known = games.seasons()
        return self._render(
            PageFile("index.html", "play"),
            "exported/start.html",
            language,
            games=known,
            current=games.CURRENT_SEASON,
            ladder=list(LADDER) if self._has_engine else [],
            opponents=[BUILT_IN[name] for name in OPPONENTS],
            previews={game.key: cover(game.key) for game in known},
        )

    def _lessons_page(self, language: Language) -> tuple[str, str]:
        return self._render(
            PageFile("learn.html", "learn"),
            "learn/overview.html",
            language,
            **overview_context(),
        )

    def _lesson_page(self, game: AnyGame, language: Language) -> tuple[str, str]:
        return self._render(
            PageFile(f"learn-{game.key}.html", "learn"),
            "learn/lesson.html",
            language,
            game=game,
            sections=section_views(game.key, language),
            other=None,
        )

    def _question_page(self, game: AnyGame, number: int, fields: dict[str, str], language: Language) -> tuple[str, str]:
        asked = LessonQuestion.find(game, number)
        assert asked is not None
        name = f"learn-{game.key}-{number}{'-solution' if fields else ''}.html"
        return self._render(
            PageFile(name, "learn", runs_python=True),
            "learn/question.html",
            language,
            first_level=None,
            **questions.page_context(asked, fields, language, None),
        )

    def _puzzles_page(self, language: Language) -> tuple[str, str]:
        return self._render(
            PageFile("puzzles.html", "puzzles"),
            "puzzles/index.html",
            language,
            daily=None,
            daily_address="/puzzles/daily",
            data={"day": None},
            everything=PuzzleStream(),
            rows=game_rows(),
        )

    def _workshop_page(self, game: AnyGame, language: Language) -> tuple[str, str]:
        return self._render(
            PageFile(f"workshop-{game.key}.html", "workshop", runs_python=True, nonce=self._nonce),
            "workshop/workshop.html",
            language,
            is_installed=True,
            nonce=self._nonce,
            hand_in_url="",
            **page_context(game, language, self._python_data(SESSION), has_engine=self._has_engine),
        )
