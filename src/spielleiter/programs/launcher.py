"""The one way in which a player program is started: in a sandbox, connected to a game master."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from spielleiter.game import Limits
from spielleiter.programs.entrants import Entrant
from spielleiter.programs.sandbox import ExitStatus, Level, ResourceLimits, SandboxedProcess, start
from spielleiter.server import GameMaster, Peer

_MAX_CONNECTIONS = 4
"""Per player; a player needs one."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """Starts player programs for the games of ``master``, all in the same level of the sandbox."""

    master: GameMaster
    level: Level
    resource_limits: ResourceLimits = field(default_factory=ResourceLimits)
    private: tuple[Path, ...] = ()
    """Folders that no program sees, wherever they are: that of the season, for one."""

    async def start(
        self,
        entrant: Entrant,
        arguments: Sequence[str],
        *,
        limits: Limits | None = None,
        cores: tuple[int, ...] = (),
        report_leftovers: bool = False,
        address: tuple[str, int] | None = None,
        takes_notes: bool = True,
    ) -> SandboxedProcess:
        """Start a program; it waits for its ``go``, and has to be ended with ``stop``.

        ``limits`` are given where they need not be those of the game. A proxy between the program and
        the game master gives its ``address``, and serves the listener of the process. Raises ``SettingsError`` if
        the sandbox does not work here.
        """
        # The first time it looks for the Python that the program needs: clocks tick in this loop.
        spec = await asyncio.to_thread(entrant.launch_spec, arguments, limits=limits)
        process = await start(
            replace(spec, takes_notes=takes_notes),
            self.level,
            replace(self.resource_limits, cores=cores),
            address=address or self.master.local_address,
            report_leftovers=report_leftovers,
            private=self.private,
        )
        if process.listener is not None and address is None:
            self.master.add_listener(process.listener, max_connections=_MAX_CONNECTIONS)
        return process

    def admits(self, process: SandboxedProcess, peer: Peer) -> bool:
        """Whether a connection is the program's own; in the same network, others could have read its reservation."""
        if process.listener is not None:
            return peer.listener is process.listener
        return process.has_connection(peer.socket_address)

    async def stop(self, process: SandboxedProcess) -> ExitStatus:
        """End a program with everything that it started. Idempotent."""
        if process.listener is not None:
            self.master.remove_listener(process.listener)
        return await process.stop()
