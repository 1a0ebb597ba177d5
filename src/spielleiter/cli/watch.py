"""``spielleiter watch``: after every save a few quick games of a player, and what the change was worth.

Each version is a program as in every match: the same launcher, sandbox, clock and referee. A save ends the games of the
version before, wherever they are. Nothing that a player does ends the command.
"""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Annotated, Protocol, Self

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text as RichText

from spielleiter import games
from spielleiter.cli.match.run import RunSettings, open_executor
from spielleiter.cli.match.view import duel_line
from spielleiter.cli.programs import Sandbox, SandboxOption, SecondsOption, named_game, print_failure, warn_if_weaker
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import complete_key, complete_player, console, language, say, t
from spielleiter.errors import ProgramError, RecordError, Refused, SettingsError
from spielleiter.feeds import Feed, FeedLine
from spielleiter.game import TEAMS, AnyGame, Team, Text
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.matches.executor import Executor
from spielleiter.matches.match import Match
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import MatchPlan, claim_folder
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import Summary, summarise
from spielleiter.pages.notes import summary
from spielleiter.pages.words import side
from spielleiter.programs.entrants import Entrant, resolve
from spielleiter.programs.sandbox import files_in
from spielleiter.programs.temporary import kept_folder
from spielleiter.rating.formatting import number
from spielleiter.records.history import Ply, RecordedNotes
from spielleiter.records.reader import RecordReader
from spielleiter.text import shell_word

_POLL_SECONDS = 0.05
_POLL_SHARE = 0.1
"""The share of the time in which a folder with many files may be looked at."""
_OPPONENT_GAMES = 2
_RANDOM_MOVES = 4
"""Before each game against the version before: two players without chance would play the same game again and again."""
_KEPT_VERSIONS = 10
"""Versions whose records and logs stay, to be looked at."""


def watch(
    player: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Dein Spieler: eine Python-Datei oder ein Ordner, wie „new“ ihn anlegt.",
        "Your player: a Python file, or a folder as 'new' makes it."))],
    opponent: Annotated[str, typer.Argument(autocompletion=complete_player, help=t(
        "Gegen wen er spielt, wie bei „match“.", "Whom it plays, as in 'match'."))] = "greedy",
    game: Annotated[str | None, typer.Option(autocompletion=complete_key, help=t(
        "Das Spiel; Standard: das, was der Spieler nennt, sonst das der laufenden Saison.",
        "The game; default: the one that the player names, else that of the current season."))] = None,
    number_: Annotated[int, typer.Option("--games", min=2, help=t(
        "Spiele gegen die vorige Version, eine gerade Zahl.",
        "Games against the version before, an even number."))] = 10,
    seconds: SecondsOption = None,
    delay: Annotated[float, typer.Option(min=0.0, max=60.0, help=t(
        "So viele Sekunden ist im Terminal jede Stellung mindestens zu sehen.",
        "Minimum time to show each position in a terminal, in seconds."))] = 0.1,
    sandbox: SandboxOption = Sandbox.AUTO,
) -> None:  # fmt: skip
    if not Path(player).exists():
        raise SettingsError(
            f"{player}: beobachtet werden Dateien und Ordner; lege einen Spieler an mit: spielleiter new "
            f"{shell_word(player)}",
            f"{player}: only files and folders can be watched; make a player by: spielleiter new {shell_word(player)}",
        )
    chosen = None if game is None else games.load(game)
    plan = _Watched(player, resolve(opponent), chosen, number_, seconds)
    if chosen is not None:
        warn_if_weaker((opponent,), chosen)
    view: _View = _Screen(delay) if console.is_terminal else _Lines()
    interrupt_on_every_signal()
    with suppress(KeyboardInterrupt):
        asyncio.run(_watch(plan, view, sandbox))
    say(Text("Beobachten beendet.", "Stopped watching."))


