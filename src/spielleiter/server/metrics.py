"""What the server counts, and how Prometheus reads it."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

from spielleiter.game import Cause, Clock
from spielleiter.referee import GameEnded, GameEvent, GameStarted, MoveMade
from spielleiter.server.addresses import bind

_BOUNDS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 1.0)


@dataclass(slots=True)
class Histogram:
    """How often a value fell below each of some bounds."""

    bounds: tuple[float, ...] = _BOUNDS
    counts: list[int] = field(default_factory=lambda: [0] * (len(_BOUNDS) + 1))
    total: float = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str) -> list[str]:
        """The histogram in the text format of Prometheus."""
        lines, below = [], 0
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            below += count
            lines.append(f'{name}_bucket{{le="{"+Inf" if bound == float("inf") else f"{bound:g}"}"}} {below}')
        return [*lines, f"{name}_sum {self.total:.6f}", f"{name}_count {below}"]


@dataclass(slots=True)
class Metrics:
    """The metrics of one game master since its start."""

    connections: int = 0
    connections_total: int = 0
    refused_connections_total: int = 0
    rooms: int = 0
    games_started_total: Counter[str] = field(default_factory=Counter)
    """Counted for each key of a game."""
    games_ended_total: Counter[str] = field(default_factory=Counter)
    """Counted for each cause: REGULAR, or the fault that ended it."""
    moves_total: Counter[Clock] = field(default_factory=Counter)
    record_failures_total: int = 0
    answer_seconds: Histogram = field(default_factory=Histogram)
    """Seconds from a move's arrival to the next request leaving, without the gap that some seasons leave before it."""

    def count(self, event: GameEvent) -> None:
        """Count what happened in a game."""
        match event:
            case GameStarted():
                self.games_started_total[event.game.key] += 1
            case MoveMade():
                self.moves_total[event.timing.judged_by] += 1
            case GameEnded():
                faults = [team.cause for team in event.result.teams if team.cause is not Cause.REGULAR]
                self.games_ended_total[(faults[0] if faults else Cause.REGULAR).value] += 1

    def text(self) -> str:
        """All metrics in the text format of Prometheus."""
        plain = {
            "connections": ("gauge", self.connections),
            "connections_total": ("counter", self.connections_total),
            "refused_connections_total": ("counter", self.refused_connections_total),
            "rooms": ("gauge", self.rooms),
            "record_failures_total": ("counter", self.record_failures_total),
        }
        lines: list[str] = []
        for name, (kind, value) in plain.items():
            lines += [f"# TYPE spielleiter_{name} {kind}", f"spielleiter_{name} {value}"]
        labelled: dict[str, tuple[str, dict[str, int]]] = {
            "games_started_total": ("game", dict(self.games_started_total)),
            "games_ended_total": ("cause", dict(self.games_ended_total)),
            "moves_total": ("judged_by", {by.value: count for by, count in self.moves_total.items()}),
        }
        for name, (label, counts) in labelled.items():
            lines.append(f"# TYPE spielleiter_{name} counter")
            lines += [f'spielleiter_{name}{{{label}="{key}"}} {count}' for key, count in sorted(counts.items())]
        lines.append("# TYPE spielleiter_answer_seconds histogram")
        lines += self.answer_seconds.lines("spielleiter_answer_seconds")
        return "\n".join(lines) + "\n"


async def serve_metrics(metrics: Metrics, host: str, port: int) -> asyncio.Server:
    """A tiny HTTP server that answers every request with the metrics. Raises ``SettingsError`` for a taken port."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(5):
                await reader.readuntil(b"\r\n\r\n")
                body = metrics.text().encode()
                head = (
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
                    f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
                )
                writer.write(head.encode() + body)
                await writer.drain()
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # A scraper that breaks off gets nothing; the next one asks again.
        finally:
            writer.close()

    return await asyncio.start_server(answer, sock=bind(host, port, "--metrics"), limit=16 * 1024)
