"""Both sides of a connection talk to each other, and know when it is over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import LocalProtocolError, RemoteProtocolError
from spielleiter.game import Cause, Dialect, Element, ResultForm, ScoreForm, ScorePart, Team, Text, WinnerForm
from spielleiter.wire import ClientConnection, ServerConnection, encode
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
    Result,
    RoomError,
    RoomMessage,
    Score,
    SetTimeout,
    SlotRequest,
    Step,
    Unreadable,
    Welcome,
)

REQUESTS = [
    Join(),
    Join("swc_2027_blokus"),
    JoinRoom("1"),
    JoinPrepared("a & b"),
    Authenticate("<\"'&>\t\n ä€😀"),
    Prepare("swc", (SlotRequest("Alice", True, True), SlotRequest()), True),
    Prepare(None, (SlotRequest("A", paused=True),)),
    Observe("1"),
    Pause("1", True),
    Step("1", True),
    Step("1"),
    Cancel("1"),
    SetTimeout("1", 1, False),
    RoomMessage("1", Element("data", {"class": "move"}, (Element("from", {"x": "1"}),))),
    RoomMessage("1", None),
    RoomMessage(None, None),
    Close(),
]
PARTS = (ScorePart("Siegpunkte", Text("Siegpunkte", "Siegpunkte"), "SUM"), ScorePart("∅", Text("∅", "∅"), "AVERAGE"))
SCORES = (Score(Team.ONE, (2, 17), "Alice"), Score(Team.TWO, (0, -3)))
CAUSES = (Score(Team.ONE, (2, 1), "", Cause.REGULAR, ""), Score(Team.TWO, (0, 0), "", Cause.LEFT, "weg"))
ANSWERS = [
    Joined("1"),
    JoinedGameRoom("1", player_count=2),
    JoinedGameRoom("1", existing=True),
    Prepared("1", ("a", "b")),
    Prepared("1", ()),
    Observed("1"),
    Left("1"),
    Welcome("1", "red"),
    Memento("1", Element("state", {"turn": "3"}, (Element("board"),))),
    MoveRequest("1", "moveRequest"),
    MoveRequest("1", "sc.framework.plugins.protocol.MoveRequest"),
    Paused("1", False),
    RoomError("1", "nein\nwirklich", Element("originalMessage", {"class": "move"})),
    RoomError("1", "nein"),
    ErrorPacket("nein", Element("originalRequest", {"class": "join"})),
    ErrorPacket("nein"),
    Result("1", PARTS, SCORES, Team.ONE, True, "darum"),
    Result("1", PARTS, SCORES, None, False, "darum"),
    Result("1", PARTS, CAUSES, Team.TWO, form=ResultForm(score=ScoreForm.CAUSE, winner=WinnerForm.TEAM)),
    Result(
        "1",
        PARTS,
        CAUSES,
        Team.ONE,
        form=ResultForm(by_player=False, score=ScoreForm.CAUSE_AND_REASON, winner=WinnerForm.COLOR),
        colors=("red", "blue"),
    ),
    Result("1", PARTS, CAUSES, None, draw=True, form=ResultForm(by_player=False, winner=WinnerForm.PLAYERS)),
    Close(),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=repr)
def test_a_request_arrives_as_it_was_sent(request_) -> None:  # type: ignore[no-untyped-def]
    client, server = ClientConnection(), ServerConnection()
    client.send(request_)
    server.receive_data(client.data_to_send())
    assert [*server.events()] == [request_]


@pytest.mark.parametrize("answer", ANSWERS, ids=repr)
def test_an_answer_arrives_as_it_was_sent(answer) -> None:  # type: ignore[no-untyped-def]
    client, server = ClientConnection(Dialect(colors=("red", "blue"))), ServerConnection()
    server.send(answer)
    client.receive_data(server.data_to_send())
    assert [*client.events()] == [answer]


@given(st.text(), st.text())
def test_any_text_survives_or_loses_only_what_xml_forbids(message: str, name: str) -> None:
    client, server = ClientConnection(), ServerConnection()
    server.send(ErrorPacket(message, Element("originalRequest", {"class": name})))
    client.receive_data(server.data_to_send())
    [received] = client.events()
    assert isinstance(received, ErrorPacket)
    assert received.request is not None
    pairs = [
        *zip(message, received.message, strict=True),
        *zip(name, received.request.attributes["class"], strict=True),
    ]
    assert all(sent == came or came == "\ufffd" for sent, came in pairs)


def test_the_document_opens_with_the_first_message_and_closes_once() -> None:
    server = ServerConnection()
    assert server.data_to_send() == b""
    server.send(Joined("1"))
    assert server.data_to_send() == b'<protocol>\n  <joined roomId="1"/>'
    server.send(Left("1"))
    server.close()
    server.close()
    assert server.data_to_send() == b'\n  <left roomId="1"/>\n</protocol>'
    assert server.data_to_send() == b""
    assert server.closed


def test_a_connection_that_said_nothing_still_closes_a_whole_document() -> None:
    server = ServerConnection()
    server.close()
    assert server.data_to_send() == b"<protocol>\n</protocol>"


def test_a_message_after_the_end_is_our_own_mistake() -> None:
    server = ServerConnection()
    server.close()
    with pytest.raises(LocalProtocolError):
        server.send(Joined("1"))


def test_a_codec_that_writes_no_text_is_our_own_mistake() -> None:
    with pytest.raises(LocalProtocolError):
        encode(Memento("1", "\ud800"))


@pytest.mark.parametrize(
    "ending",
    [
        b"<close/>",
        b"<close></close></protocol>",
        b"<sc.protocol.CloseConnection/>",
        b"<sc.protocol.responses.CloseConnection/>\n</protocol>",
        b"</protocol>",
        b"</protocol>\n\n",
        b"",
    ],
)
def test_every_way_to_end_is_one_close(ending: bytes) -> None:
    server = ServerConnection()
    server.receive_data(b"<protocol><join/>")
    assert [*server.events()] == [Join()]
    server.receive_data(ending)
    assert [*server.events()] == [Close()]
    server.receive_data(b"")
    assert [*server.events()] == []


def test_what_follows_a_close_is_not_heard() -> None:
    server = ServerConnection()
    server.receive_data(b"<protocol><close/><join/><<<")
    assert [*server.events()] == [Close()]
    assert [*server.events()] == []


def test_what_came_before_a_mistake_is_reported_first_and_the_mistake_once() -> None:
    server = ServerConnection()
    server.receive_data(b"<protocol><join/><observe roomId='1'/><<")
    events = server.events()
    assert next(events) == Join()
    assert next(events) == Observe("1")
    with pytest.raises(RemoteProtocolError, match="line 1"):
        next(events)
    server.receive_data(b"<join/>")
    assert [*server.events()] == []


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        (b"<fooBar/>", "expected one of join"),
        (b"<joinRoom/>", "needs roomId"),
        (b'<pause roomId="1"/>', "needs pause"),
        (b'<pause roomId="1" pause="maybe"/>', "must be one of true, false"),
        (b'<step roomId="1" forced="1"/>', "forced in <step>"),
        (b'<timeout roomId="1" slot="x" activate="true"/>', "whole number, not 'x'"),
    ],
)
def test_a_request_that_makes_no_sense_is_reported_with_what_was_expected(xml: bytes, expected: str) -> None:
    server = ServerConnection()
    server.receive_data(b"<protocol>" + xml + b"<join/>")
    unreadable, join = server.events()
    assert isinstance(unreadable, Unreadable)
    assert expected in unreadable.error.text.en
    assert join == Join()


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        (b"<fooBar/>", "fooBar"),
        (b'<room roomId="1"/>', "<data>"),
        (b'<room roomId="1"><data class="x"/></room>', "class 'x'"),
        (b'<room roomId="1"><data class="memento"/></room>', "<state>"),
        (b"<joined/>", "roomId"),
    ],
)
def test_a_server_that_makes_no_sense_is_reported_too(xml: bytes, expected: str) -> None:
    client = ClientConnection()
    client.receive_data(b"<protocol>" + xml)
    [unreadable] = client.events()
    assert isinstance(unreadable, Unreadable)
    assert expected in unreadable.error.text.en


def test_a_value_may_stand_in_an_attribute_or_in_a_child() -> None:
    server = ServerConnection()
    server.receive_data(b"<protocol><joinRoom><roomId> 7 </roomId></joinRoom>")
    assert [*server.events()] == [JoinRoom("7")]
