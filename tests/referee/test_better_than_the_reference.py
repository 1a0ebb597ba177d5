"""Where we deliberately differ from the reference servers: faults, races and what nobody thought of."""

import re
from itertools import count
from random import Random
from typing import Any

import pytest

from spielleiter.game import TEAMS, AnyGame, Cause, Limits, Team, random_game
from spielleiter.games import load
from spielleiter.games.ostseeschach import Kind, Piece, State
from spielleiter.referee import GameEnded, GameStarted, LobbySettings, MoveMade, Phase
from tests.support.theatre import OFFICIAL, PASSWORD, SEASONS, Theatre

ALL = [load(OFFICIAL[year]) for year in SEASONS]
every_season = pytest.mark.parametrize("game", ALL, ids=str)


def first_move(state: Any, game: AnyGame, room_id: str = "room") -> str:
    """A legal move as a client sends it."""
    return f'<room roomId="{room_id}">{game.codec.write_move(state.legal_moves()[0])}</room>'


def illegal_move(game: AnyGame, room_id: str = "room") -> str:
    """A well-formed move off the board."""
    move = game.codec.write_move(game.new_state(Random(3)).legal_moves()[0])
    return f'<room roomId="{room_id}">{re.sub(r"x=.[0-9]+.", "x=" + chr(34) + "99" + chr(34), move, count=1)}</room>'


def prepared(game: AnyGame, *, pause: bool = False, start: Any = None, **settings: Any) -> Theatre:
    """A running game between Alice and Bob, watched by an administrator; the room is called ``room``."""
    theatre = Theatre(
        game, start=start, ids=["code-1", "code-2", "room"], settings=LobbySettings(password=PASSWORD, **settings)
    )
    theatre.say("admin", authenticate())
    slots = "".join(f'<slot displayName="{name}" canTimeout="true" reserved="true"/>' for name in ("Alice", "Bob"))
    paused = "true" if pause else "false"
    theatre.say(
        "admin", f'<prepare gameType="{game.wire_name}" pause="{paused}">{slots}</prepare><observe roomId="room"/>'
    )
    theatre.say("alice", '<protocol><joinPrepared reservationCode="code-1"/>')
    theatre.say("bob", '<protocol><joinPrepared reservationCode="code-2"/>')
    return theatre


def authenticate() -> str:
    return f'<protocol><authenticate password="{PASSWORD}"/>'


def end(theatre: Theatre) -> GameEnded:
    [ended] = [effect for effect in theatre.effects if isinstance(effect, GameEnded)]
    return ended


def causes(theatre: Theatre) -> tuple[str, str]:
    one, two = end(theatre).result.teams
    return one.cause.value, two.cause.value


def saw_the_result(theatre: Theatre, *names: str) -> bool:
    """Whether the last two things that each of them heard are the result and that the room is left."""
    return all(
        b'<data class="result">' in theatre.heard[name][-2] and b"<left " in theatre.heard[name][-1] for name in names
    )


# --- moves that cannot be read, or are not legal ----------------------------------------------------------------------

UNREADABLE = {
    "piranhas-2019-official": [
        ('<data class="move" x="0" y="1"/>', "direction"),
        ('<data class="move" x="zero" y="1" direction="UP"/>', "whole number"),
        ('<data class="move" x="0" y="1" direction="NORTH"/>', "UP_LEFT"),
        ('<data class="move"/>', "needs x"),
        ('<data class="foo"/>', "class move"),
        ('<data x="0" y="1" direction="UP"/>', "class move"),
    ],
    "piranhas-2026-official": [
        ('<data class="move"><direction>UP</direction></data>', "<from>"),
        ('<data class="move"><from x="0"/><direction>UP</direction></data>', "needs y"),
        ('<data class="move"><from x="0" y="4"/><direction>NORTH</direction></data>', "UP_LEFT"),
        ('<data class="move"><from x="1e3" y="4"/><direction>UP</direction></data>', "whole number"),
        ('<data class="move"/>', "<from>"),
    ],
    "ostseeschach-2022-official": [
        ('<data class="move"><to x="0" y="3"/></data>', "<from>"),
        ('<data class="move"><from x="0" y="0"/></data>', "<to>"),
        ('<data class="move"><from x="" y="0"/><to x="0" y="3"/></data>', "whole number"),
    ],
    "blokus-2021-official": [
        ('<data class="sc.plugin2021.SetMove"/>', "<piece>"),
        ('<data class="sc.plugin2021.SkipMove"/>', "needs color"),
        ('<data class="sc.plugin2021.SkipMove"><color>PINK</color></data>', "BLUE, YELLOW"),
    ],
    "blokus-2027-official": [
        (
            '<data class="setmove"><piece color="BLUE" kind="HEXA_I" rotation="NONE" isFlipped="false"/></data>',
            "<position>",
        ),
        (
            '<data class="setmove"><piece color="BLUE" kind="HEXA_I" rotation="NONE" isFlipped="false">'
            '<position x="0" y="0"/></piece></data>',
            "PENTO_I",
        ),
        (
            '<data class="setmove"><piece color="BLUE" kind="MONO" rotation="UP" isFlipped="false">'
            '<position x="0" y="0"/></piece></data>',
            "MIRROR",
        ),
        (
            '<data class="setmove"><piece color="BLUE" kind="MONO" rotation="NONE" isFlipped="maybe">'
            '<position x="0" y="0"/></piece></data>',
            "true, false",
        ),
        ('<data class="nomove"/>', "setmove, skipmove"),
    ],
}


