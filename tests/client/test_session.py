from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from spielleiter import games
from spielleiter.client.session import (
    Action,
    ChooseMove,
    Finished,
    GameOver,
    GameReady,
    LogNote,
    Session,
    StateChanged,
)
from spielleiter.errors import LocalProtocolError, MessageError, PlayerFailed, RemoteProtocolError, ServerLeft
from spielleiter.game import Team
from spielleiter.wire.framing import parse_element
from spielleiter.wire.messages import (
    Close,
    ErrorPacket,
    Join,
    Joined,
    JoinPrepared,
    Left,
    MoveRequest,
    Prepared,
    RoomError,
    Welcome,
)
from tests.support.client_scripts import ROOM, ScriptedServer
from tests.support.theatre import connections, messages, recorded, single_bytes

PLAYED = [
    (2019, "a_normal"),
    (2019, "r_ruby_vs_java"),
    (2021, "a-normal"),
    (2022, "a-normal"),
    (2023, "a_game"),
    (2026, "a_game"),
    (2027, "a_game"),
]
STREAMS = [(year, scenario, seat) for year, scenario in PLAYED for seat in (0, 1)]


def stream(year: int, scenario: str, seat: int, direction: str) -> bytes:
    return recorded(year, connections(year, scenario)[seat], direction)


def all_actions(*pieces: bytes) -> tuple[Session, list[Action]]:
    session = Session(Join())
    found: list[Action] = []
    for piece in pieces:
        session.receive_data(piece, 1.0)
        found += session.actions()
    return session, found


@cache
def as_played(year: int, scenario: str, seat: int) -> tuple[Session, list[Action]]:
    """What the recorded game of a player is for our client; nobody changes it."""
    return all_actions(stream(year, scenario, seat, "s2c"))


@pytest.mark.parametrize(("year", "scenario", "seat"), STREAMS)
def test_a_game_on_the_reference_server_can_be_played(year: int, scenario: str, seat: int) -> None:
    session, actions = as_played(year, scenario, seat)
    assert session.game is not None
    assert session.game.year == year
    assert not session.game.official
    assert not session.doubtful
    assert [action for action in actions if isinstance(action, LogNote) and action.serious] == []
    [started] = [action for action in actions if isinstance(action, GameReady)]
    assert started.team is not None
    asked = [action for action in actions if isinstance(action, ChooseMove)]
    moves_sent = stream(year, scenario, seat, "c2s").count(b"<room")
    assert len(asked) == moves_sent > 20
    assert all(action.state.to_move is started.team and action.state.legal_moves() for action in asked)
    [over] = [action for action in actions if isinstance(action, GameOver)]
    assert over.result.regular
    assert over.result.team is started.team
    assert over.result.points[started.team][0] == {True: 2, False: 0}.get(over.result.won, 1) or over.result.drawn
    assert over.result.state.outcome is not None
    assert over.result.winner == over.result.state.outcome.winner
    assert isinstance(actions[-1], Finished)


@pytest.mark.parametrize(("year", "scenario", "seat"), STREAMS)
def test_the_move_of_the_reference_player_is_legal_where_we_would_have_been_asked(
    year: int, scenario: str, seat: int
) -> None:
    session, actions = as_played(year, scenario, seat)
    sent = [message for message in messages(stream(year, scenario, seat, "c2s")) if b"<room" in message]
    asked = [action for action in actions if isinstance(action, ChooseMove)]
    assert session.game is not None
    for action, message in zip(asked, sent, strict=True):
        room = parse_element(message.decode().replace("<protocol>", ""))
        assert action.state.violation(session.game.codec.read_move(room.child("data"))) is None


@pytest.mark.parametrize(("year", "scenario", "seat"), STREAMS[::2])
def test_the_stream_means_the_same_in_single_bytes(year: int, scenario: str, seat: int) -> None:
    said = stream(year, scenario, seat, "s2c")[:12_000]
    assert all_actions(*single_bytes(said))[1] == all_actions(said)[1]


@pytest.mark.slow
def test_the_stream_means_the_same_wherever_it_is_cut() -> None:
    parts = messages(recorded(2026, "a_game.p1", "s2c"))
    stream = b"".join(parts[:4])
    expected = all_actions(stream)[1]
    assert [type(action) for action in expected] == [LogNote, GameReady, StateChanged, ChooseMove]
    # Rows of empty fields look alike: they are cut in a few places only.
    for cut in [*range(1, 700), *range(700, len(stream) - 500, 37), *range(len(stream) - 500, len(stream))]:
        assert all_actions(stream[:cut], stream[cut:])[1] == expected


