"""A built-in player as a program: ``python -m spielleiter.players NAME --host H --port P --reservation R``."""

from __future__ import annotations

import sys

from spielleiter import players
from spielleiter.client import play
from spielleiter.errors import SpielleiterError


def main() -> None:
    """Play one game as the player that is named first; everything behind is for the kit."""
    name, *options = sys.argv[1:] or [""]
    if name == "--help":
        print(_help())  # noqa: T201
        return
    try:
        player = players.load(name)
    except SpielleiterError as problem:
        print(f"spielleiter.players: {problem}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    play(player, name=name, argv=options)


def _help() -> str:
    lines = [f"  {player.name:<10}{player.text.en}" for player in players.BUILT_IN.values()]
    return "\n".join(
        [
            "usage: python -m spielleiter.players NAME[:OPTION=NUMBER,...] [--host H] [--port P] [--reservation R] ...",
            "",
            "Plays one game on a game master as a built-in player:",
            *lines,
            "",
            "All options of the connection: python -m spielleiter.players NAME --help",
        ]
    )


if __name__ == "__main__":
    main()
