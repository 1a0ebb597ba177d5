"""A built-in player as a process of its own: ``python -m spielleiter.web.play.builtin_process HOST PORT GAME NAME``.

It reads reservation codes from its input, one a line, and plays a game with each. So it thinks without disturbing the
game master, whose clocks run in the same process as the pages; and a new game need not wait for a new process.
"""

from __future__ import annotations

import sys
from contextlib import suppress

from spielleiter import games, players
from spielleiter.client import ClientSettings
from spielleiter.client.player_runner import PlayerRunner
from spielleiter.client.sync import play_game
from spielleiter.errors import ServerLeft


def main() -> None:
    """Play a game for each line of standard input."""
    host, port, key, name = sys.argv[1:]
    game = games.load(key)
    for line in sys.stdin:
        settings = ClientSettings(host=host, port=int(port), reservation=line.strip(), game=game)
        with suppress(ServerLeft):  # The table was given up; the next line opens another.
            play_game(PlayerRunner(players.load(name), settings.time_policy), settings)


if __name__ == "__main__":
    main()
