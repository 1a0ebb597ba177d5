"""THE PLAYER KIT: one method makes a player.

::

    from spielleiter.client import play

    class MyPlayer:
        def choose(self, state, seconds):
            return state.legal_moves()[0]

    play(MyPlayer())

Standard library only, so that a player runs wherever Python does. ``session`` is a game sans I/O, ``sync`` and
``asynchronous`` are thin shells around it, ``player_runner`` calls the player's code, ``commandline`` is the program
around; ``notes`` collects what the player notes.
"""

from spielleiter.client.asynchronous import RemoteGame, play_async
from spielleiter.client.commandline import play
from spielleiter.client.notes import note
from spielleiter.client.options import option
from spielleiter.client.player_runner import Hooks, TimePolicy, ask
from spielleiter.client.session import PlayerResult
from spielleiter.client.settings import ClientSettings

__all__ = [
    "ClientSettings",
    "Hooks",
    "PlayerResult",
    "RemoteGame",
    "TimePolicy",
    "ask",
    "note",
    "option",
    "play",
    "play_async",
]