@dataclass(frozen=True, slots=True)
class _Watched:
    """What was asked for."""

    player: str
    opponent: Entrant
    game: AnyGame | None
    games: int
    seconds: float | None

    def read(self) -> tuple[Entrant, AnyGame]:
        """The player as it is saved now, and its game. Raises ``SpielleiterError``."""
        if not Path(self.player).exists():  # Its name alone might be that of a command.
            raise ProgramError(f"{self.player} ist nicht mehr da.", f"{self.player} is gone")
        entrant = resolve(self.player)
        game = self.game or named_game([entrant])
        entrant.check_game(game)
        self.opponent.check_game(game)
        # Its own options come last, and our kit knows this one; without --seconds nothing is said to other programs.
        limit = () if self.seconds is None else ("--limit", f"{self.seconds:g}")
        return replace(entrant, arguments=limit), game


# --- saves ------------------------------------------------------------------------------------------------------------


class _Saves:
    """Notices when a file of the player changes, appears or goes."""

    def __init__(self, player: str) -> None:
        self._player = Path(player)
        self._beside: tuple[Path, ...] = ()
        self._seen = self._stamps()

    def follow(self, entrant: Entrant) -> None:
        """Watch these files, too: what a Python file imports lies in the same folder."""
        if not self._player.is_dir() and entrant.files is not None:
            self._beside = tuple(self._player.parent / file.path for file in entrant.files)
            self._seen = self._stamps() | self._seen

    async def next(self) -> None:
        """Return after the next save, once nothing is written any more."""
        before = self._seen
        while True:
            began = time.monotonic()
            now = self._stamps()
            took = time.monotonic() - began
            if now == before != self._seen:
                self._seen = now
                return
            before = now
            await asyncio.sleep(max(_POLL_SECONDS, took / _POLL_SHARE))

    def _stamps(self) -> dict[Path, tuple[int, int]]:
        paths = [self._player, *self._beside]
        with suppress(OSError, ProgramError):
            if self._player.is_dir():
                inside = files_in(self._player)
                paths = [path for name, path in inside.items() if not any(p.startswith(".") for p in name.split("/"))]
        found = {}
        for path in paths:
            with suppress(OSError):
                about = path.stat()
                found[path] = (about.st_mtime_ns, about.st_size)
        return found


# --- versions ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Version:
    """The player as it was saved once."""

    number: int
    entrant: Entrant
    game: AnyGame
    plays: bool = False
    """Whether it has made a move, and no fault."""

    @property
    def as_opponent(self) -> Entrant:
        return replace(self.entrant, name=f"{self.entrant.name} v{self.number}")


class _Faulted(Exception):
    """The player has made a fault: the version is done."""


async def _watch(watched: _Watched, view: _View, sandbox: str) -> None:
    folder, saves = kept_folder("watch"), _Saves(watched.player)
    current: _Version | None = None
    before: _Version | None = None
    count, playing = 0, None
    executor = await open_executor([watched.opponent], RunSettings(sandbox=sandbox), in_process=False)
    async with executor:
        with view:
            while True:
                try:
                    entrant, game = watched.read()
                except Refused as problem:
                    await _stop(playing)
                    playing = None
                    view.note(problem.text, "bold red")
                else:
                    saves.follow(entrant)
                    if playing is None or current is None or entrant.digest != current.entrant.digest:
                        await _stop(playing)
                        if current is not None and current.plays and entrant.digest != current.entrant.digest:
                            before = current
                        count += 1
                        current = _Version(count, entrant, game)
                        view.begin(current)
                        playing = asyncio.create_task(_Round(watched, current, before, folder, executor, view).play())
                await _save_or_failure(saves, playing)


async def _save_or_failure(saves: _Saves, playing: asyncio.Task[None] | None) -> None:
    """Wait for the next save; if the games themselves fail, as on a full disk, that is raised."""
    saved = asyncio.create_task(saves.next())
    try:
        if playing is not None:
            await asyncio.wait({saved, playing}, return_when=asyncio.FIRST_COMPLETED)
            if playing.done():
                playing.result()
        await saved
    finally:
        saved.cancel()


async def _stop(playing: asyncio.Task[None] | None) -> None:
    if playing is not None:
        playing.cancel()
        await asyncio.wait({playing})


