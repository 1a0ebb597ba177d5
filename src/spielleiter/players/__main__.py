"""A built-in player as a program: ``python -m spielleiter.players NAME --host H --port P --reservation R``."""

from __future__ import annotations

import sys

from spielleiter import players
from spielleiter.client import play
from spielleiter.errors import SpielleiterError


def main() -> None:
    """Play one game as the player that is named first; everything behind is for the kit."""
    name, *options = sys.argv[1:] or [""]
    try:
        player = players.load(name)
    except SpielleiterError as problem:
        print(f"spielleiter.players: {problem}", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    play(player, argv=options)


if __name__ == "__main__":
    main()
