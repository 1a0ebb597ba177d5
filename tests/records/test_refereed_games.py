"""The referee's own events, written down: whatever happens in a room, its record is sound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from spielleiter.game import AnyGame, Cause, Clock, Limits
from spielleiter.records.history import History
from spielleiter.records.reader import parse_record, read_record
from spielleiter.records.replay_xml import parse_replay, replay_bytes
from spielleiter.records.verify import verify_record
from spielleiter.records.writer import RecordWriter, record_lines
from spielleiter.referee import GameEnded, GameStarted, LobbySettings, MoveMade
from tests.support.records_stage import STARTED
from tests.support.rule_sets import each_game
from tests.support.theatre import PASSWORD, Theatre

LIMITS = Limits(soft=1.0, hard=3.0)


def write_down(theatre: Theatre, folder: Path) -> History:
    """The record of the only game on this stage, made as a server would."""
    for effect in theatre.effects:
        if isinstance(effect, GameStarted):
            history = History.begin(effect, STARTED, Clock.KERNEL)
            writer = RecordWriter(folder, history)
        elif isinstance(effect, MoveMade | GameEnded):
            writer.write(history.follow(effect))
    writer.close()
    record = read_record(writer.path)
    assert record == _to_microseconds(history)
    return record


def _to_microseconds(history: History) -> History:
    """The game as a file has it."""
    return parse_record("".join(f"{line}\n" for line in record_lines(history)).encode())


class Table:
    """Two players at one table, who play at random and answer as quickly as the test wants."""

    def __init__(self, game: AnyGame, seed: int = 1) -> None:
        self.game = game
        self.rng = Random(seed)
        self.theatre = Theatre(game, settings=LobbySettings(password=PASSWORD, limits=LIMITS))
        for name in ("one", "two"):
            self.theatre.say(name, f'<protocol><join gameType="{game.wire_name}"/>')
        [self.room] = self.theatre.lobby.rooms.values()

    @property
    def asked(self) -> str:
        return ("one", "two")[self.room.state.to_move]

    def send(self, name: str, data: str, after: float = 0.1, *, stamped: bool = True) -> None:
        self.theatre.now += after
        stamp = self.theatre.now
        self.theatre.now += 0.01  # So long it waits until it is read.
        self.theatre.say(name, f'<room roomId="{self.room.room_id}">{data}</room>', stamp=stamp if stamped else None)

    def play(self, moves: int = 1000) -> None:
        for _ in range(moves):
            legal = self.room.state.legal_moves()
            if not legal:
                return
            move = self.rng.choice(legal)
            self.send(
                self.asked, self.game.codec.write_move(move), self.rng.uniform(0, 0.98), stamped=self.rng.random() < 0.8
            )

    def garbage(self) -> str:
        while self.room.state.violation(move := self.game.garbage_move(self.rng)) is None:
            pass
        return self.game.codec.write_move(move)

    def legal(self) -> str:
        return self.game.codec.write_move(self.room.state.legal_moves()[0])

    @property
    def other(self) -> str:
        return "two" if self.asked == "one" else "one"


HAPPENINGS: dict[str, tuple[Callable[[Table], None], Cause]] = {
    "to the end": (lambda table: table.play(), Cause.REGULAR),
    "illegal": (lambda table: table.send(table.asked, table.garbage()), Cause.RULE_VIOLATION),
    "no move": (lambda table: table.send(table.asked, "<data class='move'/>"), Cause.RULE_VIOLATION),
    "unasked": (lambda table: table.send(table.other, table.legal()), Cause.RULE_VIOLATION),
    "late": (lambda table: table.send(table.asked, table.legal(), 1.001), Cause.SOFT_TIMEOUT),
    "late by our clock": (
        lambda table: table.send(table.asked, table.legal(), 0.995, stamped=False),
        Cause.SOFT_TIMEOUT,
    ),
    "very late": (lambda table: table.send(table.asked, table.legal(), 3.5), Cause.HARD_TIMEOUT),
    "silent": (lambda table: table.theatre.wait(3.0), Cause.HARD_TIMEOUT),
    "gone": (lambda table: table.theatre.hang_up(table.asked), Cause.LEFT),
    "other gone": (lambda table: table.theatre.hang_up(table.other), Cause.LEFT),
    "stopped": (lambda table: table.theatre.perform(table.theatre.lobby.stop(table.theatre.now)), Cause.REGULAR),
}


@each_game
@pytest.mark.parametrize("happening", HAPPENINGS)
def test_whatever_happens_in_a_room_its_record_is_sound(game: AnyGame, happening: str, tmp_path: Path) -> None:
    happens, cause = HAPPENINGS[happening]
    table = Table(game)
    table.play(7)
    happens(table)
    record = write_down(table.theatre, tmp_path)
    assert [finding.sentence.en for finding in verify_record(record).findings] == []
    assert record.result is not None
    assert {cause} <= {team.cause for team in record.result.teams} <= {cause, Cause.REGULAR}
    assert record.state == table.room.state
    replay = parse_replay(replay_bytes(record), official=game.official)
    assert replay.states == record.states