@pytest.mark.parametrize("name", ["k_bothequal_continues_red", "k_bothequal_continues_blue"])
def test_a_server_that_plays_on_where_the_document_ends_the_game_is_followed(name: str) -> None:
    session, actions = all_actions(recorded(2019, name, "s2c"))
    assert session.game is games.load("piranhas-2019-official")
    assert not session.doubtful
    assert all(action.state.legal_moves() for action in actions if isinstance(action, ChooseMove))
    assert isinstance(actions[-1], Finished)


# --- the way of a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", games.all_games())
def test_every_game_is_recognised_by_its_first_state(key: str) -> None:
    server = ScriptedServer(key)
    color = server.game.codec.dialect.colors[1]
    actions = server.begin(color)
    assert [type(action) for action in actions] == [LogNote, GameReady, StateChanged]
    started = actions[1]
    assert isinstance(started, GameReady)
    assert started.game.key == key.removesuffix("-official")
    assert started.team is Team.TWO
    assert started.names == (("Ada", "Bob") if server.game.year in (2019, 2021) else ("", ""))


def test_a_later_state_is_recognised_too() -> None:
    for key in games.all_games():
        server = ScriptedServer(key)
        state = server.state
        for _ in range(9):
            state = state.play(state.legal_moves()[0])
        server.state = state
        [_, started, shown] = server.begin(server.game.codec.dialect.colors[0])
        assert isinstance(started, GameReady)
        assert isinstance(shown, StateChanged)
        assert shown.state.turn == state.turn


def test_a_request_carries_the_time_at_which_it_arrived() -> None:
    server = ScriptedServer()
    server.begin()
    server.now = 123.25
    [asked] = server.ask()
    assert isinstance(asked, ChooseMove)
    assert asked.asked_at == 123.25
    assert asked.state == server.state


def test_a_move_goes_to_the_room_in_the_words_of_the_season() -> None:
    server = ScriptedServer("piranhas-2019")
    server.begin("red")
    [asked] = server.ask()
    assert isinstance(asked, ChooseMove)
    server.session.send_move(asked.game.notation.parse_move(asked.state, "A4-C4"))
    assert server.session.data_to_send() == (
        b'\n  <room roomId="r1">\n    <data class="move" x="0" y="4" direction="RIGHT"/>\n  </room>'
    )


def test_the_join_opens_the_document_and_close_ends_it() -> None:
    session = Session(JoinPrepared("secret"))
    assert session.data_to_send() == b'<protocol>\n  <joinPrepared reservationCode="secret"/>'
    session.close()
    assert session.data_to_send() == b"\n</protocol>"


def test_a_failure_is_the_reason_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_LANG", "en")
    session = Session(Join())
    session.give_up(PlayerFailed("oh", "choose() raised ValueError: <oh>"))
    assert b'<close reason="choose() raised ValueError: &lt;oh&gt;"/>' in session.data_to_send()


def test_the_reason_is_in_the_language_of_who_reads_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_LANG", "de")
    session = Session(Join())
    session.give_up(PlayerFailed("choose() hat nichts zurückgegeben", "choose() returned nothing"))
    assert "choose() hat nichts zurückgegeben" in session.data_to_send().decode()


def test_an_illegal_move_that_cannot_be_written_is_a_reason_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_LANG", "en")
    session = Session(Join())
    session.give_up(PlayerFailed("oh", "no move", move=object()))
    assert b'<close reason="no move"/>' in session.data_to_send()


def test_a_move_before_the_game_is_our_own_mistake() -> None:
    with pytest.raises(LocalProtocolError):
        Session(Join()).send_move(None)


def test_unknown_elements_data_and_attributes_are_ignored() -> None:
    server = ScriptedServer()
    server.begin()
    for strange in (
        "<news><item/></news>",
        '<room roomId="r1"><data class="chat" text="hi"/></room>',
        '<room roomId="r2"><data class="moveRequest"/></room>',
    ):
        [note] = server.say_raw(strange)
        assert isinstance(note, LogNote)
        assert not note.serious
    assert isinstance(server.say(Prepared("r9", ("a", "b")))[0], LogNote)
    [asked] = server.say_raw('<room roomId="r1" colour="new"><data class="moveRequest" hurry="yes"><x/></data></room>')
    assert isinstance(asked, ChooseMove)


def test_a_request_without_a_welcome_tells_our_side() -> None:
    server = ScriptedServer()
    server.say(Joined(ROOM))
    server.show(server.state)
    [started, asked] = server.ask()
    assert isinstance(started, GameReady)
    assert started.team is Team.ONE
    assert isinstance(asked, ChooseMove)


def test_nothing_happens_after_the_end() -> None:
    stream = recorded(2026, "a_game.p1", "s2c")
    session, actions = all_actions(stream)
    assert sum(isinstance(action, Finished) for action in actions) == 1
    session.receive_data(b"", 2.0)
    assert list(session.actions()) == []


# --- ends that are none -----------------------------------------------------------------------------------------------


