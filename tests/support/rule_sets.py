"""The rule sets for tests that ask nothing about how a game ends.

In nothing else an ``-official`` rule set differs from that of the document; by day these tests take only the latter.
By day, too, every rule set obeys the laws (``tests/games/test_all_games.py``), equals the engine, and replays the games
of the reference servers.
"""

from __future__ import annotations

import pytest

from spielleiter.games import all_games
from tests.support.night import by_day

_DOCUMENTED = [game for game in all_games().values() if not game.official]
each_game = pytest.mark.parametrize("game", by_day(all_games().values(), _DOCUMENTED), ids=lambda game: game.key)
