"""Replays of the reference servers: every recorded one comes back byte for byte, and no file does harm."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter import games
from spielleiter.errors import RecordError
from spielleiter.game import AnyGame, Cause, Team
from spielleiter.records.history import History, Referee
from spielleiter.records.load import open_any
from spielleiter.records.reader import read_record
from spielleiter.records.replay_xml import parse_replay, replay_bytes
from spielleiter.records.verify import Flaw, verify_record
from spielleiter.records.writer import write_new_file, write_record
from tests.support.records_stage import ENDINGS, Stage
from tests.support.rule_sets import each_game
from tests.support.theatre import OFFICIAL, without_texts
from tests.support.theatre import _recordings as recorded_files

REPLAYS = {
    "2019/i_replay_swc_2019_piranhas_Unknown_Unknown_2026.11.15_18_52_54.xml": 3,
    "2019/i_replay_swc_2019_piranhas_Unknown_Unknown_2026.11.15_18_53_01.xml": 60,
    "2021/i-replay-violation.xml": 6,
    "2022/i-replay-violation.xml": 6,
    "2022/i2-replay-full.xml": 20,
    "2023/i_replay_sample.xml": 52,
    "2023/i_replay_violation.xml": 0,
    "2023/i_replay_violation2.xml": 0,
    "2026/i_replay_sample.xml": 60,
}
FULL_GAMES = {
    "2019/a_normal_player1": 60,
    "2021/a-normal-player2": 60,
    "2022/a-normal-player1": 60,
    "2023/a_game.p1": 52,
    "2026/a_game.p1": 60,
    "2027/a_game.p2": 57,
}
"""Streams of whole games; a replay is what stands in them about the room."""


def as_replay(stream: bytes) -> bytes:
    """The stream as the server would have saved it: states, errors and result, not indented."""
    rooms = re.findall(rb"\n  (<room .*?\n  </room>)", stream, re.DOTALL)
    played = (room for room in rooms if re.search(rb'<data class="(memento|error|result)"', room))
    return b"<protocol>\n" + b"".join(room.replace(b"\n  ", b"\n") + b"\n" for room in played) + b"</protocol>"


def plain(replay: bytes) -> bytes:
    return without_texts(re.sub(rb"\n *<line>------------</line>", b"", replay))


def same_game(one: History, other: History) -> bool:
    """Whether both tell the same states in the same order, and the same end."""
    same = one.states == other.states
    return same and (one.moves, one.names, one.result) == (other.moves, other.names, other.result)


@pytest.mark.parametrize(("name", "plies"), REPLAYS.items())
def test_a_recorded_replay_is_read_verified_and_written_byte_for_byte(name: str, plies: int) -> None:
    data = recorded_files()[name]
    record = parse_replay(data, name)
    assert record.game_key == OFFICIAL[int(name[:4])]
    assert record.referee is Referee.REFERENCE
    assert len(record.moves) == plies
    assert verify_record(record).findings == ()
    written = replay_bytes(record)
    assert same_game(parse_replay(written), record)
    # The one that begins at turn 1 tells in its first state how that came about; a position does not.
    expected = re.sub(rb'\n      <lastMove class="move" x="0" y="1" direction="RIGHT"/>', b"", data)
    assert plain(written) == plain(expected if plies == 3 else data)


@pytest.mark.parametrize(("name", "plies"), FULL_GAMES.items())
def test_a_recorded_game_of_each_season_is_a_replay(name: str, plies: int, tmp_path: Path) -> None:
    stream = recorded_files()[f"{name}.s2c.txt"]
    record = parse_replay(stream, name)
    assert record.game_key == OFFICIAL[int(name[:4])]
    assert len(record.moves) == plies
    assert record.result is not None
    assert record.result.end is not None
    assert verify_record(record).findings == ()
    replay = as_replay(stream)
    assert plain(replay_bytes(record)) == plain(replay)
    assert same_game(parse_replay(replay), record)
    # There and back through a file of our own.
    write_record(record, tmp_path / "game.jsonl")
    assert read_record(tmp_path / "game.jsonl") == record
    assert plain(replay_bytes(read_record(tmp_path / "game.jsonl"))) == plain(replay)


def _streams() -> list[str]:
    names = (name for name, data in recorded_files().items() if name.endswith(".s2c.txt") and b"<state" in data)
    return [name for name in names if re.search(r"(p1|red|player1)\.s2c\.txt$", name)]


@pytest.mark.slow
@pytest.mark.parametrize("year", OFFICIAL)
def test_every_recorded_conversation_tells_a_game_that_survives_the_way_there_and_back(year: int) -> None:
    streams = [name for name in _streams() if name.startswith(str(year))]
    assert len(streams) > 20
    for name in streams:
        record = parse_replay(recorded_files()[name], name)
        assert record.game_key == OFFICIAL[year]
        found = {finding.kind for finding in verify_record(record).findings}
        # The servers named a winner when an administrator cancelled a game, though nothing was decided.
        assert found <= {Flaw.UNFINISHED, Flaw.WRONG_END}, name
        assert same_game(parse_replay(replay_bytes(record)), record), name


def test_a_replay_tells_who_broke_which_rule_with_which_move() -> None:
    record = parse_replay(recorded_files()["2021/i-replay-violation.xml"])
    result = record.result
    assert result is not None
    assert [team.cause for team in result.teams] == [Cause.RULE_VIOLATION, Cause.REGULAR]
    assert result.winner is Team.TWO
    assert result.end is None
    assert result.offence is not None
    assert result.offence.team is Team.ONE
    assert result.offence.sent is not None
    assert "MONO" in result.offence.sent
    assert record.names[1] == "Bob"


def test_the_newest_seasons_tell_no_cause_so_a_fault_without_an_error_is_leaving() -> None:
    for name, cause in (("f_fin", Cause.LEFT), ("d_squid", Cause.RULE_VIOLATION)):
        result = parse_replay(recorded_files()[f"2026/{name}.admin.s2c.txt"]).result
        assert result is not None
        assert sorted(team.cause.value for team in result.teams) == sorted(["REGULAR", cause.value])


def test_hints_of_2019_are_kept() -> None:
    stream = recorded_files()["2019/d_invalid_hint_admin.s2c.txt"]
    assert b"<hint" in stream
    record = parse_replay(stream)
    hints = [move.hints for move in record.moves if move.hints]
    assert hints
    assert [move.hints for move in parse_replay(replay_bytes(record)).moves if move.hints] == hints


def test_a_position_alone_is_the_start_of_a_game() -> None:
    record = parse_replay(recorded_files()["2019/k_swarmwin.loadGameFile.xml"])
    assert record.moves == ()
    assert not record.is_finished
    assert record.first_state.turn == 56
    assert record.names == ("r", "b")


def test_moves_are_found_in_the_difference_of_states() -> None:
    data = recorded_files()["2026/i_replay_sample.xml"]
    without = re.sub(rb"\n *<lastMove>.*?</lastMove>", b"", data, flags=re.DOTALL)
    assert b"lastMove" not in without
    assert parse_replay(without).moves == parse_replay(data).moves


# --- our own games ----------------------------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("ending", ENDINGS)
def test_our_games_become_replays_and_come_back(game: AnyGame, ending: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path, game, seed=11, names=('A & "B" <c>', "Ümläut")).play(10)
    record = read_record(stage.end(ending))
    back = parse_replay(replay_bytes(record), official=game.official)
    assert back.game_key == game.key
    assert back.names == record.names
    assert back.states == record.states
    assert [move.text for move in back.moves] == [move.text for move in record.moves]
    assert record.result is not None
    assert back.result is not None
    assert back.result.final == record.result.final
    if ending != "cancelled" or game.codec.dialect.unnamed:
        assert back.result.winner is record.result.winner
    if ending == "regular":
        assert (back.result.teams, back.result.end) == (record.result.teams, record.result.end)
        assert verify_record(back).findings == ()


@each_game
def test_an_unfinished_game_becomes_a_replay_without_result(game: AnyGame, tmp_path: Path) -> None:
    stage = Stage(tmp_path, game).play(5)
    back = parse_replay(replay_bytes(read_record(stage.path)), official=game.official)
    assert not back.is_finished
    assert back.states[-1] == stage.state


def test_replays_may_be_packed(tmp_path: Path) -> None:
    record = parse_replay(recorded_files()["2022/i2-replay-full.xml"])
    write_new_file(tmp_path / "game.xml.gz", replay_bytes(record))
    assert gzip.decompress((tmp_path / "game.xml.gz").read_bytes()) == replay_bytes(record)
    assert same_game(open_any(tmp_path / "game.xml.gz"), record)


def test_a_text_goes_out_in_german_or_english(tmp_path: Path) -> None:
    record = read_record(Stage(tmp_path, games.load("piranhas-2026")).play(3).end("left"))
    assert b'reason="ein Grund"' in replay_bytes(record)
    assert b'reason="a reason"' in replay_bytes(record, "en")


# --- damage and malice ------------------------------------------------------------------------------------------------


def _replay(name: str = "2022/i-replay-violation.xml") -> bytes:
    return recorded_files()[name]


def test_a_replay_that_is_cut_is_unfinished() -> None:
    data = _replay()
    whole = parse_replay(data)
    first = data.index(b"</room>") + len(b"</room>")
    for cut in range(0, len(data), 331):
        if cut < first:
            with pytest.raises(RecordError, match="there is no <state> in this file"):
                parse_replay(data[:cut])
            continue
        record = parse_replay(data[:cut])
        assert record.moves == whole.moves[: len(record.moves)]
        assert record.is_finished == (b"</scores>" in data[:cut] and data[:cut].rstrip().endswith(b"</room>"))


LAUGHS = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><protocol>&b;</protocol>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<protocol>", "there is no <state>"),
        (b"<html><body>hello</body></html>", "there is no <state>"),
        (b"<protocol><a></b></protocol>", "not well-formed XML"),
        (LAUGHS, "a DOCTYPE is not allowed"),
        (b"<protocol>" + b"<a>" * 100_000, "more than 24 elements inside one another"),
        (b"<protocol><a x='" + b"y" * (3 << 20) + b"'/></protocol>", "a message (is larger than|comes in too many)"),
        (b"<protocol><state class='state'/></protocol>", "no season has states of this form"),
        (b"<protocol><room><data class='memento'/></room></protocol>", "needs a <state>"),
    ],
)
def test_something_that_is_not_a_replay_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=f"^replay: .*{message}"):
        parse_replay(data)


@pytest.mark.parametrize(
    ("found", "instead", "message"),
    [
        (b'<state class="state" turn="3">', b'<state class="state" turn="33">', "after state 3 .*no legal move"),
        (b'<state class="state" turn="3">', b'<state class="state" turn="x">', "after state 3 .*whole number"),
        (b'<coordinates x="7" y="7"/>', b'<coordinates x="99" y="7"/>', "there cannot be another piece"),
        (
            b"<part>0</part>\n          <part>0</part>",
            b"<part>0</part>",
            "a score of ostseeschach.* has 3 parts, not 2",
        ),
        (b'cause="RULE_VIOLATION"', b'cause="MAGIC"', "must be one of REGULAR"),
    ],
)
def test_a_replay_that_makes_no_sense_is_refused_with_its_place(found: bytes, instead: bytes, message: str) -> None:
    data = _replay()
    assert found in data
    with pytest.raises(RecordError, match=f"^replay: .*{message}") as refused:
        parse_replay(data.replace(found, instead, 1))
    assert "\n" not in str(refused.value)


def test_a_replay_with_a_missing_state_is_refused() -> None:
    rooms = _replay().split(b"</room>")
    del rooms[3]
    with pytest.raises(RecordError, match=r"after state 3 \(turn 2\): no legal move leads to the next state"):
        parse_replay(b"</room>".join(rooms))


def test_another_room_in_the_same_stream_is_ignored() -> None:
    data = _replay()
    stranger = re.sub(rb'roomId="[^"]*"', b'roomId="other"', data[len(b"<protocol>\n") : -len(b"</protocol>")])
    both = data.replace(b"</room>", b"</room>" + stranger, 1)
    assert parse_replay(both) == parse_replay(data)


@given(seed=st.integers(0, 2**32))
def test_whatever_is_changed_in_a_replay_is_read_or_refused(seed: int) -> None:
    rng = Random(seed)
    data = recorded_files()[rng.choice(list(REPLAYS))][:30_000]
    values = [b"-1", b"0", b"999999999", b"x", b"", b"BLUE", b"TWO", b"EMPTY", b"PENTO_X", b"20", b"60", b"100"]
    for _ in range(rng.randrange(1, 4)):
        spans = [found.span(1) for found in re.finditer(rb'(?:="|>)([^"<>\s]*)["<]', data)]
        begin, end = spans[int(rng.random() ** 3 * len(spans))]
        data = data[:begin] + rng.choice(values) + data[end:]
    try:
        record = parse_replay(data, official=rng.random() < 0.5)
    except RecordError:
        return
    verify_record(record)
    replay_bytes(record)


@pytest.mark.parametrize("key", ["piranhas-2026", "piranhas-2026-official", "blokus-2021"])
def test_a_replay_of_ours_keeps_its_rule_set(key: str) -> None:
    game = games.load(key)
    start = game.new_state(Random(3))
    record = History(game_key=key, id="a", start=game.notation.format_state(start), names=("Ada", "Grace"))
    assert parse_replay(replay_bytes(record)).game_key == key
    assert parse_replay(replay_bytes(record), official=not game.official).game_key == (
        key if not game.official else key.removesuffix("-official")
    )


def test_an_unknown_rule_set_is_ignored() -> None:
    game = games.load("piranhas-2026")
    start = game.new_state(Random(3))
    record = History(game_key=game.key, id="a", start=game.notation.format_state(start), names=("", ""))
    data = replay_bytes(record).replace(b"rule set: piranhas-2026", b"rule set: halma-1999")
    assert parse_replay(data).game_key == "piranhas-2026-official"