def test_a_refused_reservation_is_reported_with_the_words_of_the_server() -> None:
    server = ScriptedServer(join=JoinPrepared("nonsense"))
    with pytest.raises(ServerLeft, match=r"refuses \(--reservation\): no such code"):
        server.say(ErrorPacket("no such code"))


@pytest.mark.parametrize(
    ("joined", "shown", "expected"),
    [
        (False, False, "before it let us join"),
        (True, False, "before the game began"),
        (True, True, r"in the middle of the game \(turn 0\)"),
    ],
)
def test_a_server_that_closes_is_reported_with_the_moment(joined: bool, shown: bool, expected: str) -> None:
    endings: list[Callable[[ScriptedServer], object]] = [
        lambda server: server.hang_up(),
        lambda server: server.say(Close()),
        lambda server: server.say(Left(ROOM)),
    ]
    for end in endings:
        server = ScriptedServer()
        if shown:
            server.begin()
        elif joined:
            server.say(Joined(ROOM))
        with pytest.raises(ServerLeft, match=expected):
            end(server)


def test_the_last_error_of_the_server_explains_why_it_closed() -> None:
    server = ScriptedServer()
    server.begin()
    [note] = server.say(RoomError(ROOM, "not your turn"))
    assert isinstance(note, LogNote)
    assert note.serious
    with pytest.raises(ServerLeft, match="not your turn"):
        server.hang_up()


def test_half_a_result_is_not_a_result() -> None:
    server = ScriptedServer()
    server.begin()
    with pytest.raises(MessageError, match="needs a <definition>"):
        server.say_raw('<room roomId="r1"><data class="result"/></room>')


# --- what cannot be ---------------------------------------------------------------------------------------------------


def test_another_game_than_the_expected_one_is_refused() -> None:
    server = ScriptedServer("piranhas-2019", game=games.load("blokus-2027"))
    with pytest.raises(MessageError, match="plays piranhas-2019, but blokus-2027 was expected"):
        server.begin("red")


def test_the_rule_set_that_was_asked_for_is_kept() -> None:
    official = games.load("piranhas-2026-official")
    server = ScriptedServer("piranhas-2026-official", game=official)
    server.begin()
    assert server.session.game is official


def test_a_state_of_no_game_is_refused() -> None:
    server = ScriptedServer()
    server.say(Joined(ROOM))
    with pytest.raises(MessageError, match="no season has states of this form"):
        server.say_raw('<room roomId="r1"><data class="memento"><state class="state" turn="0"/></data></room>')


def test_a_state_without_a_turn_is_refused_in_mid_game() -> None:
    server = ScriptedServer()
    server.begin()
    with pytest.raises(MessageError):
        server.say_raw('<room roomId="r1"><data class="memento"><state class="state"><board/></state></data></room>')


def test_a_team_that_does_not_exist_is_refused() -> None:
    server = ScriptedServer()
    server.say(Joined(ROOM))
    server.say(Welcome(ROOM, "GREEN"))
    with pytest.raises(MessageError, match="no team 'GREEN'"):
        server.show(server.state)


def test_a_request_before_the_first_state_is_refused() -> None:
    server = ScriptedServer()
    server.say(Joined(ROOM))
    with pytest.raises(RemoteProtocolError, match="has not shown a position"):
        server.say(MoveRequest(ROOM, "moveRequest"))


def test_a_request_after_the_end_of_the_game_is_refused() -> None:
    server = ScriptedServer("ostseeschach-2022")
    rng = Random(1)
    server.begin()
    while server.state.outcome is None:
        server.show(server.state.play(rng.choice(server.state.legal_moves())))
    with pytest.raises(RemoteProtocolError, match="the game is over"):
        server.ask()


def test_a_position_that_no_legal_move_led_to_is_doubtful_but_played() -> None:
    server = ScriptedServer()
    server.begin()
    assert not server.session.doubtful
    elsewhere = server.game.new_state(Random(99))
    [note, shown] = server.show(elsewhere.play(elsewhere.legal_moves()[0]))
    assert isinstance(note, LogNote)
    assert note.serious
    assert "no legal move leads from piranhas-2026" in note.text
    assert isinstance(shown, StateChanged)
    assert server.session.doubtful


def test_a_position_that_is_shown_twice_is_not_doubtful() -> None:
    server = ScriptedServer()
    server.begin()
    [shown] = server.show(server.state)
    assert isinstance(shown, StateChanged)
    assert not server.session.doubtful


def test_broken_xml_is_refused_after_what_came_before_it() -> None:
    server = ScriptedServer()
    server.session.receive_data(b'<joined roomId="r1"/><a></b>', 1.0)
    actions = server.session.actions()
    assert isinstance(next(actions), LogNote)
    with pytest.raises(RemoteProtocolError, match="not well-formed"):
        next(actions)
