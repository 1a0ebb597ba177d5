"""Writes the site of a season that opens from a folder, without a server and without a network.

``index.html`` chooses the language; ``de`` and ``en`` hold the pages, ``assets`` what they share: style, script, and
the games in volumes. All names of files are made of kinds and numbers, never of what somebody typed.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.run.contest import Contest
from spielleiter.contest.store import GameFilesRow
from spielleiter.errors import ContestError
from spielleiter.game import TEAMS, Language
from spielleiter.pages.environment import STATIC, render
from spielleiter.pages.season import charts, views
from spielleiter.pages.season.page_index import Pages
from spielleiter.pages.season.reader import read_games, read_snapshot
from spielleiter.pages.season.renderer import SeasonRenderer
from spielleiter.pages.season.replays import GAMES_IN_VOLUME, MoveView, Replay, pack, read_replay
from spielleiter.pages.season.snapshot import GameView, SeasonSnapshot

LANGUAGES: tuple[Language, ...] = ("de", "en")
_ASSETS = ("site.css", "season.css", "packed-replay.js", "choose.js", "icon.svg")

Tell = Callable[[int, int], None]
"""Hears how many games of how many are drawn."""


class FileLinks:
    """Links between files in one folder for each language."""

    layout = "site.html"
    script = ""
    login = ""

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
        raise ContestError(f"{path}: there is something already; name a new folder")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        yield draft
        if path.is_dir():
            path.rmdir()
        draft.rename(path)
    except OSError as problem:
        raise ContestError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_site(contest: Contest, folder: Path, *, tell: Tell = lambda done, total: None) -> None:
    """Write the whole site into a new folder. Raises ``ContestError`` or ``StoreError``."""
    with new_folder(folder) as draft, contest.store.reading() as session:
        fill_site(session, read_snapshot(session, contest.season), draft, tell=tell)


def fill_site(
    session: Session, snapshot: SeasonSnapshot, folder: Path, *, tell: Tell = lambda done, total: None
) -> None:
    """Write the site of a chronicle, and the games that the session finds, into a folder that is there."""
    links = FileLinks()
    assets = folder / "assets"
    (assets / "games").mkdir(parents=True)
    for name in _ASSETS:
        shutil.copyfile(STATIC / name, assets / name)
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
    _write_games(session, snapshot, [game for game in games if game.has_record], writers, assets / "games", tell)


class _Writer:
    """Writes pages of one language."""

    def __init__(self, snapshot: SeasonSnapshot, links: FileLinks, language: Language, folder: Path) -> None:
        self.language: Language = language
        self._renderer = SeasonRenderer(snapshot, links, language)
        self._links = links
        self._folder = folder
        folder.mkdir()

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
    tell: Tell,
) -> None:
    """Write the games in volumes, and a page for each in each language."""
    of_encounter: dict[int, list[GameView]] = {}
    for told in games:
        of_encounter.setdefault(told.encounter, []).append(told)
    for volume, start in enumerate(range(0, len(games), GAMES_IN_VOLUME)):
        some = games[start : start + GAMES_IN_VOLUME]
        replays = read_replays(session, snapshot, some)
        data = pack(((told.id, replays[told.id]) for told in some), snapshot.game.draw)
        (folder / f"{volume}.js").write_text(f'volume("{data}");\n', encoding="ascii")
        for told in some:
            context = game_context(snapshot, told, replays[told.id], of_encounter[told.encounter])
            for writer in writers:
                writer.write(
                    "game",
                    told.id,
                    volume=volume,
                    moves_html=moves_html(replays[told.id].moves, writer.language),
                    bars=charts.times(
                        [(move.team, move.seconds) for move in replays[told.id].moves],
                        replays[told.id].limit,
                        writer.language,
                    ),
                    **context,
                )
        tell(min(start + GAMES_IN_VOLUME, len(games)), len(games))


def read_replays(session: Session, snapshot: SeasonSnapshot, games: Sequence[GameView]) -> dict[int, Replay]:
    """The games out of their records, by their ids."""
    wanted = select(GameFilesRow.game_id, GameFilesRow.record).where(
        GameFilesRow.game_id.in_([told.id for told in games])
    )
    records = dict(session.execute(wanted).all())
    return {
        told.id: read_replay(records[told.id], told.final, snapshot.game, told.name(snapshot.by_id[told.encounter]))
        for told in games
    }


def game_context(
    snapshot: SeasonSnapshot, told: GameView, replay: Replay, siblings: Sequence[GameView]
) -> dict[str, Any]:
    """What the page of a game shows in every language."""
    encounter = snapshot.by_id[told.encounter]
    place = siblings.index(told)
    names = [encounter.teams[side].name for side in (told.one, 1 - told.one)]
    return {
        "told": told,
        "page": views.encounter_of(snapshot, encounter, ()),
        "names": names,
        "moves": replay.moves,
        "limit": replay.limit,
        "plain": snapshot.game.draw_text(replay.states[-1], False),
        "neighbours": (
            siblings[place - 1] if place else None,
            siblings[place + 1] if place + 1 < len(siblings) else None,
        ),
    }


def moves_html(moves: Sequence[MoveView], language: Language) -> Markup:
    """The list of moves, which would take a template long: one line each, with its time where somebody measured."""
    lines = []
    for move in moves:
        took = "" if move.seconds is None else f"<i>{move.seconds:.2f}</i>"
        took = took.replace(".", ",") if language == "de" else took
        lines.append(f'<li class="{("one", "two")[TEAMS.index(move.team)]}"><b>{escape(move.text)}</b>{took}</li>')
    return Markup("".join(lines))  # noqa: S704 - the notation is escaped
