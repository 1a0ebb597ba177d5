"""The replays of the reference servers, to and from records: one XML document with a state for each ply.

A replay is what an observer was sent: ``<room>`` messages with the states, the error of an illegal move, the result.
So the stream of bytes that a client received is a replay too; what else it holds is ignored. Which season it is
shows in the form of the states. Moves come from ``lastMove``, or from the difference of two states. What a replay does
not tell, its record lacks: times, limits and software; from 2026 on also the cause of a fault, which is then
``RULE_VIOLATION`` if the file has an error message and ``LEFT`` if not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from spielleiter import games
from spielleiter.errors import MessageError, NotationError, RecordError, RemoteProtocolError
from spielleiter.game import TEAMS, AnyGame, Cause, Element, Language, Team, TeamResult, Text
from spielleiter.game.note import is_note_line
from spielleiter.game.note_reader import read_notes
from spielleiter.records.history import History, RecordedMove, RecordedNotes, RecordedOffence, RecordedResult, Referee
from spielleiter.wire import encode
from spielleiter.wire.framing import SERVER_FRAMES, Framer, parse_element
from spielleiter.wire.messages import Memento, Result, RoomError, ServerMessage
from spielleiter.wire.reader import read_server_message
from spielleiter.wire.results import result_message, wire_reason

_PIECE = 64 * 1024
_MAX_STATES = 2000
_RULE_SET = re.compile(rb"\s*<protocol>\s*<!-- rule set: ([a-z0-9-]{1,40}) -->")


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Found:
    """What was found in a file so far."""

    game: AnyGame
    room_id: str
    names: tuple[str, str]
    states: list[Any]
    moves: list[RecordedMove] = field(default_factory=list)
    notes: list[RecordedNotes] = field(default_factory=list)
    error: RoomError | None = None
    result: Result | None = None


def parse_replay(data: bytes, place: str = "replay", *, official: bool = True) -> History:
    """The record of a replay of any season, by the rule set that it names, else that of its server or of its document.

    Raises ``RecordError`` for anything but a replay of a game.
    """
    found: _Found | None = None
    if (match := _RULE_SET.match(data)) is not None and (named := games.all_games().get(match[1].decode())) is not None:
        official = named.official
    try:
        for element in _elements(data):
            if found is None:
                found = _begin(element, official)
            elif found.result is None:
                _go_on(found, element)
    except (RemoteProtocolError, RecordError) as problem:
        where = Text("", "")
        if found is not None:
            number, turn = len(found.states), found.states[-1].turn
            where = Text(f" nach Stellung {number} (Zug {turn})", f" after state {number} (turn {turn})")
        raise RecordError(
            f"{place}: kein Replay{where.de}: {problem.text.de}", f"{place}: no replay{where.en}: {problem.text.en}"
        ) from None
    if found is None:
        raise RecordError(
            f"{place}: in dieser Datei ist kein <state>; erwartet wird ein Replay",
            f"{place}: there is no <state> in this file; expected a replay",
        )
    return _record(found, place)


def _elements(data: bytes) -> Iterator[Element]:
    framer = Framer(SERVER_FRAMES)
    for at in range(0, len(data), _PIECE):
        framer.feed(data[at : at + _PIECE])
        while (element := framer.next()) is not None:
            yield element


def _state_of(element: Element) -> Element | None:
    """The ``<state>`` in a message, or a position that stands alone, as for the servers' ``--loadGameFile``."""
    if element.name == "state":
        return element
    data = element.find("data") if element.name == "room" else None
    return None if data is None or data.get("class") != "memento" else data.child("state")


def _begin(element: Element, official: bool) -> _Found | None:
    shown = _state_of(element)
    if shown is None:
        return None
    game = games.recognise(shown, official=official)
    state = game.codec.read_state(shown)
    text = game.notation.format_state(state)
    try:
        game.notation.parse_state(text)
    except NotationError as problem:
        raise RecordError(f"eine unmögliche Stellung: {problem}", f"an impossible position: {problem}") from None
    names = [child.attributes["displayName"] for child in shown.children if "displayName" in child.attributes]
    one, two = names if len(names) == 2 else ("", "")
    return _Found(game, element.get("roomId") or "", (one, two), [state])


def _go_on(found: _Found, element: Element) -> None:
    if element.name != "state" and (element.name != "room" or (element.get("roomId") or "") != found.room_id):
        return
    shown = _state_of(element)
    if shown is not None:
        _add_state(found, shown)
        return
    if element.name == "room" and (element.child("data").get("class") or "") in ("result", "error"):
        match read_server_message(element, found.game.codec.dialect):
            case Result() as result:
                found.result = result
            case RoomError() as error:
                found.error = error


def _add_state(found: _Found, shown: Element) -> None:
    before, state = found.states[-1], found.game.codec.read_state(shown)
    if state == before:  # A stepped game shows a state again.
        return
    if len(found.states) >= _MAX_STATES:
        raise RecordError(f"mehr als {_MAX_STATES} Stellungen", f"more than {_MAX_STATES} states")
    move = _move_between(before, state)
    if move is None:
        raise RecordError(
            f"kein gültiger Zug führt zur nächsten Stellung (Zug {state.turn})",
            f"no legal move leads to the next state (turn {state.turn})",
        )
    text = found.game.notation.format_move(before, move)
    last = shown.find("lastMove")
    hints = () if last is None else tuple(hint.get("content") or "" for hint in last.all("hint"))
    if noted := [hint for hint in hints if is_note_line(hint)]:
        found.notes.append(RecordedNotes(len(found.moves), before.to_move, *read_notes(noted, found.game)))
        hints = tuple(hint for hint in hints if not is_note_line(hint))
    found.moves.append(RecordedMove(len(found.moves), before.turn, before.to_move, text, None, hints))
    found.states.append(before.play_unchecked(move))


