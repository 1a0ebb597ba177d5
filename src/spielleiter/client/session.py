"""One game as a player or an observer sees it, sans I/O: bytes of the server in, things to do out.

::

    session.receive_data(data, at)           # what the socket gave, and when it arrived
    for action in session.actions():         # may raise: see below
        ...                                  # ChooseMove: answer with session.send_move(move)
    socket.sendall(session.data_to_send())

The session finds out by itself which game is played: from the form of the first state. Which of the two rule sets of
a season the server referees by does not show; it is the one of the document until the server asks for a move in a
position that is over by that one, and not by the other.

``actions`` raises ``ServerLeft`` when the server refuses or closes before the end, and ``RemoteProtocolError`` when it
says what cannot be. What the session does not know, it ignores with a ``LogNote``: servers learn new words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from spielleiter import games
from spielleiter.backports import assert_never
from spielleiter.errors import (
    LocalProtocolError,
    MessageError,
    NotationError,
    PlayerFailed,
    RemoteProtocolError,
    ServerLeft,
    ServerRefused,
)
from spielleiter.game import TEAMS, AnyGame, Element, Team
from spielleiter.text import system_language
from spielleiter.wire import ClientConnection
from spielleiter.wire.messages import (
    Authenticate,
    Close,
    ErrorPacket,
    Join,
    Joined,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    Left,
    Memento,
    MoveRequest,
    Observe,
    Observed,
    Paused,
    Prepared,
    Result,
    RoomError,
    RoomMessage,
    ServerMessage,
    Unreadable,
    Welcome,
)

JoinRequest = Join | JoinRoom | JoinPrepared | Observe


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """How a game ended, seen from one side."""

    team: Team | None
    """Our side; ``None`` for an observer, and if the game was over before it began."""
    winner: Team | None
    """``None`` in a draw."""
    points: tuple[tuple[int, ...], ...]
    """The score of each team, in the order of ``Game.scores``."""
    reason: str
    """The server's own words, or those of the rules where it gives none."""
    regular: bool
    """Whether the game was played to its end."""
    state: Any
    """The last position."""

    @property
    def won(self) -> bool:
        """Whether we have won."""
        return self.winner is not None and self.winner is self.team

    @property
    def lost(self) -> bool:
        """Whether the other side has won."""
        return self.winner is not None and self.winner is not self.team

    @property
    def drawn(self) -> bool:
        """Whether the game is a draw."""
        return self.winner is None


# --- things to do -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameReady:
    """Both players are there, and the first position is known."""

    game: AnyGame
    team: Team | None
    """Our side; ``None`` for an observer."""
    names: tuple[str, str]
    """Empty where the server does not name them."""


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The server shows a position."""

    state: Any


@dataclass(frozen=True, slots=True)
class ChooseMove:
    """Our move, please; the clock runs since ``asked_at``."""

    game: AnyGame
    state: Any
    asked_at: float


@dataclass(frozen=True, slots=True)
class GameOver:
    """The server has sent the result."""

    result: PlayerResult


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more will come: close the connection."""


@dataclass(frozen=True, slots=True)
class LogNote:
    """Something for the log; ``serious`` if a person should look at it."""

    text: str
    serious: bool = False


Action = GameReady | StateChanged | ChooseMove | GameOver | Finished | LogNote


