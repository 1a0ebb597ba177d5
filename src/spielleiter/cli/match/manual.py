"""What ``match`` and ``contest`` share for players who join from their own machines: options, and lines to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from spielleiter.cli.start_message import announce, player_command, player_lines
from spielleiter.cli.terminal import t
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.server.addresses import reachable
from spielleiter.text import Text, one_line

HostOption = Annotated[str, typer.Option(help=t(
    "Adresse für alle, die selbst beitreten; 0.0.0.0 für alle Netze.",
    "Address that manual players connect to; 0.0.0.0 for all networks."))]  # fmt: skip
PortOption = Annotated[int, typer.Option(min=0, max=65535, help=t(
    "Port dazu; 0 für irgendeinen freien.", "Its port; 0 for any free one."))]  # fmt: skip
WaitOption = Annotated[float, typer.Option(min=1, help=t(
    "So viele Sekunden wird auf jemanden gewartet, der selbst beitritt; dann ist das Spiel verloren.",
    "Seconds to wait for the first game of a manual player; then the game is lost."))]  # fmt: skip


@dataclass(frozen=True, slots=True)
class JoinSettings:
    """Where manual players join, and how long the match waits for them."""

    host: str
    port: int
    wait: float

    def apply_to(self, settings: ArenaSettings, entrants: Sequence[Entrant]) -> ArenaSettings:
        """The settings with this address, if there are manual players."""
        if not any(entrant.kind is EntrantKind.MANUAL for entrant in entrants):
            return settings
        return replace(settings, host=self.host, port=self.port, wait=self.wait)


def announce_invitations(executor: Executor, entrants: Sequence[Entrant], seconds: float | None = None) -> None:
    """Print for each manual player the line with which they come to all of their games.

    ``seconds`` is the time of a move where it is not that of the game.
    """
    invited = [entrant for entrant in entrants if entrant.kind is EntrantKind.MANUAL]
    if not (invited and isinstance(executor, LocalExecutor)):
        return
    host, port = executor.address
    announce(player_lines(host, port)[0])
    announce(Text("Jeder startet sein Programm mit seiner Zeile:", "Each player starts their program with their line:"))
    limit = "" if seconds is None else f" --limit {seconds:g}"
    for entrant in invited:
        command = player_command(reachable(host)[0], port, entrant.reservation)
        line = f"  {one_line(entrant.name)}: {command} --rejoin{limit}"
        announce(Text(line, line))


def announce_arrivals(entrants: Sequence[Entrant]) -> Callable[[str], None]:
    """Announce each manual player once they have come, and how many have not."""
    expected = {entrant.name for entrant in entrants if entrant.kind is EntrantKind.MANUAL}
    here: set[str] = set()

    def arrived(name: str) -> None:
        if name in here:
            return
        here.add(name)
        missing = ", ".join(one_line(other) for other in sorted(expected - here))
        who, count = one_line(name), f"{len(here)}/{len(expected)}"
        announce(
            Text(
                f"{who} ist da ({count})" + (f", es fehlen noch: {missing}" if missing else ": alle sind da."),
                f"{who} is here ({count})" + (f", still missing: {missing}" if missing else ": all are here."),
            )
        )

    return arrived