@pytest.mark.parametrize(
    ("game", "data", "expected"),
    [(game, data, expected) for game in ALL for data, expected in UNREADABLE[game.key]],
    ids=str,
)
def test_a_move_that_cannot_be_read_is_a_rule_violation_with_an_explanation(
    game: AnyGame, data: str, expected: str
) -> None:
    theatre = prepared(game, language="en")
    error, _, _ = theatre.say("alice", f'<room roomId="room">{data}</room>')
    assert b'class="error"' in error
    assert expected.encode().replace(b"<", b"&lt;").replace(b">", b"&gt;") in error
    assert causes(theatre) == ("RULE_VIOLATION", "REGULAR")
    assert saw_the_result(theatre, "alice", "bob", "admin")
    assert not theatre.closed("alice")


@every_season
def test_the_offender_sees_error_and_result_and_stays_connected(game: AnyGame) -> None:
    theatre = prepared(game)
    error, _, _ = theatre.say("alice", illegal_move(game))
    assert b'<data class="error" message="Ung' in error
    assert saw_the_result(theatre, "alice", "bob", "admin")
    assert end(theatre).result.winner is Team.TWO
    assert end(theatre).result.teams[0].points == (0,) * len(game.scores)
    assert end(theatre).result.teams[1].points[0] == 2
    assert not theatre.closed("alice")
    assert b"<joined " in theatre.say("alice", "<join/>")[0]


@every_season
def test_a_move_out_of_turn_loses(game: AnyGame) -> None:
    theatre = prepared(game)
    theatre.say("bob", illegal_move(game))
    assert causes(theatre) == ("REGULAR", "RULE_VIOLATION")
    assert saw_the_result(theatre, "alice", "bob", "admin")


@every_season
def test_one_move_too_many_loses(game: AnyGame) -> None:
    theatre = prepared(game)
    state = theatre.lobby.rooms["room"].state
    theatre.say("alice", 2 * first_move(state, game))
    assert causes(theatre) == ("RULE_VIOLATION", "REGULAR")


@every_season
def test_what_is_no_move_at_all_is_refused_and_the_game_goes_on(game: AnyGame) -> None:
    theatre = prepared(game)
    state = theatre.lobby.rooms["room"].state
    for nonsense in (
        '<room roomId="room"/>',
        '<room roomId="room"><data class="moveRequest"/></room>',
        '<room roomId="elsewhere"><data class="move"/></room>',
        '<room><data class="move"/></room>',
        "<fooBar/>",
        '<joined roomId="room"/>',
    ):
        [answer] = theatre.say("alice", nonsense)
        assert b"<errorpacket " in answer
    theatre.say("alice", first_move(state, game))
    assert theatre.lobby.rooms["room"].state.turn > state.turn


@every_season
@pytest.mark.parametrize(
    "nonsense", ["<room><data</room>", "<a></b>", "<!DOCTYPE x>", "<a>" * 50, "<a>" + "x" * 70_000]
)
def test_a_broken_stream_ends_in_an_error_the_result_and_the_end_of_the_connection(
    game: AnyGame, nonsense: str
) -> None:
    theatre = prepared(game)
    error, result, left, closing = theatre.say("alice", nonsense)
    assert b"<errorpacket " in error
    assert b'<data class="result">' in result
    assert b"<left " in left
    assert closing == b"\n</protocol>"
    assert causes(theatre) == ("RULE_VIOLATION", "REGULAR")
    assert saw_the_result(theatre, "bob", "admin")
    assert not theatre.closed("bob")


