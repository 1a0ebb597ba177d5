"""``spielleiter play``: the pages in the browser, or a game between two built-in players in the terminal."""

from __future__ import annotations

import time
from random import Random
from typing import Annotated, Any

import typer
from rich.console import Group
from rich.live import Live
from rich.text import Text as RichText

from spielleiter import games, players
from spielleiter.cli.own_player import is_built_in, load_player, notes_of, short_name
from spielleiter.cli.positions import read_running_position
from spielleiter.cli.programs import warn_if_weaker
from spielleiter.cli.start_message import announce
from spielleiter.cli.terminal import complete_key, complete_player, console, errors, language, t
from spielleiter.cli.web import has_browser, serve_pages
from spielleiter.errors import IllegalMove, SettingsError
from spielleiter.game import TEAMS, AnyGame, Text, describe_outcome
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.pages.notes import summary
from spielleiter.pages.words import side
from spielleiter.rating.formatting import number
from spielleiter.records.history import RecordedNotes

_PLAYERS = ", ".join(name for name, player in players.BUILT_IN.items() if player.level is None)
_LEVELS = (players.LEVELS[0].name, players.LEVELS[-1].name)


PlayerName = Annotated[str, typer.Option(autocompletion=complete_player, help=t(
    f"Ein eingebauter Spieler ({_PLAYERS}, {' bis '.join(_LEVELS)}), oder dein eigener in Python: eine Datei oder "
    "ein Ordner.",
    f"A built-in player ({_PLAYERS}, {' to '.join(_LEVELS)}), or your own in Python: a file or a "
    "folder."))]  # fmt: skip


_NO_SCREEN = Text(
    "Hier ist kein Bildschirm: Zwei Spieler spielen im Terminal. Selbst spielst du auf den Seiten: spielleiter web",
    "There is no screen here: two players play in the terminal. To play yourself, open the pages: spielleiter web",
)


def play(
    game_key: Annotated[str | None, typer.Argument(metavar="game", autocompletion=complete_key, help=t(
        "Das Spiel, dem du im Terminal zusiehst.", "The game to watch in the terminal."))] = None,
    one: PlayerName = "student",
    two: PlayerName = "greedy",
    seed: Annotated[int | None, typer.Option(help=t(
        "Startwert der Startstellung; Standard: ein zufälliger.",
        "Seed of the start position; default: a random one."))] = None,
    seconds: Annotated[float, typer.Option(min=0.01, help=t(
        "Zeit für einen Zug in Sekunden.", "Time for a move in seconds."))] = 2.0,
    delay: Annotated[float, typer.Option(min=0.0, help=t(
        "So viele Sekunden ist jede Stellung mindestens zu sehen.",
        "Minimum time to show each position, in seconds."))] = 0.4,
    clock: Annotated[bool, typer.Option("--clock/--no-clock", help=t(
        "Züge melden, die länger als --seconds dauern; --no-clock zum Debuggen mit Haltepunkten.",
        "Report moves that take longer than --seconds; --no-clock for debugging with breakpoints."))] = True,
    quiet: Annotated[bool, typer.Option(help=t("Nur das Ende zeigen.", "Show only the end."))] = False,
    start: Annotated[str | None, typer.Option("--from", help=t(
        "Ab hier weiterspielen: eine Aufzeichnung (mit --ply) oder eine Stellung in Anführungszeichen.",
        "Play on from here: a record (with --ply), or a position in quotes."))] = None,
    ply: Annotated[int | None, typer.Option(min=0, help=t(
        "Mit --from: die Stellung der Aufzeichnung nach so vielen Zügen; Standard: die vor dem letzten.",
        "With --from: the position of the record after this number of moves; default: that before the last."))] = None,
) -> None:  # fmt: skip
    own = [name for name in (one, two) if not is_built_in(name)]
    if game_key is None and not own and start is None and ply is None:
        if has_browser():
            serve_pages(any_port=True)
            return
        announce(_NO_SCREEN)
    game, state, origin = _start(game_key, start, ply, seed)
    sides = [load_player(name) for name in (one, two)]
    warn_if_weaker((one, two), game)
    names = (short_name(one), short_name(two))
    first, second = (side(game, names, team, language()) for team in TEAMS)
    header = Text(
        f"{game.title.de}, {origin.de}: {first} – {second}", f"{game.title.en}, {origin.en}: {first} – {second}"
    ).to(language())
    live_view = not quiet and console.is_terminal
    with Live(console=console, auto_refresh=False, transient=False, screen=False) as live:
        noted = None
        while state.outcome is None:
            if live_view:
                live.update(_view(game, state, header, noted), refresh=True)
            began = time.monotonic()
            mover = sides[state.to_move]
            move = mover.choose(state, seconds)
            noted = notes_of(mover, state.to_move)
            took = time.monotonic() - began
            if clock and own and took > seconds:
                _report_late(names[state.to_move], took, seconds)
            if (violation := state.violation(move)) is not None:
                raise IllegalMove(violation, move)
            if not quiet and not live_view:
                color = game.color_to_move(state).to(language())
                console.print(f"{state.turn:3} {color}: {game.notation.format_move(state, move)}")
                if noted is not None:
                    console.print(f"      {summary(noted, language())}", style="dim", markup=False, soft_wrap=True)
            state = state.play_unchecked(move)
            if live_view:
                time.sleep(max(0.0, delay - (time.monotonic() - began)))
        live.update(_view(game, state, header, noted), refresh=True)
    _print_result(game, state, (first, second))


