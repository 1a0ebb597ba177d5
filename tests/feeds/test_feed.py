"""A feed in memory."""

from __future__ import annotations

import pytest

from spielleiter.feeds import Feed, FeedLine
from tests.support.feeds import record_lines, write


def test_a_late_subscriber_gets_all_lines_of_the_running_games() -> None:
    feed, lines = Feed(), record_lines()
    write(feed, "M1-A1-1", lines[:5])
    write(feed, "M1-A1-2", lines[:2])
    assert [(line.game_id, line.line) for line in feed.lines()] == [
        *(("M1-A1-1", line) for line in lines[:5]),
        *(("M1-A1-2", line) for line in lines[:2]),
    ]
    assert all(0.0 <= line.age < 10.0 for line in feed.lines())


def test_a_game_that_has_ended_is_forgotten_and_its_followers_hear_it_once() -> None:
    feed = Feed()
    heard: list[FeedLine] = []
    write(feed, "1", record_lines()[:3])
    unsubscribe = feed.subscribe(heard.append)
    feed.drop("1")
    feed.drop("1")
    assert heard == [FeedLine("1", "")]
    assert list(feed.lines()) == []
    unsubscribe()
    write(feed, "2", record_lines()[:1])
    assert len(heard) == 1


def test_a_game_that_is_played_again_begins_anew() -> None:
    feed = Feed()
    write(feed, "1", record_lines(1)[:9])
    write(feed, "1", record_lines(3)[:2])
    assert [line.line for line in feed.lines()] == list(record_lines(3)[:2])


@pytest.mark.parametrize("line", [record_lines()[0], record_lines()[-1], "", '{"names":["Bit & \\t Byte","ö"]}'])
def test_a_line_comes_back_from_the_network(line: str) -> None:
    assert FeedLine.decode(FeedLine("M1-Ä1-1", line, 1.5).encode()) == FeedLine("M1-Ä1-1", line, 1.5)


@pytest.mark.parametrize("data", [b"\n", b"id\tnow\t{}\n", b"id\t1.0\n", b"\xff\t1\t{}\n", b"a\t1\tb\tc\n"])
def test_nonsense_is_refused_as_a_line(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever is wrong with it
        FeedLine.decode(data)