def test_a_document_without_root_is_explained() -> None:
    [error, closing] = Theatre().say("x", '<join gameType="swc_2026_piranhas"/>')
    assert "&lt;protocol&gt;" in error.decode()
    assert closing == b"\n</protocol>"


# --- time -------------------------------------------------------------------------------------------------------------


@every_season
def test_silence_loses_at_the_hard_limit_and_the_other_wins(game: AnyGame) -> None:
    theatre = prepared(game)
    theatre.wait(9.999)
    assert "room" in theatre.lobby.rooms
    theatre.wait(0.001)
    assert causes(theatre) == ("HARD_TIMEOUT", "REGULAR")
    assert end(theatre).result.winner is Team.TWO
    assert saw_the_result(theatre, "alice", "bob", "admin")
    assert not theatre.closed("alice")


@every_season
def test_a_late_move_is_not_played_and_the_other_wins(game: AnyGame) -> None:
    theatre = prepared(game)
    state = theatre.lobby.rooms["room"].state
    theatre.now += 2.001
    theatre.say("alice", first_move(state, game))
    assert causes(theatre) == ("SOFT_TIMEOUT", "REGULAR")
    assert end(theatre).result.winner is Team.TWO
    assert end(theatre).state == state
    offence = end(theatre).offence
    assert offence is not None
    assert offence.timing is not None
    assert offence.timing.elapsed == pytest.approx(2.001)


@every_season
def test_a_move_is_in_time_if_the_kernel_had_it_in_time(game: AnyGame) -> None:
    theatre = prepared(game)
    state = theatre.lobby.rooms["room"].state
    asked = theatre.now
    theatre.now += 5
    theatre.say("alice", first_move(state, game), stamp=asked + 1.999)
    [made] = [effect for effect in theatre.effects if isinstance(effect, MoveMade)]
    assert (made.timing.requested, made.timing.received, made.timing.read) == (asked, asked + 1.999, asked + 5)
    assert made.timing.judged_by.value == "kernel"


@every_season
def test_two_steps_for_one_request_leave_no_second_clock(game: AnyGame) -> None:
    theatre = prepared(game, pause=True)
    theatre.say("admin", '<step roomId="room"/>')
    theatre.wait(1.5)
    theatre.say("admin", '<step roomId="room"/>')
    theatre.wait(1.5)
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, game))
    theatre.wait(100)
    assert theatre.lobby.rooms["room"].phase is Phase.RUNNING
    assert theatre.lobby.next_deadline() is None


@every_season
def test_who_forgets_to_ask_for_a_clock_gets_one(game: AnyGame) -> None:
    theatre = Theatre(game, ids=["one", "two", "room"] if game.codec.dialect.reserves_all else ["room"])
    theatre.say("admin", f"{authenticate()}<prepare><slot displayName='A'/><slot displayName='B'/></prepare>")
    for name, code in (("a", "one"), ("b", "two")):
        theatre.say(name, f'<protocol><joinPrepared reservationCode="{code}"/><joinRoom roomId="room"/>')
    theatre.wait(10)
    assert causes(theatre) == ("HARD_TIMEOUT", "REGULAR")


@every_season
@pytest.mark.parametrize("how", ["slot", "server", "order"])
def test_without_a_clock_nobody_is_late(game: AnyGame, how: str) -> None:
    theatre = Theatre(
        game,
        ids=["one", "two", "room"],
        settings=LobbySettings(password=PASSWORD, timeouts=how != "server"),
    )
    can_timeout = "false" if how == "slot" else "true"
    slots = f'<slot displayName="A" canTimeout="{can_timeout}" reserved="true"/>' * 2
    theatre.say("admin", f"{authenticate()}<prepare>{slots}</prepare>")
    if how == "order":
        theatre.say("admin", '<timeout roomId="room" activate="false" slot="0"/>')
    theatre.say("a", '<protocol><joinPrepared reservationCode="one"/>')
    theatre.say("b", '<protocol><joinPrepared reservationCode="two"/>')
    theatre.wait(3600)
    theatre.say("a", first_move(theatre.lobby.rooms["room"].state, game))
    assert theatre.lobby.rooms["room"].state.turn == 1


