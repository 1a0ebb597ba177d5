"""One room: what a move, silence and an order lead to, also where we deliberately differ from the reference servers."""

from __future__ import annotations

from random import Random

import pytest

from spielleiter.errors import Refused
from spielleiter.game import AnyGame, Cause, Limits, Team, random_game
from spielleiter.games import load
from spielleiter.games.ostseeschach import Piece, PieceKind, State
from spielleiter.referee import (
    Arrival,
    ConnectionId,
    Effects,
    GameEnded,
    GameStarted,
    LobbySettings,
    MoveMade,
    Offence,
    RequestLater,
    Room,
    RoomPhase,
    Seat,
    Send,
    StartLater,
)
from spielleiter.wire.messages import Joined, MoveRequest, Welcome
from tests.support.theatre import (
    OFFICIAL_GAMES,
    PASSWORD,
    Theatre,
    authenticate,
    causes,
    end,
    every_season,
    first_move,
    illegal_move,
    prepared,
    saw_the_result,
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
    "pinguine-2023-official": [
        ('<data class="move"/>', "<to>"),
        ('<data class="move"><from x="4" y="2"/></data>', "<to>"),
        ('<data class="move"><to y="2"/></data>', "needs x"),
        ('<data class="move"><from/><to x="4" y="2"/></data>', "needs x"),
        ('<data class="move"><to x="a" y="2"/></data>', "whole number"),
        ('<data class="setmove"><to x="4" y="2"/></data>', "class move"),
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
ANYWHERE = [('<data class="nomove"/>', "class"), ("<data/>", "class")]
"""What no season can read; a game's own tests have more."""


@pytest.mark.parametrize(
    ("game", "data", "expected"),
    [(game, data, expected) for game in OFFICIAL_GAMES for data, expected in UNREADABLE.get(game.key, ANYWHERE)],
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
def test_something_that_is_not_a_move_at_all_is_refused_and_the_game_goes_on(game: AnyGame) -> None:
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
    assert theatre.lobby.rooms["room"].phase is RoomPhase.RUNNING
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
    theatre = prepared(OFFICIAL_GAMES[0], limits=Limits(soft=0.5, hard=0.7))
    assert theatre.lobby.next_deadline() == theatre.now + 0.7
    theatre.now += 0.6
    theatre.say("alice", first_move(theatre.lobby.rooms["room"].state, OFFICIAL_GAMES[0]))
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
    robben = [((0, 0), Piece(Team.ONE, PieceKind.ROBBE)), ((7, 7), Piece(Team.TWO, PieceKind.ROBBE))]
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


# --- without connections ----------------------------------------------------------------------------------------------


@every_season
def test_a_room_with_nobody_connected_referees_players_in_this_process(game: AnyGame) -> None:
    seats = (Seat(Team.ONE, name="Ada"), Seat(Team.TWO, name="Bob"))
    room = Room("room", game, game.new_state(Random(1)), seats, prepared=True, limits=Limits(1.0, 2.0))
    effects, now = room.start(0.0), 0.0
    rng = Random(2)
    while room.result is None:
        team = room.awaited
        assert team is not None
        now += 0.5
        effects += room.judge_move(team, rng.choice(room.state.legal_moves()), Arrival(now))
    assert isinstance(effects[0], GameStarted)
    assert isinstance(effects[-1], GameEnded)
    assert all(isinstance(effect, MoveMade) and effect.timing.elapsed == 0.5 for effect in effects[1:-1])
    assert room.result.regular


def test_a_player_in_this_process_is_judged_like_any_other() -> None:
    game = load("piranhas-2026")

    def begin() -> Room:
        seats = (Seat(Team.ONE, name="Ada"), Seat(Team.TWO, name="Bob"))
        room = Room("room", game, game.new_state(Random(1)), seats, prepared=True, limits=Limits(1.0, 2.0))
        room.start(0.0)
        return room

    move = begin().state.legal_moves()[0]
    wrong = game.notation.parse_move(begin().state, "A4 LEFT")
    for cause, effects in (
        (Cause.RULE_VIOLATION, begin().judge_move(Team.ONE, wrong, Arrival(0.5))),
        (Cause.RULE_VIOLATION, begin().judge_move(Team.TWO, move, Arrival(0.5))),
        (Cause.SOFT_TIMEOUT, begin().judge_move(Team.ONE, move, Arrival(1.5))),
        (Cause.HARD_TIMEOUT, begin().judge_move(Team.ONE, move, Arrival(2.5))),
        (Cause.LEFT, begin().forfeit(Offence(Team.ONE, game.title), Cause.LEFT, 0.5)),
    ):
        [ended] = effects
        assert isinstance(ended, GameEnded)
        assert cause in {team.cause for team in ended.result.teams}
        assert ended.offence is not None


# --- people at our own pages -----------------------------------------------------------------------------------------


def seated_person(can_timeout: bool = False) -> tuple[Room, Effects]:
    """A person against a program, which has just come; the person is ONE."""
    game = load("piranhas-2026")
    seats = (Seat(Team.ONE, name="Ada", by_hand=True, can_timeout=can_timeout), Seat(Team.TWO, name="Bot", code="two"))
    room = Room("room", game, game.new_state(Random(1)), seats, prepared=True, limits=Limits(1.0, 2.0))
    return room, room.sit_down(room.seats[1], "bot", 0.0)


def test_a_game_begins_when_the_opponent_of_a_person_has_come_and_only_the_opponent_gets_messages() -> None:
    room, effects = seated_person()
    assert any(isinstance(effect, GameStarted) for effect in effects)
    assert {to for effect in effects if isinstance(effect, Send) for to in effect.to} == {"bot"}
    assert room.awaited is Team.ONE
    assert requests(effects) == []


def test_the_time_of_a_person_is_measured_and_never_over() -> None:
    room, _ = seated_person()
    assert room.deadline is None
    made, *others = room.play(Team.ONE, room.state.legal_moves()[0], Arrival(100.0))
    assert isinstance(made, MoveMade)
    assert made.timing.elapsed == 100.0
    assert room.awaited is Team.TWO
    assert any(isinstance(effect, Send | RequestLater) for effect in others)


def test_a_person_with_a_clock_can_be_late() -> None:
    room, _ = seated_person(can_timeout=True)
    effects = room.play(Team.ONE, room.state.legal_moves()[0], Arrival(1.5))
    [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
    assert ended.result.teams[Team.ONE].cause is Cause.SOFT_TIMEOUT


def test_what_would_cost_a_program_the_game_is_refused_to_a_person() -> None:
    room, _ = seated_person()
    legal, wrong = room.state.legal_moves()[0], room.game.notation.parse_move(room.state, "A4 LEFT")
    with pytest.raises(Refused):
        room.play(Team.ONE, wrong, Arrival(1.0))
    with pytest.raises(Refused, match="paused"):
        room.play(Team.TWO, legal, Arrival(1.0))
    room.pause(True, 1.0)
    room.play(Team.ONE, legal, Arrival(2.0))
    with pytest.raises(Refused, match="paused"):
        room.play(Team.ONE, legal, Arrival(3.0))
    assert room.result is None


def test_a_person_is_not_missing_when_a_room_is_cancelled() -> None:
    game = load("piranhas-2026")
    seats = (Seat(Team.ONE, name="Ada", by_hand=True), Seat(Team.TWO, name="Bot", code="two"))
    room = Room("room", game, game.new_state(Random(1)), seats, prepared=True)
    assert room.open_seat() is None
    [ended] = room.cancel(0.0)
    assert isinstance(ended, GameEnded)
    assert [team.cause for team in ended.result.teams] == [Cause.REGULAR, Cause.LEFT]


# --- the gap before a game --------------------------------------------------------------------------------------------


def complete(game: AnyGame, *, paused: bool = False, prepared: bool = True) -> tuple[Room, Effects]:
    """A room with a gap whose players have joined at time 0, and the effects of the second join."""
    seats = (Seat(Team.ONE), Seat(Team.TWO))
    room = Room("room", game, game.new_state(Random(1)), seats, prepared=prepared, paused=paused, start_gap=0.5)
    first, second = (room.sit_down(seat, name, 0.0) for seat, name in zip(room.seats, ("alice", "bob"), strict=True))
    assert not any(isinstance(effect, StartLater) for effect in first)
    return room, second


def has_begun(effects: Effects) -> bool:
    return any(isinstance(effect, GameStarted) for effect in effects)


@every_season
def test_players_learn_that_they_have_joined_then_who_they_are_then_how_the_game_begins(game: AnyGame) -> None:
    room, effects = complete(game)
    assert {type(effect.message) for effect in effects if isinstance(effect, Send)} == {Joined}
    assert effects[-1] == StartLater("room", 0.5)
    assert not room.begin(0.25)
    welcomed = room.start_due(0.5, 0.75)
    assert not has_begun(welcomed)
    assert [type(effect.message) for effect in welcomed if isinstance(effect, Send)] == [Welcome, Welcome]
    assert welcomed[-1] == StartLater("room", 1.25)
    begun = room.start_due(1.25, 1.25)
    assert has_begun(begun)
    assert not any(isinstance(effect, Send) and isinstance(effect.message, Welcome) for effect in begun)
    assert not room.start_due(1.25, 1.25)


@every_season
@pytest.mark.parametrize("prepared", [True, False])
def test_a_player_who_leaves_between_joining_and_the_game_loses_it(game: AnyGame, prepared: bool) -> None:
    room, _ = complete(game, prepared=prepared)
    effects = room.leave("alice", 0.25)
    assert has_begun(effects)
    assert not requests(effects)
    [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
    assert [team.cause for team in ended.result.teams] == [Cause.LEFT, Cause.REGULAR]
    assert not room.start_due(0.5, 0.5)


@every_season
def test_a_player_who_comes_back_in_time_plays_after_a_gap_of_its_own(game: AnyGame) -> None:
    room, _ = complete(game)
    room.seats[Team.ONE].may_return = True
    assert not room.leave("alice", 0.25)
    assert not room.start_due(0.5, 0.5)
    assert room.sit_down(room.seats[Team.ONE], "alice", 0.75)[-1] == StartLater("room", 1.25)
    assert not has_begun(room.start_due(1.25, 1.25))
    assert has_begun(room.start_due(1.75, 1.75))


@every_season
def test_an_administrator_who_steps_in_the_gap_starts_the_game(game: AnyGame) -> None:
    room, _ = complete(game, paused=True)
    effects = room.step(False, 0.25)
    assert has_begun(effects)
    assert requests(effects) == [("alice",)] or isinstance(effects[-1], RequestLater)
    assert not room.start_due(0.5, 0.5)


# --- the gap before a request -----------------------------------------------------------------------------------------

LATER_SEASONS = (2026, 2027)


def running(game: AnyGame, gap: float | None = 0.5) -> tuple[Room, Effects]:
    """A game that has just begun at time 0, and its effects."""
    seats = (Seat(Team.ONE, connection="alice"), Seat(Team.TWO, connection="bob"))
    room = Room("room", game, game.new_state(Random(1)), seats, limits=Limits(1.0, 2.0), request_gap=gap)
    return room, room.start(0.0)


def requests(effects: Effects) -> list[tuple[ConnectionId, ...]]:
    """Who is asked for a move by these effects."""
    return [effect.to for effect in effects if isinstance(effect, Send) and isinstance(effect.message, MoveRequest)]


@every_season
def test_older_seasons_leave_ten_milliseconds_before_a_request(game: AnyGame) -> None:
    room, effects = running(game, gap=None)
    if game.year in LATER_SEASONS:
        assert requests(effects) == [("alice",)]
    else:
        assert effects[-1] == RequestLater("room", 0.01)
        assert not requests(effects)
        assert requests(room.request_due(0.01, 0.01)) == [("alice",)]


@every_season
def test_the_gap_can_be_switched_off(game: AnyGame) -> None:
    assert requests(running(game, gap=0.0)[1]) == [("alice",)]


@every_season
def test_the_clock_starts_with_the_request_not_before_the_gap(game: AnyGame) -> None:
    room, _ = running(game)
    assert room.deadline is None
    assert not room.time_passed(100.0)
    room.request_due(0.5, 0.75)
    assert room.deadline == 0.75 + 2.0
    effects = room.judge_move(Team.ONE, room.state.legal_moves()[0], Arrival(1.75))
    assert isinstance(effects[0], MoveMade)
    assert effects[0].timing.elapsed == 1.0


@every_season
def test_the_clock_of_the_last_move_does_not_run_in_the_gap_before_the_next(game: AnyGame) -> None:
    room, _ = running(game, gap=5.0)
    room.request_due(5.0, 5.0)
    effects = room.judge_move(Team.ONE, room.state.legal_moves()[0], Arrival(5.5))
    assert effects[-1] == RequestLater("room", 10.5)
    assert room.deadline is None
    assert not room.time_passed(9.0), "alice had two seconds, until 7.0"


@every_season
def test_the_clock_starts_where_the_request_has_left_not_where_it_was_written(game: AnyGame) -> None:
    room, _ = running(game, gap=0.0)
    room.request_sent(0.75)
    assert room.deadline == 0.75 + 2.0
    effects = room.judge_move(Team.ONE, room.state.legal_moves()[0], Arrival(1.75))
    assert isinstance(effects[0], MoveMade)
    assert effects[0].timing.elapsed == 1.0


@every_season
def test_a_move_in_the_gap_was_not_asked_for(game: AnyGame) -> None:
    room, _ = running(game)
    effects = room.judge_move(Team.ONE, room.state.legal_moves()[0], Arrival(0.25))
    [ended] = [effect for effect in effects if isinstance(effect, GameEnded)]
    assert ended.result.teams[Team.ONE].cause is Cause.RULE_VIOLATION


@every_season
def test_nobody_is_asked_when_the_game_ends_in_the_gap(game: AnyGame) -> None:
    room, _ = running(game)
    room.leave("bob", 0.25)
    assert room.request_due(0.5, 0.5) == []


@every_season
def test_a_pause_in_the_gap_leaves_the_request_pending_and_asks_once(game: AnyGame) -> None:
    room, _ = running(game)
    assert not requests(room.pause(True, 0.25) + room.pause(False, 0.25))
    assert requests(room.request_due(0.5, 0.5) + room.request_due(0.5, 0.5)) == [("alice",)]


@every_season
def test_a_step_in_the_gap_starts_it_again(game: AnyGame) -> None:
    room, _ = running(game)
    room.pause(True, 0.25)
    room.step(False, 0.25)
    assert not room.request_due(0.5, 0.5)
    assert requests(room.request_due(0.75, 0.75)) == [("alice",)]


@every_season
def test_a_second_step_after_the_request_makes_no_answer_an_unasked_one(game: AnyGame) -> None:
    room, _ = running(game)
    room.request_due(0.5, 0.5)
    room.pause(True, 0.75)
    assert requests(room.step(False, 0.75)) == [("alice",)]
    assert isinstance(room.judge_move(Team.ONE, room.state.legal_moves()[0], Arrival(0.8))[0], MoveMade)


@every_season
def test_who_resigns_loses_and_is_not_at_fault(game: AnyGame) -> None:
    room = Room("r", game, game.new_state(Random(1)), (Seat(Team.ONE), Seat(Team.TWO)))
    assert room.resign(Team.TWO, 0.0) == []
    room.start(0.0)
    [ended] = room.resign(Team.TWO, 1.0)
    assert isinstance(ended, GameEnded)
    assert ended.offence is None
    assert ended.result.winner is Team.ONE
    assert ended.result.offenders() == ()
    assert ended.result.teams[Team.TWO].cause is Cause.LEFT
