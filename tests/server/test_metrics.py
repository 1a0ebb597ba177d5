"""What the server counts, and how Prometheus reads it."""

from __future__ import annotations

from spielleiter.server.metrics import Histogram, Metrics
from tests.server.test_recorder import events


def test_the_events_of_games_are_counted() -> None:
    metrics = Metrics()
    for event in events():
        metrics.count(event)
    text = metrics.text()
    assert 'spielleiter_games_started_total{game="piranhas-2026"} 1\n' in text
    assert 'spielleiter_games_ended_total{cause="REGULAR"} 1\n' in text
    assert 'spielleiter_moves_total{judged_by="kernel"} 1\n' in text
    assert "spielleiter_record_failures_total 0\n" in text


def test_a_histogram_adds_up_what_lies_below_each_bound() -> None:
    histogram = Histogram()
    for value in (0.00005, 0.0002, 0.3, 5.0):
        histogram.observe(value)
    lines = histogram.lines("x")
    assert lines[0] == 'x_bucket{le="0.0001"} 1'
    assert lines[1] == 'x_bucket{le="0.0002"} 2'
    assert 'x_bucket{le="1"} 3' in lines
    assert lines[-3:] == ['x_bucket{le="+Inf"} 4', "x_sum 5.300250", "x_count 4"]