@dataclass(frozen=True, slots=True)
class _Round:
    """The games of one version: against the opponent, then against the version before."""

    watched: _Watched
    version: _Version
    before: _Version | None
    folder: Path
    executor: Executor
    view: _View

    async def play(self) -> None:
        place = self.folder / f"v{self.version.number}"
        shutil.rmtree(self.folder / f"v{self.version.number - _KEPT_VERSIONS}", ignore_errors=True)
        with suppress(_Faulted):
            first = Openings(seed=0)
            await self._match(self.watched.opponent, _OPPONENT_GAMES, first, place / "opponent", self._show_moves())
            if self.before is not None and self.before.game is self.version.game:
                openings = Openings(seed=self.version.number, random_moves=_RANDOM_MOVES)
                await self._match(self.before.as_opponent, self.watched.games, openings, place / "before", None)

    async def _match(self, other: Entrant, games_: int, openings: Openings, folder: Path, feed: Feed | None) -> None:
        own = self.version.entrant
        other = replace(other, name=f"{other.name} (2)") if other.name == own.name else other
        plan = MatchPlan(
            game=self.version.game.key,
            entrants=(own, other),
            games=games_,
            openings=openings,
            seconds=self.watched.seconds,
        )
        claim_folder(folder, plan, resume=False)

        def take(row: MatchGame) -> None:
            if (failed := next((side for side in row.sides if side.name == own.name), None)) and failed.fault:
                self.version.plays = False
                why = failed.failure if failed.failure.en else row.reason
                again = f"spielleiter ask {shell_word(self.watched.player)} {shell_word(folder / row.record)}"
                self.view.fault(
                    why,
                    folder / failed.log if failed.log else None,
                    f"{again} --ply {row.plies}" if row.record and failed.joined else "",
                )
                raise _Faulted
            self.version.plays = True
            summary = summarise(plan, played.rows)
            self.view.score(_score(summary), is_last=summary.played == summary.total)

        # A game lost on time on a busy machine is not played again: its reason says so, and the student waits.
        played = Match(plan, folder, self.executor, replay_busy=False, on_row=take, feed=feed)
        await played.run()

    def _show_moves(self) -> Feed:
        """A feed whose first game is shown move by move."""
        feed, shown, reader = Feed(), "", RecordReader()
        loop, soft = asyncio.get_running_loop(), self.watched.seconds or self.version.game.limits.soft
        silence: asyncio.TimerHandle | None = None

        def take(line: FeedLine) -> None:
            nonlocal shown, silence
            shown = shown or line.game_id
            if silence is not None and line.game_id == shown:
                silence.cancel()
                silence = None
            if line.game_id != shown or not line.line or (reader.history and reader.history.is_finished):
                return
            with suppress(RecordError):  # Ours; a game that is played again is not shown a second time.
                moves = 0 if reader.history is None else len(reader.history.moves)
                event = reader.read_line(line.line.encode())
                if isinstance(event, RecordedNotes) and event.team is Team.ONE:
                    noted = Text(summary(event, "de"), summary(event, "en"))
                    if noted.en:
                        self.view.thought(noted)
                assert reader.history is not None
                if len(reader.history.moves) > moves:
                    self.version.plays = True
                    self.view.move(reader.history.names, self.version.game, reader.history.plies[-1])
                if not reader.history.is_finished and reader.history.state.to_move is Team.ONE:
                    silence = loop.call_later(soft, self.view.note, _late(self.version.entrant.name, soft), "yellow")

        feed.subscribe(take)
        return feed


def _late(name: str, soft: float) -> Text:
    """What is said of a player that has not answered in time; where it hangs is known when the game has ended."""
    allowed = number(soft, 1)
    return Text(
        f"{name} denkt länger als die erlaubten {allowed.de} s …", f"{name} thinks longer than the {allowed.en} s …"
    )


def _score(summary: Summary) -> Text:
    """The points of both, and what they say of the strength, with its error bar."""
    duel, line = summary.duel, duel_line(summary, stats=False)
    assert duel is not None
    if duel.margin is not None:
        elo, margin = number(duel.elo, signed=True), number(duel.margin)
        return Text(f"{line}, Elo {elo.de} ± {margin.de}", f"{line}, Elo {elo.en} ± {margin.en}")
    end = duel.low if duel.high is None else duel.high
    if end is None:
        return Text(line, line)
    limit = number(end, signed=True)
    at_least = duel.high is None
    return Text(
        f"{line}, Elo {'mindestens' if at_least else 'höchstens'} {limit.de}",
        f"{line}, Elo {'at least' if at_least else 'at most'} {limit.en}",
    )


