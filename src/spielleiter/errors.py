"""Every error this package raises on purpose.

* SpielleiterError
    * IllegalMove              a player broke a rule of the game: judged, never fatal
    * NotationError            a text that is no position or no move; says where and what was expected
    * UnknownGame              no game with that key; lists the known ones
    * UnknownPlayer            no built-in player of that name, or not with that option; lists the known ones
    * RecordError              a record file that cannot be read or written; says file and line
    * RatingError              figures of which no rating or table can be made; says which and why
    * SettingsError            a setting that makes no sense; says which and what was expected
    * StoreError               the store of a season that cannot be opened, read or written; says where and why
    * ContestError             something that the contest does not allow now; says why and what would be
    * ProgramError             a player program that cannot be found, unpacked or started; says what to do
    * PlayingError             a client cannot play on; says why in both languages
        * NoServer             nobody listens there
        * ServerLeft           the server refused, or closed before the game was over
        * PlayerFailed         the player's own code raised, or returned what is no legal move
    * ProtocolError            bytes or messages out of order
        * LocalProtocolError   our side tried it: a bug here
        * RemoteProtocolError  the peer did it: answer with the message, close that connection
            * MessageError     one message makes no sense, but the stream is whole: answer, judge it, go on
"""

from __future__ import annotations

from enum import Enum


class SpielleiterError(Exception):
    """Base of all errors raised on purpose; its text is one line that says what to do."""


class IllegalMove(SpielleiterError):
    """The move is well formed but not legal in this state; the state is unchanged."""

    def __init__(self, reason: Enum, move: object) -> None:
        super().__init__(f"{move}: {reason}")
        self.reason = reason
        self.move = move


class NotationError(SpielleiterError):
    """A text that cannot be read as a position or a move: where, what was expected and what came."""

    def __init__(self, problem: str, text: str, at: int = 0) -> None:
        shown = text if len(text) <= 200 else text[:200] + "..."
        super().__init__(f"{problem} (at character {at + 1} of {shown!r})")
        self.problem = problem
        self.text = text
        self.at = at


class UnknownGame(SpielleiterError):
    """No installed game has this key."""


class UnknownPlayer(SpielleiterError):
    """No built-in player has this name, or it does not know this option."""


class RecordError(SpielleiterError):
    """A record that is damaged, of an unknown kind, or cannot be written."""


class SettingsError(SpielleiterError):
    """A setting, from a file or an option, that cannot be used."""


class RatingError(SpielleiterError):
    """Figures of which no rating or table can be made: impossible counts, contradicting games, unknown teams."""


class StoreError(SpielleiterError):
    """The store of a season cannot be opened, read or written."""


class ContestError(SpielleiterError):
    """The contest does not allow this, or not now: an unknown team, a passed deadline, games that were played on it."""


class ProgramError(SpielleiterError):
    """A player program that cannot be found, unpacked or started."""


class PlayingError(SpielleiterError):
    """A client cannot play, or not go on: what happened and what to do, in both languages."""

    def __init__(self, de: str, en: str) -> None:
        super().__init__(en)
        self.de = de
        self.en = en


class NoServer(PlayingError):
    """Nobody answers at the address of the game master."""


class ServerLeft(PlayingError):
    """The game master refused to let us play, or closed the connection before the game was over."""


class PlayerFailed(PlayingError):
    """The player's own code raised, or returned what is no legal move; ``position`` is where, in its notation."""

    def __init__(self, de: str, en: str, *, position: str = "", board: str = "") -> None:
        super().__init__(de, en)
        self.position = position
        self.board = board


class ProtocolError(SpielleiterError):
    """Bytes or messages out of order."""


class LocalProtocolError(ProtocolError):
    """Our side tried to send what the protocol forbids: a bug here."""


class RemoteProtocolError(ProtocolError):
    """The peer sent what the protocol forbids: what was expected and what came, in both languages."""

    def __init__(self, de: str, en: str) -> None:
        super().__init__(en)
        self.de = de
        self.en = en


class MessageError(RemoteProtocolError):
    """One message that cannot be understood, in a stream that can go on."""