def _move_between(before: Any, after: Any) -> Any | None:
    last = after.last_move
    if last is not None and before.violation(last) is None and before.play_unchecked(last) == after:
        return last
    return next((move for move in before.legal_moves() if before.play_unchecked(move) == after), None)


def _record(found: _Found, place: str) -> History:
    game, notation = found.game, found.game.notation
    names = found.names
    if found.result is not None and not any(names):
        by_team = {score.team: score.name for score in found.result.scores}
        names = (by_team.get(Team.ONE, ""), by_team.get(Team.TWO, ""))
    return History(
        game_key=game.key,
        id=found.room_id,
        start=notation.format_state(found.states[0]),
        names=names,
        referee=Referee.REFERENCE,
        moves=tuple(found.moves),
        notes=tuple(found.notes),
        result=None if found.result is None else _recorded_result(found, found.result, place),
        place=place,
    )


def _recorded_result(found: _Found, sent: Result, place: str) -> RecordedResult:
    game, state = found.game, found.states[-1]
    one, two = (_team_result(found, sent, team) for team in TEAMS)
    for team in (one, two):
        if len(team.points) != len(game.scores):
            expected, came = len(game.scores), len(team.points)
            raise RecordError(
                f"{place}: ein Ergebnis von {game} hat {expected} Werte, nicht {came}",
                f"{place}: a score of {game} has {expected} parts, not {came}",
            )
    offenders = [team for team, result in zip(TEAMS, (one, two), strict=True) if result.cause is not Cause.REGULAR]
    reason = sent.reason or next((score.reason for score in sent.scores if score.reason), "")
    outcome = None if offenders else state.outcome
    return RecordedResult(
        (one, two),
        sent.winner,
        Text(reason, reason),
        None if outcome is None else outcome.reason.name,
        final=game.notation.format_state(state),
        offence=_offence(found, offenders[0]) if len(offenders) == 1 else None,
    )


def _team_result(found: _Found, sent: Result, team: Team) -> TeamResult:
    score = next((score for score in sent.scores if score.team is team), None)
    if score is None:
        return TeamResult(Cause.REGULAR, (0,) * len(found.game.scores))
    cause = score.cause
    if cause is None:
        at_fault = sent.regular is False and sent.winner is team.opponent
        cause = Cause.REGULAR if not at_fault else Cause.RULE_VIOLATION if found.error else Cause.LEFT
    return TeamResult(cause, score.parts)


def _offence(found: _Found, team: Team) -> RecordedOffence | None:
    error = found.error
    if error is None:
        return None
    sent = None
    if error.original is not None:
        try:
            move = found.game.codec.read_move(error.original)
            sent = found.game.notation.format_move(found.states[-1], move)
        except MessageError:
            sent = None
    return RecordedOffence(team, Text(error.message, error.message), sent)


# --- writing ----------------------------------------------------------------------------------------------------------


def replay_bytes(record: History, language: Language = "de") -> bytes:
    """The record as the season's server would have saved it. Raises ``RecordError`` if its moves make no game."""
    game = record.game
    messages = "".join(_at_the_left(message) for message in _messages(record, game, language))
    # Only the servers of the seasons write replays, and by their own rule sets: any other one has to be named.
    rule_set = "" if game.official else f"<!-- rule set: {game.key} -->\n"
    return f"<protocol>\n{rule_set}{messages}</protocol>".encode()


def _messages(record: History, game: AnyGame, language: Language) -> Iterator[ServerMessage]:
    write = game.codec.state_writer(record.names)
    yield Memento(record.id, write(record.first_state, ()))
    for ply in record.plies:
        yield Memento(record.id, write(ply.state, ply.hints))
    result = record.result
    if result is None:
        return
    if result.offence is not None and result.teams[result.offence.team].cause is Cause.RULE_VIOLATION:
        yield _error(record, result.offence, language)
    if record.referee is not Referee.REFERENCE:
        yield result_message(record.id, game, record.names, result, wire_reason(result, language))
        return
    # The servers of the seasons had words of their own, and called every game regular in which neither side was at
    # fault, also a cancelled one.
    if result.end is None and not any(team.cause is not Cause.REGULAR for team in result.teams):
        result = replace(result, end="BY_THE_SERVER")
    yield result_message(record.id, game, record.names, result, result.reason.to(language))


def _error(record: History, offence: RecordedOffence, language: Language) -> RoomError:
    move, codec = record.refused_move, record.game.codec
    original = None if move is None else parse_element(codec.write_move(move))
    return RoomError(record.id, offence.text.to(language), original, codec.dialect.original_message)


def _at_the_left(message: ServerMessage) -> str:
    """The message as it stands in a file: not indented, the newline after it."""
    return encode(message).decode().replace("\n  ", "\n").removeprefix("\n") + "\n"
