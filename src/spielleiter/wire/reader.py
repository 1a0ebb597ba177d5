"""Elements to messages, for both sides. What is not understood is a ``MessageError`` that says what was expected."""

from __future__ import annotations

from collections.abc import Callable

from spielleiter.errors import MessageError
from spielleiter.game import Cause, Dialect, ScorePart, Team, Text
from spielleiter.game.element import Element, shown
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
    Welcome,
)

CLOSING = ("close", "sc.protocol.CloseConnection", "sc.protocol.responses.CloseConnection")
"""How the programs of the seasons say that they have finished."""

_SERVER_DATA = frozenset(("memento", "result", "welcomemessage", "moverequest", "paused", "error"))

_TEAMS = {team.name: team for team in Team}
_CAUSES = {cause.value: cause for cause in Cause}


def is_server_data(class_name: str) -> bool:
    """Whether only a server sends data of this class: no move, but no attempt at one either."""
    return _short(class_name) in _SERVER_DATA


def _short(class_name: str) -> str:
    return class_name.rpartition(".")[2].lower()


def read_request(element: Element) -> Request:
    """The request that a client made. Raises ``MessageError``."""
    reader = _REQUESTS.get(element.name)
    if reader is None:
        known = ", ".join(name for name in _REQUESTS if "." not in name)
        raise MessageError(
            f"unbekanntes Element <{shown(element.name)[1:-1]}>; bekannt sind {known}",
            f"unknown element <{shown(element.name)[1:-1]}>; expected one of {known}",
        )
    return reader(element)


def _authenticate(element: Element) -> Authenticate:
    return Authenticate(element.get("password") or element.get("passphrase") or "")


def _prepare(element: Element) -> Prepare:
    slots = tuple(
        SlotRequest(
            slot.get("displayName"),
            _optional_boolean(slot, "canTimeout"),
            _optional_boolean(slot, "reserved"),
            _optional_boolean(slot, "shouldBePaused"),
        )
        for slot in element.all("slot")
    )
    return Prepare(element.get("gameType"), slots, _optional_boolean(element, "pause"))


def _optional_boolean(element: Element, name: str) -> bool | None:
    return None if element.get(name) is None else element.boolean(name)


_REQUESTS: dict[str, Callable[[Element], Request]] = {
    "join": lambda e: Join(e.get("gameType"), e.get("displayName")),
    "joinRoom": lambda e: JoinRoom(e.value("roomId"), e.get("displayName")),
    "joinPrepared": lambda e: JoinPrepared(e.value("reservationCode"), e.get("displayName")),
    "room": lambda e: RoomMessage(e.get("roomId"), e.find("data")),
    "authenticate": _authenticate,
    "prepare": _prepare,
    "observe": lambda e: Observe(e.value("roomId")),
    "pause": lambda e: Pause(e.value("roomId"), e.boolean("pause")),
    "step": lambda e: Step(e.value("roomId"), e.boolean("forced", default=False)),
    "cancel": lambda e: Cancel(e.value("roomId")),
    "timeout": lambda e: SetTimeout(e.value("roomId"), e.integer("slot"), e.boolean("activate")),
    **dict.fromkeys(CLOSING, lambda e: Close(e.get("reason"))),
}


# --- what a server says -----------------------------------------------------------------------------------------------


def read_server_message(element: Element, dialect: Dialect) -> ServerMessage:
    """What the server said. Raises ``MessageError``."""
    match element.name:
        case "room":
            return _room_data(element.get("roomId") or "", element.child("data"), dialect)
        case "joined":
            return Joined(element.value("roomId"))
        case "left":
            return Left(element.value("roomId"))
        case "observed":
            return Observed(element.value("roomId"))
        case "prepared":
            codes = tuple(code.text.strip() for code in element.all("reservation"))
            return Prepared(element.value("roomId"), codes)
        case "joinedGameRoom":
            count = element.integer("playerCount") if element.get("playerCount") is not None else None
            return JoinedGameRoom(element.value("roomId"), count, _optional_boolean(element, "existing"))
        case "errorpacket":
            return ErrorPacket(element.get("message") or "", element.find("originalRequest"))
        case name if name in CLOSING:
            return Close()
        case name:
            raise MessageError(f"unbekanntes Element <{shown(name)[1:-1]}>", f"unknown element <{shown(name)[1:-1]}>")


def _room_data(room_id: str, data: Element, dialect: Dialect) -> ServerMessage:
    match data.get("class") or "":
        case "memento":
            return Memento(room_id, data.child("state"))
        case "welcomeMessage":
            return Welcome(room_id, data.value("color"))
        case "result":
            return _result(room_id, data, dialect)
        case "paused":
            return Paused(room_id, data.boolean("paused"))
        case "error":
            original = data.find("originalMessage") or data.find("originalRequest")
            return RoomError(room_id, data.get("message") or "", original)
        case name if _short(name) == "moverequest":
            return MoveRequest(room_id, name)
        case name:
            raise MessageError(f"unbekannte Klasse {shown(name)} in <data>", f"unknown class {shown(name)} in <data>")


def _result(room_id: str, data: Element, dialect: Dialect) -> Result:
    definition = tuple(_fragment(fragment) for fragment in data.child("definition").all("fragment"))
    table = data.find("scores")
    if table is not None:
        scores = tuple(_score(entry.child("score"), _player(entry.child("player"))) for entry in table.all("entry"))
    else:
        scores = tuple(_score(score, (team, "")) for team, score in zip(Team, data.all("score"), strict=False))
    colors = {color.upper(): team for color, team in zip(dialect.colors, Team, strict=True)}
    winners = [_winner(winner, colors) for winner in data.all("winner")]
    verdict = data.find("winner")
    return Result(
        room_id,
        definition,
        scores,
        winner=winners[0] if len(winners) == 1 else None,
        regular=None if verdict is None else _optional_boolean(verdict, "regular"),
        reason=None if verdict is None else verdict.get("reason"),
        draw=len(winners) > 1,
    )


def _fragment(fragment: Element) -> ScorePart:
    name = fragment.value("name")
    ranking = fragment.boolean("relevantForRanking", default=True)
    return ScorePart(
        name, Text(name, name), fragment.choice("aggregation", {"SUM": "SUM", "AVERAGE": "AVERAGE"}), ranking
    )


def _player(player: Element) -> tuple[Team, str]:
    return player.choice("team", _TEAMS), player.get("name") or ""


def _score(score: Element, player: tuple[Team, str]) -> Score:
    team, name = player
    parts = tuple(part.own_integer() for part in score.all("part"))
    cause = score.choice("cause", _CAUSES) if score.get("cause") is not None else None
    return Score(team, parts, name, cause, score.get("reason"))


def _winner(winner: Element, colors: dict[str, Team]) -> Team | None:
    name = winner.get("team") or winner.get("color")
    return None if name is None else colors.get(name, _TEAMS.get(name))
