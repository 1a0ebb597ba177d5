"""Messages to bytes, formatted as the reference servers do.

A newline and two spaces per level stand before each element, nothing follows it. Some programs read line by line, so
indentation and the order of attributes matter. What is sent often is filled into a template, not built up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from spielleiter.backports import assert_never
from spielleiter.errors import LocalProtocolError
from spielleiter.game import ScorePart, Team, WinnerForm
from spielleiter.game.element import Element
from spielleiter.wire.messages import (
    Authenticate,
    Cancel,
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
    Pause,
    Paused,
    Payload,
    Prepare,
    Prepared,
    Request,
    Result,
    RoomError,
    RoomMessage,
    Score,
    ServerMessage,
    SetTimeout,
    SlotRequest,
    Step,
    Unreadable,
    Welcome,
)

MAX_ECHO = 1024
"""Bytes of what a client sent that an error repeats: the answer to nonsense must not cost more than the nonsense."""

_SPECIAL = re.compile(r"[&<>\"'\t\n\r]")
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
    "\t": "&#x9;",
    "\n": "&#xa;",
    "\r": "&#xd;",
}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """``text`` as it may stand in an attribute or an element; characters that XML forbids become U+FFFD."""
    text = _FORBIDDEN.sub("\ufffd", text)
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)


def attributes(**values: str | int | bool | None) -> str:
    """The attributes with a blank before each, without those that are ``None``."""
    return "".join(f' {name}="{escape(_plain(value))}"' for name, value in values.items() if value is not None)


def _plain(value: str | int | bool) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def markup(element: Element, level: int) -> str:
    """The element as XML at this level of indentation, newline first."""
    indent = "\n" + "  " * level
    start = f"{indent}<{element.name}{attributes(**element.attributes)}"
    if element.children:
        inside = "".join(markup(child, level + 1) for child in element.children)
        return f"{start}>{inside}{indent}</{element.name}>"
    text = element.text.strip()
    return f"{start}>{escape(text)}</{element.name}>" if text else f"{start}/>"


def abridged(element: Element) -> Element:
    """The element as an error repeats it: whole if it is short, else without children and with its first attributes."""
    if _length(element) <= MAX_ECHO and _size(markup(element, 0)) <= MAX_ECHO:
        return element
    first: dict[str, str] = {}
    for name, value in element.attributes.items():
        longer = {**first, name: value}
        # The tags need their place, too.
        if len(name) + len(value) > MAX_ECHO or _size(attributes(**longer)) > MAX_ECHO - 100:
            break
        first = longer
    return Element(element.name, first, text="...")


def _length(element: Element) -> int:
    """A lower bound on the characters of the markup; stops counting once it is long in any case."""
    length = len(element.name) + len(element.text) + sum(len(n) + len(v) for n, v in element.attributes.items())
    for child in element.children:
        if length > MAX_ECHO:
            break
        length += _length(child)
    return length


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))


def encode(message: Request | ServerMessage) -> bytes:
    """The message as it goes over the wire, the same for every receiver."""
    try:
        return _WRITERS[type(message)](message).encode()
    except UnicodeEncodeError as error:
        raise LocalProtocolError(f"a codec wrote something that is not text: {error}") from None


def _in_room(room_id: str, data: str) -> str:
    return f'\n  <room roomId="{escape(room_id)}">{data}\n  </room>'


def _about_room(name: str) -> Callable[[Any], str]:
    return lambda message: f'\n  <{name} roomId="{escape(message.room_id)}"/>'


def _memento(memento: Memento) -> str:
    return _in_room(memento.room_id, f'\n    <data class="memento">{_payload(memento.state, 3)}\n    </data>')


def _payload(payload: Payload, level: int) -> str:
    return payload if isinstance(payload, str) else markup(payload, level)


def _data(class_name: str, **values: str | bool) -> str:
    return f"\n    <data{attributes(**{'class': class_name, **values})}/>"


def _joined_game_room(joined: JoinedGameRoom) -> str:
    about = attributes(roomId=joined.room_id, playerCount=joined.player_count, existing=joined.existing)
    return f"\n  <joinedGameRoom{about}/>"


def _prepared(prepared: Prepared) -> str:
    codes = tuple(Element("reservation", text=code) for code in prepared.reservations)
    return markup(Element("prepared", {"roomId": prepared.room_id}, codes), 1)


def _error_packet(packet: ErrorPacket) -> str:
    echo = (abridged(packet.request),) if packet.request else ()
    return markup(Element("errorpacket", {"message": packet.message}, echo), 1)


def _room_message(message: RoomMessage) -> str:
    if isinstance(message.data, str):
        return _in_room(message.room_id or "", message.data)
    return markup(request_element(message), 1)


# --- requests as elements, to send them and to repeat them in errors --------------------------------------------------


def request_element(request: Request) -> Element:
    """The request as an element; a move that a codec has written has to be sent as it is."""
    element: Element = _REQUESTS[type(request)](request)
    return element


def original_request(request: Request | Unreadable) -> Element:
    """The request as an error repeats it; a password is never repeated."""
    match request:
        case Authenticate():
            element = Element("authenticate")
        case Unreadable(element, _):
            pass
        case _:
            element = request_element(request)
    shown = {key: value for key, value in element.attributes.items() if key not in ("class", "password", "passphrase")}
    return Element("originalRequest", {"class": element.name, **shown}, element.children, element.text)


def _element(name: str, *children: Element, **values: str | int | bool | None) -> Element:
    present = {key: _plain(value) for key, value in values.items() if value is not None}
    return Element(name, present, children)


def _slot_element(slot: SlotRequest) -> Element:
    return _element(
        "slot",
        displayName=slot.display_name,
        canTimeout=slot.can_timeout,
        reserved=slot.reserved,
        shouldBePaused=slot.paused,
    )


_REQUESTS: dict[type, Callable[[Any], Element]] = {
    Join: lambda r: _element("join", gameType=r.game_type, displayName=r.name),
    JoinRoom: lambda r: _element("joinRoom", roomId=r.room_id, displayName=r.name),
    JoinPrepared: lambda r: _element("joinPrepared", reservationCode=r.reservation_code, displayName=r.name),
    Authenticate: lambda r: _element("authenticate", password=r.password),
    Prepare: lambda r: _element("prepare", *map(_slot_element, r.slots), gameType=r.game_type, pause=r.pause),
    Observe: lambda r: _element("observe", roomId=r.room_id),
    Pause: lambda r: _element("pause", roomId=r.room_id, pause=r.pause),
    Step: lambda r: _element("step", roomId=r.room_id, forced=r.forced),
    Cancel: lambda r: _element("cancel", roomId=r.room_id),
    SetTimeout: lambda r: _element("timeout", roomId=r.room_id, activate=r.active, slot=r.slot),
    RoomMessage: lambda r: _element("room", *([r.data] if r.data else []), roomId=r.room_id),
    Close: lambda r: _element("close", reason=r.reason),
}


# --- errors and results -----------------------------------------------------------------------------------------------


def _room_error(error: RoomError) -> str:
    original = error.original
    echo = (abridged(replace(original, name=error.original_name)),) if original else ()
    return markup(Element("data", {"class": "error", "message": error.message}, echo), 2)


def _result(result: Result) -> str:
    definition = "".join(map(_fragment, result.definition))
    scores = "".join(_score(result, score) for score in result.scores)
    if result.form.by_player:
        scores = f"\n      <scores>{scores}\n      </scores>"
    return (
        f'\n    <data class="result">\n      <definition>{definition}\n      </definition>'
        f"{scores}{_winners(result)}\n    </data>"
    )


def _fragment(part: ScorePart) -> str:
    # Every season's server calls every part relevant, also one by which no table was ever ranked.
    return (
        f"\n        <fragment{attributes(name=part.name)}>\n          <aggregation>{part.aggregation}</aggregation>"
        f"\n          <relevantForRanking>true</relevantForRanking>\n        </fragment>"
    )


def _score(result: Result, score: Score) -> str:
    why = "" if score.cause is None else attributes(cause=score.cause.value, reason=score.reason)
    if not result.form.by_player:
        return f"\n      <score{why}>{_parts(score, 4)}\n      </score>"
    player = f"\n          <player{attributes(name=score.name or None, team=score.team.name)}/>"
    return f"\n        <entry>{player}\n          <score{why}>{_parts(score, 6)}\n          </score>\n        </entry>"


def _parts(score: Score, level: int) -> str:
    return "".join(f"\n{'  ' * level}<part>{part}</part>" for part in score.parts)


def _winners(result: Result) -> str:  # noqa: RET503 - ruff does not know that assert_never never returns
    names = {score.team: score.name for score in result.scores}
    match result.form.winner:
        case WinnerForm.VERDICT:
            team = None if result.winner is None else result.winner.name
            return f"\n      <winner{attributes(team=team, regular=result.regular, reason=result.reason)}/>"
        case WinnerForm.TEAM:
            return "" if result.winner is None else f"\n      <winner{attributes(team=result.winner.name)}/>"
        case WinnerForm.COLOR:
            if result.winner is None:
                return ""
            color = result.colors[result.winner].upper()
            return f"\n      <winner{attributes(displayName=names[result.winner], color=color)}/>"
        case WinnerForm.PLAYERS:
            best = tuple(Team) if result.draw else () if result.winner is None else (result.winner,)
            return "".join(
                f"\n      <winner{attributes(displayName=names[team])}>"
                f'\n        <color class="team">{team.name}</color>\n      </winner>'
                for team in best
            )
        case _:
            assert_never(result.form.winner)


_WRITERS: dict[type, Callable[[Any], str]] = {
    **dict.fromkeys(_REQUESTS, lambda request: markup(request_element(request), 1)),
    RoomMessage: _room_message,
    Joined: _about_room("joined"),
    Observed: _about_room("observed"),
    Left: _about_room("left"),
    JoinedGameRoom: _joined_game_room,
    Prepared: _prepared,
    ErrorPacket: _error_packet,
    Memento: _memento,
    MoveRequest: lambda message: _in_room(message.room_id, _data(message.request_class)),
    Welcome: lambda message: _in_room(message.room_id, _data("welcomeMessage", color=message.color)),
    Paused: lambda message: _in_room(message.room_id, _data("paused", paused=message.paused)),
    RoomError: lambda message: _in_room(message.room_id, _room_error(message)),
    Result: lambda message: _in_room(message.room_id, _result(message)),
}
