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
from spielleiter.cli.programs import warn_if_weaker
from spielleiter.cli.terminal import complete_key, console, language, t
from spielleiter.cli.web import has_browser, serve_pages
from spielleiter.errors import IllegalMove
from spielleiter.game import TEAMS, AnyGame, Text
from spielleiter.game.drawing import terminal_has_colors
from spielleiter.pages.words import side


def _complete_player(incomplete: str) -> list[str]:
    return [name for name in players.BUILT_IN if name.startswith(incomplete)]


_PLAYERS = ", ".join(name for name, player in players.BUILT_IN.items() if player.level is None)
_LEVELS = (players.LEVELS[0].name, players.LEVELS[-1].name)


PlayerName = Annotated[str, typer.Option(autocompletion=_complete_player, help=t(
    f"Ein eingebauter Spieler: {_PLAYERS}, {' bis '.join(_LEVELS)}.",
    f"A built-in player: {_PLAYERS}, {' to '.join(_LEVELS)}."))]  # fmt: skip


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
    quiet: Annotated[bool, typer.Option(help=t("Nur das Ende zeigen.", "Show only the end."))] = False,
) -> None:  # fmt: skip
    if game_key is None and has_browser():
        serve_pages(any_port=True)
        return
    game = games.load(game_key or games.CURRENT_SEASON)
    sides = [players.load(name) for name in (one, two)]
    warn_if_weaker((one, two), game)
    if seed is None:
        seed = Random().randrange(10**6)
    state = game.new_state(Random(seed))
    first, second = (side(game, (one, two), team, language()) for team in TEAMS)
    header = Text(
        f"{game.title.de}, Startwert {seed}: {first} – {second}", f"{game.title.en}, seed {seed}: {first} – {second}"
    ).to(language())
    live_view = not quiet and console.is_terminal
    with Live(console=console, auto_refresh=False, transient=False, screen=False) as live:
        while state.outcome is None:
            if live_view:
                live.update(_view(game, state, header), refresh=True)
            began = time.monotonic()
            move = sides[state.to_move].choose(state, seconds)
            if (violation := state.violation(move)) is not None:
                raise IllegalMove(violation, move)
            if not quiet and not live_view:
                color = game.color_to_move(state).to(language())
                console.print(f"{state.turn:3} {color}: {game.notation.format_move(state, move)}")
            state = state.play_unchecked(move)
            if live_view:
                time.sleep(max(0.0, delay - (time.monotonic() - began)))
        live.update(_view(game, state, header), refresh=True)
    _print_result(game, state, (first, second))


def _view(game: AnyGame, state: Any, header: str) -> Group:
    board = RichText.from_ansi(game.draw_text(state, terminal_has_colors(), language()))
    return Group(RichText(header, style="bold"), RichText(), board)


def _print_result(game: AnyGame, state: Any, names: tuple[str, str]) -> None:
    console.print()
    console.print(state.outcome.describe(names).to(language()), style="bold")
    for team in TEAMS:
        parts = ", ".join(
            f"{part.text.to(language())} {value}" for part, value in zip(game.scores, state.points(team), strict=True)
        )
        console.print(f"{names[team]}: {parts}")
    console.print(game.notation.format_state(state), soft_wrap=True, style="dim")