class Session:
    """A place in one game, a player's or an observer's; see the module."""

    def __init__(self, join: JoinRequest, game: AnyGame | None = None, *, password: str | None = None) -> None:
        """Join as asked; a given ``game`` is expected, and no other. Observers need the ``password``."""
        self.game = game
        self.room_id: str | None = None
        self.state: Any = None
        """The last position that the server showed."""
        self.result: PlayerResult | None = None
        self.doubtful = False
        """Whether the server has shown a position to which no legal move led by our rules."""
        self._join = join
        self._wire = ClientConnection(None if game is None else game.codec.dialect)
        self._at = 0.0
        self._shown: Element | None = None
        self._color: str | None = None
        self._team: Team | None = None
        self._error = ""
        self._finished = False
        games.state_shapes()  # Imports all games before we join: later it would cost time of the first move.
        if password is not None:
            self._wire.send(Authenticate(password))
        self._wire.send(join)

    # --- bytes --------------------------------------------------------------------------------------------------------

    def receive_data(self, data: bytes, at: float) -> None:
        """Take in what the server sent, and when it arrived; ``b""`` says that nothing more will come."""
        self._at = at
        self._wire.receive_data(data)

    def data_to_send(self) -> bytes:
        """What has to go over the wire now; ``b""`` if nothing has."""
        return self._wire.data_to_send()

    def send_move(self, move: Any, hints: Sequence[str] = ()) -> None:
        """Answer the last request for a move, with debug hints where the season has them."""
        if self.game is None or self.room_id is None:
            raise LocalProtocolError("a move was sent before the game began")
        self._wire.send(RoomMessage(self.room_id, self.game.codec.write_move(move, hints)))

    def give_up(self, problem: PlayerFailed, hints: Sequence[str] = ()) -> None:
        """Let the referee know why the player fails: by the illegal move, which it judges, or by a reason to leave."""
        if problem.move is not None:
            with suppress(Exception):  # What a student's code puts into a move may not be writable.
                self.send_move(problem.move, hints)
                return
        self._wire.send(Close(problem.text.to(system_language())))

    def close(self) -> None:
        """Send the closing tag."""
        self._wire.close()

    # --- messages -----------------------------------------------------------------------------------------------------

    def actions(self) -> Iterator[Action]:
        """What is to be done because of what has come so far, in this order, each once."""
        for event in self._wire.events():
            if self._finished:
                return
            if isinstance(event, Unreadable):
                yield self._ignore(event)
            else:
                yield from self._handle(event)

    def _ignore(self, event: Unreadable) -> LogNote:
        data = event.element.find("data")
        vital = data is not None and (data.get("class") or "").rpartition(".")[2].lower() in (
            "memento", "moverequest", "welcomemessage", "result",
        )  # fmt: skip
        if vital:
            raise event.error
        return LogNote(f"ignored <{event.element.name}>: {event.error.text.en}")

    def _handle(self, message: ServerMessage) -> Iterator[Action]:
        match message:
            case Joined(room_id):
                self.room_id = room_id
                yield LogNote(f"joined room {room_id}")
            case Welcome() | Memento() | MoveRequest() | Result() | RoomError() | Paused():
                if self.room_id not in (None, message.room_id):
                    yield LogNote(f"ignored a message of the other room {message.room_id}")
                    return
                self.room_id = message.room_id
                yield from self._handle_in_room(message)
            case ErrorPacket(text):
                if self.room_id is None:
                    raise self._refused(text)
                self._error = text
                yield LogNote(f"the server says: {text}", serious=True)
            case Left():
                if self.result is None:
                    raise self._left_too_early("den Raum geschlossen", "closed the room")
                self._finished = True
                yield Finished()
            case Close():
                if self.result is None:
                    raise self._left_too_early("die Verbindung geschlossen", "closed the connection")
                self._finished = True
                yield Finished()
            case Observed(room_id) if isinstance(self._join, Observe):
                self.room_id = room_id
                yield LogNote(f"observing room {room_id}")
            case Observed() | Prepared() | JoinedGameRoom():
                yield LogNote(f"ignored {type(message).__name__}, which is for administrators")
            case _:
                assert_never(message)

    def _handle_in_room(
        self, message: Welcome | Memento | MoveRequest | Result | RoomError | Paused
    ) -> Iterator[Action]:
        match message:
            case Welcome(_, color):
                self._color = color
                yield from self._begin()
            case Memento(_, element):
                assert isinstance(element, Element)
                yield from self._show(element)
            case MoveRequest():
                yield from self._ask()
            case Result():
                self.result = self._player_result(message)
                yield GameOver(self.result)
            case RoomError(_, text):
                self._error = text
                yield LogNote(f"the server says: {text}", serious=True)
            case Paused(_, paused):
                yield LogNote("the game is paused" if paused else "the game goes on")
            case _:
                assert_never(message)

    # --- positions ----------------------------------------------------------------------------------------------------

    def _show(self, element: Element) -> Iterator[Action]:
        first = self._shown is None
        if first:
            self.game = self._recognise(element)
            self._wire.dialect = self.game.codec.dialect
        elif self.state.outcome is not None and self._shown != element and (found := self._other_rules()) is not None:
            # Over by our rules, and yet it goes on.
            yield from self._change_rules(*found)
        assert self.game is not None
        before, self._shown = self.state, element
        self.state = self.game.codec.read_state(element)
        if first:
            yield from self._begin()
        problem = self._impossible() if before is None else self._impossible_after(before)
        if before is not None and problem is None and self.state != before:
            self.state = before.play_unchecked(self.state.last_move)  # Equal, but it knows where the move led.
        if problem:
            self.doubtful = True
            yield LogNote(problem, serious=True)
        yield StateChanged(self.state)

    def _recognise(self, element: Element) -> AnyGame:
        found = games.recognise(element)
        if self.game is None:
            return found
        if self.game.wire_name != found.wire_name:
            raise MessageError(
                f"der Server spielt {found.key}, erwartet war {self.game.key}",
                f"the server plays {found.key}, but {self.game.key} was expected",
            )
        return self.game

    def _begin(self) -> Iterator[Action]:
        """Tell that the game begins, once our side and the first position are known."""
        if self._shown is None or self.game is None:
            return
        if isinstance(self._join, Observe):
            yield GameReady(self.game, None, self._names())
            return
        if self._team is not None or self._color is None:
            return
        colors = [color.upper() for color in self.game.codec.dialect.colors]
        color = self._color.upper()
        if color in colors:
            self._team = TEAMS[colors.index(color)]
        elif color in Team.__members__:
            self._team = Team[color]
        else:
            raise MessageError(
                f"ein Team {self._color!r} gibt es nicht, nur {', '.join(colors)}",
                f"there is no team {self._color!r}, only {', '.join(colors)}",
            )
        yield GameReady(self.game, self._team, self._names())

    def _names(self) -> tuple[str, str]:
        # The old seasons have the names of the players in every state, each in an element of its own.
        assert self._shown is not None
        names = [child.attributes["displayName"] for child in self._shown.children if "displayName" in child.attributes]
        one, two = names if len(names) == 2 else ("", "")
        return one, two

    def _impossible(self) -> str | None:
        """Why the first position cannot be, if so."""
        assert self.game is not None
        notation = self.game.notation
        try:
            notation.parse_state(notation.format_state(self.state))
        except NotationError as problem:
            return f"the server shows a position that cannot be: {problem}"
        return None

    def _impossible_after(self, before: Any) -> str | None:
        """Why the position cannot follow the one before, if so."""
        state = self.state
        if state == before:  # A stepped game shows a state again.
            return None
        move = state.last_move
        if move is not None and before.violation(move) is None and before.play_unchecked(move) == state:
            return None
        assert self.game is not None
        return (
            f"by the rules of {self.game} no legal move leads from {self.game.notation.format_state(before)}"
            f" to {self.game.notation.format_state(state)}"
        )

    def _ask(self) -> Iterator[Action]:
        if self.game is None or self._shown is None:
            raise RemoteProtocolError(
                "der Server will einen Zug, hat aber noch keine Stellung gezeigt",
                "the server asks for a move, but has not shown a position yet",
            )
        if self.state.outcome is not None:
            found = self._other_rules()
            if found is None:
                raise self._asked_after_the_end()
            yield from self._change_rules(*found)
            yield StateChanged(self.state)
        if self._team is None:  # There was no welcome message; but the one who is asked to move is to move.
            self._color = self.state.to_move.name
            yield from self._begin()
        yield ChooseMove(self.game, self.state, self._at)

    def _other_rules(self) -> tuple[AnyGame, Any] | None:
        """A rule set of the season by which the last position is not the end, and that position."""
        assert self.game is not None
        assert self._shown is not None
        for game in games.all_games().values():
            if game.wire_name == self.game.wire_name and game is not self.game:
                state = game.codec.read_state(self._shown)
                if state.outcome is None:
                    return game, state
        return None

    def _change_rules(self, game: AnyGame, state: Any) -> Iterator[Action]:
        yield LogNote(f"the server plays by the rules of {game}, not of {self.game}", serious=True)
        self.game, self.state = game, state

    def _asked_after_the_end(self) -> RemoteProtocolError:
        assert self.game is not None
        outcome = self.state.outcome.describe()
        position = self.game.notation.format_state(self.state)
        return RemoteProtocolError(
            f"der Server will einen Zug, aber das Spiel ist aus: {outcome.de}: {position}",
            f"the server asks for a move, but the game is over: {outcome.en}: {position}",
        )

    # --- ends ---------------------------------------------------------------------------------------------------------

    def _player_result(self, result: Result) -> PlayerResult:
        by_team = {score.team: score for score in result.scores}
        points = tuple(by_team[team].parts if team in by_team else () for team in TEAMS)
        outcome = None if self.state is None else self.state.outcome
        at_fault = any(score.cause is not None and score.cause.value != "REGULAR" for score in result.scores)
        regular = result.regular if result.regular is not None else not at_fault
        reasons = [result.reason, *(score.reason for score in result.scores)]
        causes = [
            f"{score.team.name}: {score.cause.value}" for score in result.scores if score.cause is not None and at_fault
        ]
        why = next(filter(None, reasons), "")
        if not why and regular and outcome is not None:
            why = outcome.reason.text.en
        return PlayerResult(self._team, result.winner, points, why or ", ".join(causes), regular, self.state)

    def _refused(self, text: str) -> ServerRefused:
        asked = {Join: "join", JoinRoom: "--room", JoinPrepared: "--reservation", Observe: "observe"}[type(self._join)]
        return ServerRefused(f"der Server lehnt ab ({asked}): {text}", f"the server refuses ({asked}): {text}")

    def _left_too_early(self, de: str, en: str) -> ServerLeft:
        why = f": {self._error}" if self._error else ""
        if self.room_id is None:
            # A web server waits for the rest of a request that never comes.
            return ServerLeft(
                f"der Server hat {de}, bevor wir mitspielen durften{why or ': Ist das der Port des Spielleiters?'}",
                f"the server {en} before it let us join{why or ': is this the port of the game master?'}",
            )
        when = ("bevor das Spiel begann", "before the game began")
        if self.state is not None:
            when = (f"mitten im Spiel (Zug {self.state.turn})", f"in the middle of the game (turn {self.state.turn})")
        return ServerLeft(f"der Server hat {when[0]} {de}{why}", f"the server {en} {when[1]}{why}")
