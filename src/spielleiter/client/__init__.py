"""THE PLAYER KIT: one method makes a player.

    from spielleiter.client import play

    class MyPlayer:
        def choose(self, state, seconds):
            return state.legal_moves()[0]

    play(MyPlayer())

Standard library only, so that a player runs wherever Python does. ``session`` is a game sans I/O, ``sync`` and
``asynchronous`` are thin shells around it, ``mind`` calls the player's code, ``commandline`` is the program around.
"""

from spielleiter.client.asynchronous import play_async
from spielleiter.client.commandline import play
from spielleiter.client.mind import Care, Hooks
from spielleiter.client.session import Ending
from spielleiter.client.settings import ClientSettings

__all__ = ["Care", "ClientSettings", "Ending", "Hooks", "play", "play_async"]