# --- what is seen -----------------------------------------------------------------------------------------------------


class _View(Protocol):
    """Shows what happens, in a terminal or as lines."""

    def begin(self, version: _Version) -> None:
        """A version begins to play."""

    def move(self, names: tuple[str, str], game: AnyGame, ply: Ply) -> None:
        """A move of the game that is shown."""

    def score(self, text: Text, *, is_last: bool) -> None:
        """A game has ended; ``is_last`` of its match."""

    def fault(self, why: Text, log: Path | None, again: str) -> None:
        """The player's first fault, what it printed, and the command that asks it again in that position."""

    def note(self, text: Text, style: str = "") -> None:
        """A line."""

    def thought(self, text: Text) -> None:
        """What the player noted for its move."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def _heading(version: _Version) -> Text:
    name, now, title = version.entrant.name, time.strftime("%H:%M:%S"), version.game.title
    return Text(
        f"{name}, Version {version.number} ({now}), {title.de}", f"{name}, version {version.number} ({now}), {title.en}"
    )


def _move_line(names: tuple[str, str], game: AnyGame, ply: Ply) -> str:
    color = game.color_to_move(ply.before).to(language())
    took = "" if ply.seconds is None else f", {number(ply.seconds, 3).to(language())} s"
    return f"{ply.turn:3} {color}: {ply.text} ({names[ply.team]}{took})"


class _Lines:
    """One line for everything."""

    def begin(self, version: _Version) -> None:
        self.note(_heading(version), "bold")

    def move(self, names: tuple[str, str], game: AnyGame, ply: Ply) -> None:
        console.print(_move_line(names, game, ply), soft_wrap=True)

    def score(self, text: Text, *, is_last: bool) -> None:
        if is_last:
            self.note(text, "bold")

    def fault(self, why: Text, log: Path | None, again: str) -> None:
        print_failure(why, log, indent="")
        if again:
            de, en = "Noch einmal (als Test: --save-test)", "Ask it again (as a test: --save-test)"
            self.note(Text(f"  {de}: {again}", f"  {en}: {again}"))

    def note(self, text: Text, style: str = "") -> None:
        say(text, style)

    def thought(self, text: Text) -> None:
        console.print(f"      {text.to(language())}", style="dim", markup=False, soft_wrap=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class _Screen(_Lines):
    """The board in place, under the scores of the version; what was said of earlier ones stays above."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._score = RichText()
        self._moves: asyncio.Queue[Callable[[], None]] = asyncio.Queue()
        self._shown: asyncio.Task[None] | None = None
        self._board: tuple[RichText, ...] = ()
        self._thought = RichText()

    def begin(self, version: _Version) -> None:
        self._keep()
        super().begin(version)
        self._moves, self._thought = asyncio.Queue(), RichText()
        if self._shown is not None:
            self._shown.cancel()
        self._shown = asyncio.create_task(self._show(self._moves))
        self._draw()

    def move(self, names: tuple[str, str], game: AnyGame, ply: Ply) -> None:
        """Show the position as soon as the one before was seen long enough."""

        def show() -> None:
            board = RichText.from_ansi(game.draw_text(ply.state, terminal_has_colors(), language()))
            sides = " – ".join(side(game, names, team, language()) for team in TEAMS)
            self._board = (RichText(sides), RichText(_move_line(names, game, ply)), RichText(), board)
            self._draw()

        self._moves.put_nowait(show)

    async def _show(self, moves: asyncio.Queue[Callable[[], None]]) -> None:
        while True:
            (await moves.get())()
            await asyncio.sleep(self._delay)

    def score(self, text: Text, *, is_last: bool) -> None:
        self._score = RichText(text.to(language()), "bold" if is_last else "")
        if is_last:
            self._keep()
        self._draw()

    def thought(self, text: Text) -> None:
        self._thought = RichText(text.to(language()), "dim")

    def _keep(self) -> None:
        """Leave what was known of the version above the board."""
        if self._score.plain:
            console.print(self._score)
            self._score = RichText()

    def _draw(self) -> None:
        self._live.update(Group(self._score, *self._board, self._thought), refresh=True)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._keep()
        if self._shown is not None:
            self._shown.cancel()
        self._live.__exit__(kind, error, trace)
