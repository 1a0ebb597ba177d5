"""Feeds: games for spectators while they are played, as records that still grow.

A process that plays games writes every line of their records to a ``Feed``. A ``FeedServer`` lets other processes
follow it with ``read_feed``. ``live`` has the games that spectators see, played here or elsewhere; ``follower`` lets
those of other processes grow. Laws:

* A feed carries what a record carries, nothing else: no reservation, no key of a player. It cannot be written to from
  outside, so a viewer cannot disturb a game.
* A latecomer gets all lines of the games that are being played, then what is new.
* A client that does not read is disconnected, and costs the players nothing.
"""

from spielleiter.feeds.address import FeedAddress
from spielleiter.feeds.client import read_feed
from spielleiter.feeds.feed import Feed, FeedLine
from spielleiter.feeds.server import FeedServer

__all__ = ["Feed", "FeedAddress", "FeedLine", "FeedServer", "read_feed"]
