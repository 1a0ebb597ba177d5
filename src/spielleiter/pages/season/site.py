"""Writes the site of a season that opens from a folder, without a server and without a network.

``index.html`` chooses the language; ``de`` and ``en`` hold the pages, ``assets`` what they share: style, script, and
the games in volumes. All names of files are made of kinds and numbers, never of what a person typed.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spielleiter.contest.read.reader import SeasonReader, unpack
from spielleiter.contest.season.snapshot import SeasonGame, SeasonSnapshot
from spielleiter.errors import WRITE, ContestError, refusing
from spielleiter.game import Language
from spielleiter.pages import charts
from spielleiter.pages.boards import game_colors
from spielleiter.pages.environment import STATIC, render
from spielleiter.pages.replays import GAMES_IN_VOLUME, pack, read_or_last
from spielleiter.pages.scripts import bundle
from spielleiter.pages.season import feeds, views
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.records.history import History
from spielleiter.records.reader import parse_record

LANGUAGES: tuple[Language, ...] = ("de", "en")
_ASSETS = ("style.css", "choose.js", "icon.svg")

Progress = Callable[[int, int], None]
"""Called with how many games of how many are drawn."""


class FileLinks:
    """Links between files in one folder for each language."""

    layout = "site.html"
    login = ""
    calendar = "calendar.ics"

    def page(self, kind: str, id_: object = None) -> str:
        """The file of a page, beside all others of its language."""
        return f"{kind}.html" if id_ is None else f"{kind}-{id_}.html"

    def asset(self, name: str) -> str:
        """A file that both languages share."""
        return f"../assets/{name}"

    def other_language(self, language: Language, kind: str, id_: object = None) -> str:
        """The same page in the other folder."""
        return f"../{language}/{self.page(kind, id_)}"


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name only when it is complete. Raises ``ContestError`` if something is there."""
    path = path.absolute()
    draft = path.with_name(f".{path.name}.part")
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise ContestError(
            f"{path}: Hier ist schon etwas; nenne einen neuen Ordner", f"{path}: not empty; name a new folder"
        )
    try:
        with refusing(ContestError, path, WRITE):
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            yield draft
            if path.is_dir():
                path.rmdir()
            draft.rename(path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def fill_site(
    reader: SeasonReader, snapshot: SeasonSnapshot, folder: Path, *, on_progress: Progress = lambda done, total: None
) -> None:
    """Write the site of a snapshot, and the games that the reader finds, into a folder that is there."""
    links = FileLinks()
    assets = folder / "assets"
    (assets / "games").mkdir(parents=True)
    for name in _ASSETS:
        shutil.copyfile(STATIC / name, assets / name)
    (assets / "boards.css").write_text(game_colors(), encoding="utf-8")
    (assets / "game.js").write_text(bundle("exported-game.js"), encoding="utf-8")
    index = render("choose.html", "de", name=snapshot.season.name, assets="assets/", policy="")
    (folder / "index.html").write_text(index, encoding="utf-8")
    writers = [_Writer(snapshot, links, language, folder / language) for language in LANGUAGES]
    pages = Pages(snapshot)
    for kind, id_ in pages:
        context = pages.context(kind, id_)
        for writer in writers:
            writer.write(kind, id_, **context)
    games = reader.games()
    by_encounter: dict[int, list[SeasonGame]] = {}
    for game in games:
        by_encounter.setdefault(game.encounter, []).append(game)
    for encounter in snapshot.encounters:
        context = pages.encounter(encounter.id, tuple(by_encounter.get(encounter.id, ())))
        for writer in writers:
            writer.write("encounter", encounter.id, **context)
    with _rare_garbage_collection():
        recorded = [game for game in games if game.has_record]
        _write_games(reader, snapshot, recorded, writers, assets / "games", on_progress)


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Looks for cycles rarely: templates and caches stay, and volumes have none."""
    # The search took up to a fifth of the time of an export.
    youngest, *older = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, *older)
    try:
        yield
    finally:
        gc.set_threshold(youngest, *older)
        gc.unfreeze()


class _Writer:
    """Writes pages of one language."""

    def __init__(self, snapshot: SeasonSnapshot, links: FileLinks, language: Language, folder: Path) -> None:
        self.language: Language = language
        self._renderer = SeasonRenderer(snapshot, links, language)
        self._links = links
        self._folder = folder
        folder.mkdir()
        (folder / links.calendar).write_bytes(feeds.calendar(snapshot, "", language))

    def write(self, kind: str, id_: object = None, **context: Any) -> None:
        """Write one page."""
        path = self._folder / self._links.page(kind, id_)
        path.write_text(self._renderer.page(kind, id_, **context), encoding="utf-8")


def _write_games(
    reader: SeasonReader,
    snapshot: SeasonSnapshot,
    games: Sequence[SeasonGame],
    writers: Sequence[_Writer],
    folder: Path,
    on_progress: Progress,
) -> None:
    """Write the games in volumes, and a page for each in each language."""
    siblings: dict[int, list[SeasonGame]] = {}
    for game in games:
        siblings.setdefault(game.encounter, []).append(game)
    done = 0
    for volume, start in enumerate(range(0, len(games), GAMES_IN_VOLUME)):
        some = games[start : start + GAMES_IN_VOLUME]
        replays = read_replays(reader, snapshot, some)
        data = pack(replays.items(), snapshot.game)
        script = f'document.dispatchEvent(new CustomEvent("volume", {{ detail: "{data}" }}));\n'
        (folder / f"{volume}.js").write_text(script, encoding="ascii")
        for game in some:
            replay = replays[game.id]
            context = game_context(snapshot, game, replay, siblings[game.encounter])
            times = [(move.team, move.seconds) for move in replay.moves]
            for writer in writers:
                bars = charts.time_bars(times, replay.seconds_per_move, writer.language)
                writer.write("game", game.id, volume=volume, bars=bars, **context)
            done += 1
            on_progress(done, len(games))


def read_replays(reader: SeasonReader, snapshot: SeasonSnapshot, games: Sequence[SeasonGame]) -> dict[int, History]:
    """The games out of their records, by their ids."""
    records = reader.records([game.id for game in games])
    return {game.id: _read_replay(records[game.id], game, snapshot) for game in games}


def _read_replay(data: bytes, game: SeasonGame, snapshot: SeasonSnapshot) -> History:
    # A damaged record must not cost the site; ``contest verify`` reports it.
    name = game.name(snapshot.by_id[game.encounter])
    return read_or_last(lambda: parse_record(unpack(data), name), snapshot.game, game.final)


def game_context(
    snapshot: SeasonSnapshot, game: SeasonGame, replay: History, siblings: Sequence[SeasonGame]
) -> dict[str, Any]:
    """What the page of a game shows in every language."""
    encounter = snapshot.by_id[game.encounter]
    place = siblings.index(game)
    return {
        "played": game,
        "page": views.encounter_of(snapshot, encounter, ()),
        "names": [encounter.teams[side].name for side in (game.one, 1 - game.one)],
        "moves": [{"ply": ply, "text": move.text, "seconds": move.seconds} for ply, move in enumerate(replay.moves, 1)],
        "plain": {language: snapshot.game.draw_text(replay.states[-1], False, language) for language in LANGUAGES},
        "neighbours": (
            siblings[place - 1] if place else None,
            siblings[place + 1] if place + 1 < len(siblings) else None,
        ),
    }
