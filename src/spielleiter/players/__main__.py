"""A built-in player as a program, started like any other: ``python -m spielleiter.players NAME --host H ...``."""

from __future__ import annotations

import sys

from spielleiter.client import play
from spielleiter.errors import SpielleiterError
from spielleiter.players import BUILT_IN, load


def main() -> None:
    """Play one game with the player that the first argument names; the other arguments are those of every player."""
    name, *arguments = sys.argv[1:] or [""]
    try:
        player = load(name)
    except SpielleiterError as problem:
        known = ", ".join(BUILT_IN)
        sys.exit(f"spielleiter.players: {problem}" if name else f"spielleiter.players: name a player: {known}")
    play(player, argv=arguments)


if __name__ == "__main__":
    main()