def _start(key: str | None, start: str | None, ply: int | None, seed: int | None) -> tuple[AnyGame, Any, Text]:
    """The game, its first position here, and where that comes from. Raises ``SettingsError``."""
    if start is None:
        if ply is not None:
            raise SettingsError("--ply gibt es nur mit --from.", "--ply is for --from only")
        game = games.load(key or games.CURRENT_SEASON)
        if seed is None:
            seed = Random().randrange(10**6)
        return game, game.new_state(Random(seed)), Text(f"Startwert {seed}", f"seed {seed}")
    if seed is not None:
        raise SettingsError(
            "Die Startstellung kommt aus --from: lass --seed weg.", "the position comes from --from: leave out --seed"
        )
    game, state = read_running_position(start, ply)
    if key is not None and games.load(key) is not game:
        raise SettingsError(
            f"Die Stellung gehört zu {game.key}, nicht zu {key}.", f"the position belongs to {game.key}, not to {key}"
        )
    return game, state, Text(f"ab Runde {state.turn}", f"from turn {state.turn}")


def _report_late(name: str, took: float, seconds: float) -> None:
    used, allowed = number(took, 1), number(seconds, 1)
    late = Text(
        f"{name}: {used.de} s für diesen Zug, erlaubt sind {allowed.de} s; im Wettbewerb wäre das Spiel verloren. "
        "Beim Debuggen: --no-clock",
        f"{name}: {used.en} s for this move, {allowed.en} s are allowed; in the contest the game would be lost. "
        "For debugging: --no-clock",
    )
    errors.print(late.to(language()), style="yellow", soft_wrap=True)


def _view(game: AnyGame, state: Any, header: str, noted: RecordedNotes | None) -> Group:
    board = RichText.from_ansi(game.draw_text(state, terminal_has_colors(), language()))
    below = RichText("" if noted is None else summary(noted, language()), style="dim")
    return Group(RichText(header, style="bold"), RichText(), board, below)


def _print_result(game: AnyGame, state: Any, names: tuple[str, str]) -> None:
    console.print()
    console.print(describe_outcome(state, names).to(language()), style="bold")
    for team in TEAMS:
        parts = ", ".join(
            f"{part.text.to(language())} {value}" for part, value in zip(game.scores, state.points(team), strict=True)
        )
        console.print(f"{names[team]}: {parts}")
    console.print(game.notation.format_state(state), soft_wrap=True, style="dim")
