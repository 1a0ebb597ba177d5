"""A built-in player as a program: ``python -m spielleiter.players NAME --host H --port P --reservation R``."""

from __future__ import annotations

import sys

from spielleiter import players
from spielleiter.client import play
from spielleiter.errors import Refused, plugin_warnings_shown
from spielleiter.text import Language, Text, show_every_text, system_language


def main() -> None:
    """Play one game as the player that is named first; everything behind is for the kit."""
    name, *options = sys.argv[1:] or [""]
    language = system_language()
    show_every_text()
    with plugin_warnings_shown(lambda problem: _complain(problem, language)):
        _run(name, options, language)


def _complain(problem: Text, language: Language) -> None:
    print(f"spielleiter.players: {problem.to(language)}", file=sys.stderr)  # noqa: T201


def _run(name: str, options: list[str], language: Language) -> None:
    if name == "--help":
        print(_help().to(language))  # noqa: T201
        return
    try:
        player = players.load(name)
    except Refused as problem:
        _complain(problem.text, language)
        sys.exit(2)
    play(player, name=name, argv=options)


def _help() -> Text:
    called = "python -m spielleiter.players"
    described = [(f"  {player.name:<10}", player.text) for player in players.BUILT_IN.values()]
    german = "\n".join(name + text.de for name, text in described)
    english = "\n".join(name + text.en for name, text in described)
    return Text(
        f"Aufruf: {called} NAME[:OPTION=ZAHL,...] [--host H] [--port P] [--reservation R] ...\n\n"
        f"Spielt als eingebauter Spieler ein Spiel auf einem Spielleiter:\n{german}\n\n"
        f"Alle Optionen der Verbindung: {called} NAME --help",
        f"usage: {called} NAME[:OPTION=NUMBER,...] [--host H] [--port P] [--reservation R] ...\n\n"
        f"Plays one game on a game master as a built-in player:\n{english}\n\n"
        f"All options of the connection: {called} NAME --help",
    )


if __name__ == "__main__":
    main()
