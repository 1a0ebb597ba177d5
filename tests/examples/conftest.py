"""What the tests of the examples share."""

from tests.support.raw_players import build_player as build_player
