"""Writes the site of a season that opens from a folder, without a server and without a network.

``index.html`` chooses the language; ``de`` and ``en`` hold the pages, ``assets`` what they share: style, script, and
the games in volumes. All names of files are made of kinds and numbers, never of what somebody typed.
"""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import GameFilesRow
from spielleiter.errors import ContestError, SpielleiterError
from spielleiter.game import Language
from spielleiter.pages import charts
from spielleiter.pages.boards import dark_colors
from spielleiter.pages.environment import STATIC, render
from spielleiter.pages.replays import GAMES_IN_VOLUME, Replay, pack
from spielleiter.pages.season import feeds, views
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.pages.season.snapshot import GameView, SeasonSnapshot
from spielleiter.records.reader import parse_record
from spielleiter.text import system_error

LANGUAGES: tuple[Language, ...] = ("de", "en")
_ASSETS = ("style.css", "motion.js", "replay.js", "packed-replay.js", "choose.js", "icon.svg")

Progress = Callable[[int, int], None]
"""Called with how many games of how many are drawn."""


class FileLinks:
    """Links between files in one folder for each language."""

    layout = "site.html"
    script = ""
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
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        yield draft
        if path.is_dir():
            path.rmdir()
        draft.rename(path)
    except OSError as problem:
        raise cannot_write(path, problem) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def cannot_write(path: Path, problem: OSError) -> ContestError:
    """The refusal for a file or folder that cannot be written."""
    why = system_error(problem)
    return ContestError(f"{path} lässt sich nicht schreiben: {why.de}", f"{path} cannot be written: {why.en}")


def write_site(contest: Contest, folder: Path, *, on_progress: Progress = lambda done, total: None) -> None:
    """Write the whole site into a new folder. Raises ``ContestError`` or ``StoreError``."""
    with new_folder(folder) as draft, contest.store.reading() as session:
        fill_site(session, read_snapshot(session, contest.season), draft, on_progress=on_progress)


def fill_site(
    session: Session, snapshot: SeasonSnapshot, folder: Path, *, on_progress: Progress = lambda done, total: None
) -> None:
    """Write the site of a snapshot, and the games that the session finds, into a folder that is there."""
    links = FileLinks()
    assets = folder / "assets"
    (assets / "games").mkdir(parents=True)
    for name in _ASSETS:
        shutil.copyfile(STATIC / name, assets / name)
    (assets / "boards.css").write_text(dark_colors(), encoding="utf-8")
    index = render("season/choose.html", "de", season=snapshot.season)
    (folder / "index.html").write_text(index, encoding="utf-8")
    writers = [_Writer(snapshot, links, language, folder / language) for language in LANGUAGES]
    pages = Pages(snapshot)
    for kind, id_ in pages:
        context = pages.context(kind, id_)
        for writer in writers:
            writer.write(kind, id_, **context)
    games = read_games(session)
    by_encounter: dict[int, list[GameView]] = {}
    for game in games:
        by_encounter.setdefault(game.encounter, []).append(game)
    for encounter in snapshot.encounters:
        context = pages.encounter(encounter.id, tuple(by_encounter.get(encounter.id, ())))
        for writer in writers:
            writer.write("encounter", encounter.id, **context)
    _write_games(session, snapshot, [game for game in games if game.has_record], writers, assets / "games", on_progress)


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
    session: Session,
    snapshot: SeasonSnapshot,
    games: Sequence[GameView],
    writers: Sequence[_Writer],
    folder: Path,
    on_progress: Progress,
) -> None:
    """Write the games in volumes, and a page for each in each language."""
    siblings: dict[int, list[GameView]] = {}
    for game in games:
        siblings.setdefault(game.encounter, []).append(game)
    for volume, start in enumerate(range(0, len(games), GAMES_IN_VOLUME)):
        some = games[start : start + GAMES_IN_VOLUME]
        replays = read_replays(session, snapshot, some)
        data = pack(replays.items(), snapshot.game)
        (folder / f"{volume}.js").write_text(f'showGame("{data}");\n', encoding="ascii")
        for game in some:
            replay = replays[game.id]
            context = game_context(snapshot, game, replay, siblings[game.encounter])
            times = [(move.team, move.seconds) for move in replay.moves]
            for writer in writers:
                bars = charts.time_bars(times, replay.limit, writer.language)
                writer.write("game", game.id, volume=volume, bars=bars, **context)
        on_progress(min(start + GAMES_IN_VOLUME, len(games)), len(games))


def read_replays(session: Session, snapshot: SeasonSnapshot, games: Sequence[GameView]) -> dict[int, Replay]:
    """The games out of their records, by their ids."""
    wanted = select(GameFilesRow.game_id, GameFilesRow.record).where(
        GameFilesRow.game_id.in_([game.id for game in games])
    )
    records = dict(session.execute(wanted).all())
    return {game.id: _read_replay(records[game.id], game, snapshot) for game in games}


def _read_replay(data: bytes, game: GameView, snapshot: SeasonSnapshot) -> Replay:
    try:
        return Replay.of(parse_record(zlib.decompress(data), game.name(snapshot.by_id[game.encounter])))
    except (SpielleiterError, zlib.error):
        # A damaged record must not cost the site; ``contest verify`` reports it.
        return Replay.last_position(snapshot.game, game.final)


def game_context(
    snapshot: SeasonSnapshot, game: GameView, replay: Replay, siblings: Sequence[GameView]
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