def test_a_server_may_set_its_own_limits() -> None:
    theatre = prepared(ALL[0], limits=Limits(soft=0.5, hard=0.7))
    assert theatre.lobby.next_deadline() == theatre.now + 0.7
    theatre.now += 0.6
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, ALL[0]))
    assert causes(theatre) == ("SOFT_TIMEOUT", "REGULAR")


# --- ends by the rules that the reference servers did not see ---------------------------------------------------------


def test_a_player_without_a_legal_move_has_lost_and_is_never_asked() -> None:
    game = load("piranhas-2026-official")
    # The only fish of ONE stands in a corner, with an opponent in the way on each of its three lines.
    start = game.notation.parse_state("piranhas-2026-official 10/10/10/10/10/10/4s5/10/sm8/Ss7s 10 -")
    assert not start.legal_moves()
    theatre = prepared(game, start=start)
    assert end(theatre).result.winner is Team.TWO
    assert not any(b"moveRequest" in message for message in theatre.heard["alice"])
    assert saw_the_result(theatre, "alice", "bob", "admin")


def test_a_team_without_light_pieces_gets_a_result() -> None:
    game = load("ostseeschach-2022-official")
    robben = [((0, 0), Piece(Team.ONE, Kind.ROBBE)), ((7, 7), Piece(Team.TWO, Kind.ROBBE))]
    theatre = prepared(game, start=State.of(game.new_state(Random(3)).rules, 59, robben))
    theatre.say("bob", first_move(theatre.lobby.rooms["room"].state, game))
    assert end(theatre).result.regular
    assert end(theatre).result.teams[0].points == (1, 0, 0)
    assert saw_the_result(theatre, "alice", "bob", "admin")


@every_season
def test_the_last_state_is_shown_to_all_even_if_the_game_is_paused(game: AnyGame) -> None:
    *_, last_but_one, last = random_game(game.new_state(Random(3)), Random(3))
    theatre = prepared(game, start=last_but_one, pause=True)
    theatre.say("admin", '<step roomId="room"/>')
    mover = ("alice", "bob")[last_but_one.to_move]
    theatre.say(mover, f'<room roomId="room">{game.codec.write_move(last.last_move)}</room>')
    for name in ("alice", "bob", "admin"):
        assert [b"memento" in message for message in theatre.heard[name][-3:]] == [True, False, False]


@every_season
def test_a_cancelled_game_has_no_winner(game: AnyGame) -> None:
    theatre = prepared(game)
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, game))
    theatre.say("admin", '<cancel roomId="room"/>')
    assert end(theatre).result.winner is None
    assert [team.points[0] for team in end(theatre).result.teams] == [0, 0]
    assert not end(theatre).result.regular
    assert saw_the_result(theatre, "alice", "bob", "admin")
    assert not any(b"<winner displayName" in m or b"<winner team" in m for m in theatre.heard["alice"])


# --- joining and leaving ----------------------------------------------------------------------------------------------


def test_an_unknown_game_is_refused_with_the_names_of_the_known_ones() -> None:
    theatre = Theatre()
    theatre.say("first", f'<protocol><join gameType="{ALL[0].wire_name}"/>')
    [answer] = theatre.say("x", '<protocol><join gameType="swc_1999_nope"/>')
    assert b"<errorpacket " in answer
    assert all(game.wire_name.encode() in answer for game in ALL)
    assert len(theatre.lobby.rooms) == 1
    assert b"<joined " in theatre.say("x", "<join/>")[0]


def test_a_join_never_enters_a_room_of_another_game() -> None:
    theatre = Theatre()
    for number, game in enumerate(ALL):
        theatre.say(f"a{number}", f'<protocol><join gameType="{game.wire_name}"/>')
    assert len(theatre.lobby.rooms) == len(ALL)
    for number, game in reversed([*enumerate(ALL)]):
        theatre.say(f"b{number}", f'<protocol><join gameType="{game.wire_name}"/>')
    started = [effect for effect in theatre.effects if isinstance(effect, GameStarted)]
    assert [effect.game for effect in started] == ALL[::-1]


@every_season
def test_who_leaves_before_the_start_frees_his_place(game: AnyGame) -> None:
    theatre = Theatre(game)
    theatre.say("gone", "<protocol><join/>")
    theatre.hang_up("gone")
    assert not theatre.lobby.rooms
    theatre.say("a", "<protocol><join/>")
    assert len(theatre.heard["a"]) == 1
    theatre.say("b", "<protocol><join/>")
    [room] = theatre.lobby.rooms.values()
    assert room.players == ("a", "b")


