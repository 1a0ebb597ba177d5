"""Every error this package raises on purpose.

* SpielleiterError
    * IllegalMove              a player broke a rule of the game: judged, never fatal
    * RatingError              numbers from which no rating or standings can be computed; says which and why
        * BoundsError          bounds or error rates that make no test; said in both languages
    * GameIsOver               a search was asked for a move in a finished game: a bug of the caller
    * BudgetSpent              raised deep inside a search to end it; only a proof lets it out
    * CodeRefused              the program in the editor of the workshop is not a player, or failed: its problem
    * LawBroken                a game breaks the contract (game/conformance.py): a bug of that game
    * Refused                  something that cannot be done: why, and what to do, in both languages
        * NotationError        a text that is not a valid position or move; says where and what was expected
        * UnknownGame          no game with that key; lists the known ones
        * UnknownPlayer        no built-in player of that name, or not with that option; lists the known ones
        * EngineMissing        the native engine was not built, or does not know the game
        * RecordError          a record file that cannot be read or written; says file and line
        * SettingsError        a setting that makes no sense; says which and what was expected
        * StoreError           the store of a season that cannot be opened, read or written; says where and why
        * ContestError         something that the contest does not allow now; says why and what would be
            * NoSeason         a store in which there is no season, or nothing of it was played, where one is needed
            * WrongPassword    no account has this name and password
        * ProgramError         a player program that cannot be found, unpacked or started; says what to do
        * PageError            a page that cannot be shown: the status of the answer, and what to do
        * PlayingError         a client cannot play on
            * NoServer         no server listens there
            * ServerLeft       the server closed before the game was over
                * ServerRefused    it does not let us play
            * PlayerFailed     the player's own code raised, or returned something other than a legal move
    * ProtocolError            bytes or messages out of order
        * LocalProtocolError   our side tried it: a bug here
        * RemoteProtocolError  the peer did it, said in both languages: answer with it, close that connection
            * MessageError     one message makes no sense, but the stream is whole: answer, judge it, go on
    * PluginWarning            a game or player of another package that is left out: a warning, never raised
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from spielleiter.text import Text, system_error


class SpielleiterError(Exception):
    """Base of all errors raised on purpose; its text is one line that says what to do."""


class IllegalMove(SpielleiterError):
    """The move is well formed but not legal in this state; the state is unchanged."""

    def __init__(self, reason: Enum, move: object) -> None:
        super().__init__(f"{move}: {reason}")
        self.reason = reason
        self.move = move


class RatingError(SpielleiterError):
    """Impossible counts, contradicting games or unknown players: no rating or standings can be computed."""


class GameIsOver(SpielleiterError):
    """A search was asked for a move in a finished game."""


class BudgetSpent(SpielleiterError):
    """No time or nodes are left. A search catches it and returns its best move so far; half a proof is none."""


class CodeRefused(SpielleiterError):
    """The program in the editor of the workshop is not a player, or has failed; ``problem`` says where and why."""

    def __init__(self, problem: Any) -> None:
        super().__init__(problem.text.en)
        self.problem = problem


class LawBroken(SpielleiterError, AssertionError):
    """A game does not fulfil the contract."""


class Refused(SpielleiterError):
    """Something that cannot be done: why, and what to do, in both languages. ``str`` is the English text."""

    def __init__(self, de: str, en: str) -> None:
        self.text = Text(de, en)
        super().__init__(self.text.en)


class BoundsError(RatingError, Refused):
    """The bounds or error rates of a test make no sense."""


class NotationError(Refused):
    """``source`` cannot be read as a position or a move: ``problem`` says what was expected at its character ``at``."""

    def __init__(self, de: str, en: str, source: str, at: int = 0) -> None:
        shown = source if len(source) <= 200 else source[:200] + "..."
        super().__init__(f"{de} (bei Zeichen {at + 1} von {shown!r})", f"{en} (at character {at + 1} of {shown!r})")
        self.problem = Text(de, en)
        self.source = source
        self.at = at


class UnknownGame(Refused):
    """No installed game has this key."""


class UnknownPlayer(Refused):
    """No built-in player has this name, or it does not know this option."""


class EngineMissing(Refused):
    """The native engine was not built, or does not know the game."""


class RecordError(Refused):
    """A record that is damaged, of an unknown kind, or cannot be written."""


class SettingsError(Refused):
    """A setting, from a file or an option, that cannot be used."""


class StoreError(Refused):
    """The store of a season cannot be opened, read or written."""


class ContestError(Refused):
    """The contest does not allow this, or not now: an unknown team, a passed deadline, games that were played on it."""


class NoSeason(ContestError):
    """There is no season in the store, or nothing of it was played yet: there is nothing to prove or to copy."""


class WrongPassword(ContestError):
    """No account has this name and password; the error does not say which of them is wrong."""


class ProgramError(Refused):
    """A player program that cannot be found, unpacked or started."""


class PageError(Refused):
    """A page that cannot be shown: ``advice`` says what to do, ``retry_after`` when it is worth trying again."""

    def __init__(self, status: int, what: Text, advice: Text, *, retry_after: int | None = None) -> None:
        super().__init__(what.de, what.en)
        self.status = status
        self.advice = advice
        self.retry_after = retry_after


class PlayingError(Refused):
    """A client cannot play, or not go on: what happened and what to do."""


class NoServer(PlayingError):
    """No server answers at the address of the game master."""


class ServerLeft(PlayingError):
    """The game master refused to let us play, or closed the connection before the game was over."""


class ServerRefused(ServerLeft):
    """The game master does not let us play: trying again would not help."""


class PlayerFailed(PlayingError):
    """The player's own code raised, or did not return a legal move; ``position`` is where, in its notation.

    ``move`` is the illegal move, if it is one.
    """

    def __init__(self, de: str, en: str, *, position: str = "", board: str = "", move: Any = None) -> None:
        super().__init__(de, en)
        self.move = move
        self.position = position
        self.board = board


class ProtocolError(SpielleiterError):
    """Bytes or messages out of order."""


class LocalProtocolError(ProtocolError):
    """Our side tried to send what the protocol forbids: a bug here."""


class RemoteProtocolError(ProtocolError, Refused):
    """The peer sent what the protocol forbids: what was expected and what came."""

    def __init__(self, de: str, en: str) -> None:
        Refused.__init__(self, de, en)


class MessageError(RemoteProtocolError):
    """One message that cannot be understood, in a stream that can go on."""


class PluginWarning(SpielleiterError, UserWarning):
    """A game or player of another package is left out: which and why, in both languages."""

    def __init__(self, de: str, en: str) -> None:
        self.text = Text(de, en)
        super().__init__(self.text.en)


OPEN = Text("lässt sich nicht öffnen", "cannot be opened")
READ = Text("lässt sich nicht lesen", "cannot be read")
START = Text("lässt sich nicht starten", "cannot be started")
WRITE = Text("lässt sich nicht schreiben", "cannot be written")


@contextmanager
def refusing(
    error: Callable[[str, str], Refused], what: object, problem: Text, *, also: tuple[type[Exception], ...] = ()
) -> Iterator[None]:
    """Turn what the system refuses, or ``also`` what these say, into an ``error`` with its reason."""
    try:
        yield
    except Exception as refusal:
        if not isinstance(refusal, (OSError, UnicodeDecodeError, *also)):
            raise
        why = system_error(refusal)
        raise error(f"{what}: {problem.de}: {why.de}", f"{what}: {problem.en}: {why.en}") from None


@contextmanager
def plugin_warnings_shown(show: Callable[[Text], None]) -> Iterator[None]:
    """Give what ``PluginWarning`` says meanwhile to ``show``, for people; other warnings go where they went."""
    with warnings.catch_warnings():
        warnings.simplefilter("once", PluginWarning)
        others = warnings.showwarning

        def showwarning(message: Warning | str, *details: Any, **more: Any) -> None:
            if isinstance(message, PluginWarning):
                show(message.text)
            else:
                others(message, *details, **more)

        warnings.showwarning = showwarning
        yield