@every_season
def test_who_leaves_a_prepared_room_before_the_start_ends_it_with_the_reason(game: AnyGame) -> None:
    theatre = Theatre(game, ids=["one", "two", "room"])
    slots = '<slot displayName="Alice" reserved="true"/><slot displayName="Bob" reserved="true"/>'
    theatre.say("admin", f'{authenticate()}<prepare>{slots}</prepare><observe roomId="room"/>')
    theatre.say("alice", '<protocol><joinPrepared reservationCode="one"/>')
    theatre.hang_up("alice")
    assert causes(theatre) == ("LEFT", "REGULAR")
    assert "Alice" in end(theatre).result.reason.en
    assert saw_the_result(theatre, "admin")
    [answer] = theatre.say("bob", '<protocol><joinPrepared reservationCode="two"/>')
    assert b"<errorpacket " in answer


@every_season
def test_a_move_before_the_start_empties_an_open_room(game: AnyGame) -> None:
    theatre = Theatre(game, ids=["room"])
    error, left = theatre.say("eager", f"<protocol><join/>{illegal_move(game)}")[1:]
    assert b'class="error"' in error
    assert b"<left " in left
    assert not theatre.lobby.rooms
    assert len(theatre.say("next", "<protocol><join/>")) == 1


@every_season
def test_a_move_before_the_start_loses_a_prepared_game(game: AnyGame) -> None:
    theatre = Theatre(game, ids=["one", "two", "room"])
    slots = '<slot displayName="Alice" reserved="true"/><slot displayName="Bob" reserved="true"/>'
    theatre.say("admin", f"{authenticate()}<prepare>{slots}</prepare>")
    theatre.say("alice", f'<protocol><joinPrepared reservationCode="one"/>{illegal_move(game)}')
    assert causes(theatre) == ("RULE_VIOLATION", "REGULAR")
    assert saw_the_result(theatre, "alice")


def test_a_reservation_of_a_cancelled_room_is_worth_nothing() -> None:
    theatre = Theatre(ids=["one", "two", "room"])
    slots = '<slot displayName="A" reserved="true"/>' * 2
    theatre.say("admin", f'{authenticate()}<prepare>{slots}</prepare><cancel roomId="room"/>')
    [answer] = theatre.say("late", '<protocol><joinPrepared reservationCode="one"/>')
    assert b"<errorpacket " in answer


def test_nobody_plays_against_himself() -> None:
    theatre = Theatre(ids=["first", "second"])
    answers = theatre.say("x", '<protocol><join/><join/><joinRoom roomId="first"/>')
    assert [b"<joined " in answer for answer in answers] == [True, True, False]
    assert len(theatre.lobby.rooms) == 2


def test_a_connection_may_play_again_and_in_several_rooms() -> None:
    theatre = Theatre(ALL[1], ids=["first", "second"])
    for name in ("a", "b"):
        theatre.say(name, "<protocol><join/>")
    for name in ("a", "b"):
        theatre.say(name, "<join/>")
    for room_id in ("first", "second"):
        theatre.say("a", first_move(theatre.lobby.rooms[room_id].state, ALL[1], room_id))
        assert theatre.lobby.rooms[room_id].state.turn == 1


def test_a_join_in_the_moment_a_room_ends_opens_a_new_one() -> None:
    theatre = Theatre(ALL[0])
    for number in range(200):
        theatre.say(f"a{number}", "<protocol><join/>")
        theatre.hang_up(f"a{number}")
        theatre.say(f"b{number}", "<protocol><join/>")
        theatre.say(f"c{number}", "<protocol><join/>")
        theatre.hang_up(f"b{number}")
        assert saw_the_result(theatre, f"c{number}")
    assert not theatre.lobby.rooms


@pytest.mark.slow
def test_a_thousand_rooms_of_all_games_run_at_once() -> None:
    numbers = count()
    theatre = Theatre()
    for game in ALL:
        for _ in range(200):
            for _ in TEAMS:
                theatre.say(f"p{next(numbers)}", f'<protocol><join gameType="{game.wire_name}"/>')
    assert len(theatre.lobby.rooms) == 200 * len(ALL)
    assert {room.phase for room in theatre.lobby.rooms.values()} == {Phase.RUNNING}
    theatre.wait(10)
    assert not theatre.lobby.rooms
    assert theatre.lobby.next_deadline() is None
    ended = [effect for effect in theatre.effects if isinstance(effect, GameEnded)]
    assert {effect.result.teams[0].cause for effect in ended} == {Cause.HARD_TIMEOUT}


def test_one_connection_cannot_fill_the_server() -> None:
    theatre = Theatre(ALL[0], settings=LobbySettings(max_seats=5))
    answers = theatre.say("greedy", "<protocol>" + "<join/>" * 7)
    assert [b"<joined " in answer for answer in answers] == [True] * 5 + [False] * 2
    theatre = Theatre(ALL[0], settings=LobbySettings(max_rooms=3))
    answers = theatre.say("greedy", "<protocol>" + "<join/>" * 5)
    assert [b"<joined " in answer for answer in answers] == [True] * 3 + [False] * 2
    assert b"<joined " in theatre.say("modest", "<protocol><join/>")[0]


# --- administration ---------------------------------------------------------------------------------------------------


def test_every_administrator_hears_of_every_join() -> None:
    theatre = Theatre(ALL[1], ids=["room"])
    for number in range(50):
        theatre.say(f"admin{number}", authenticate())
    theatre.say("a", "<protocol><join/>")
    theatre.say("b", "<protocol><join/>")
    for number in range(50):
        one, two = theatre.heard[f"admin{number}"]
        assert b'playerCount="1"' in one
        assert b'playerCount="2"' in two


@every_season
def test_a_late_observer_sees_at_once_how_things_stand(game: AnyGame) -> None:
    theatre = prepared(game)
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, game))
    observed, memento = theatre.say("late", f'{authenticate()}<observe roomId="room"/>')
    assert b"<observed " in observed
    assert memento == theatre.heard["admin"][-1]


def test_who_observes_twice_sees_everything_once() -> None:
    theatre = prepared(ALL[1])
    assert len(theatre.say("admin", '<observe roomId="room"/>')) == 1
    before = len(theatre.heard["admin"])
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, ALL[1]))
    assert len(theatre.heard["admin"]) == before + 1


def test_a_password_is_never_repeated() -> None:
    theatre = Theatre()
    for attempt in (
        '<authenticate password="geheim"/>',
        '<authenticate passphrase="geheim"/>',
        '<auth password="geheim"/>',
    ):
        [answer] = theatre.say("x", "<protocol>" * (not theatre.heard.get("x")) + attempt)
        assert b"<errorpacket " in answer
        assert b"geheim" not in answer
    assert "geheim" not in repr(LobbySettings(password="geheim"))


@pytest.mark.parametrize("password", [None, ""])
def test_without_a_password_nobody_is_an_administrator(password: str | None) -> None:
    theatre = Theatre(settings=LobbySettings(password=password))
    answers = theatre.say("x", '<protocol><authenticate password=""/><authenticate/><cancel roomId="x"/>')
    assert [b"<errorpacket " in answer for answer in answers] == [True, True, True]


def test_orders_without_authentication_are_refused() -> None:
    theatre = prepared(ALL[1])
    for order in ("observe", "step", "cancel", 'pause pause="true"', 'timeout slot="0" activate="false"'):
        [answer] = theatre.say("alice", f'<{order} roomId="room"/>')
        assert b"<errorpacket " in answer
    assert "room" in theatre.lobby.rooms


@pytest.mark.parametrize("slots", ["", '<slot displayName="A"/>' * 3])
def test_a_room_with_too_few_or_too_many_places_is_refused_and_leaves_nothing_behind(slots: str) -> None:
    theatre = Theatre()
    [answer] = theatre.say("admin", f"{authenticate()}<prepare>{slots}</prepare>")
    assert b"<errorpacket " in answer
    assert not theatre.lobby.rooms


def test_when_the_server_stops_every_game_ends_and_every_connection_is_closed() -> None:
    theatre = prepared(ALL[1])
    theatre.say("waiting", "<protocol><join/>")
    theatre.perform(theatre.lobby.stop(theatre.now))
    assert end(theatre).result.winner is None
    assert "stopped" in end(theatre).result.reason.en
    assert b'<data class="result">' in theatre.heard["alice"][-3]
    assert b"<left " in theatre.heard["waiting"][-2]
    assert all(theatre.closed(name) for name in ("alice", "bob", "admin", "waiting"))
    assert not theatre.lobby.rooms
