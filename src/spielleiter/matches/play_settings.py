"""Where the games of a match are played and what a player may use there: nothing of it changes what is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spielleiter.errors import SettingsError
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import Executor, LocalExecutor, chosen_cores
from spielleiter.matches.plan import MatchPlan
from spielleiter.programs.entrants import Entrant, EntrantKind
from spielleiter.programs.sandbox import AUTO, Choice, Level, ResourceLimits, choose


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """How and where games are played."""

    sandbox: str = AUTO
    memory: int = 1500
    """Memory limit of a player, in megabytes."""
    concurrency: int | None = None
    cores: tuple[int, ...] | None = None
    """Processor cores for the players; ``None``: all."""
    cluster: str | None = None

    @property
    def resource_limits(self) -> ResourceLimits:
        return ResourceLimits(memory=self.memory * 1_000_000)

    def check(self, plan: MatchPlan) -> None:
        """Raise ``SettingsError`` if the games of this plan cannot be played so."""
        kinds = {entrant.kind for entrant in plan.entrants}
        if plan.in_process and kinds != {EntrantKind.BUILT_IN}:
            raise SettingsError(
                "--in-process gibt es nur für eingebaute Spieler.", "--in-process is for built-in players only"
            )
        if self.cluster is not None:
            check_cluster(plan.entrants)
        if self.cores is not None:
            chosen_cores(self.cores, self.concurrency or 1)
        if self.cores is not None and (self.cluster is not None or plan.in_process):
            raise SettingsError(
                "--cores gibt es nur für Spieler in Prozessen auf diesem Rechner: ohne --cluster und --in-process.",
                "--cores is for players in processes on this machine: leave out --cluster and --in-process",
            )


def check_cluster(entrants: Sequence[Entrant]) -> None:
    """Raises ``SettingsError`` if there are manual players: they know one address, not that of every worker."""
    if any(entrant.kind is EntrantKind.MANUAL for entrant in entrants):
        raise SettingsError(
            "Wer selbst beitritt („manual“), kann nicht auf einem Cluster mitspielen: lass --cluster weg.",
            "a manual player cannot join a game on a cluster: leave out --cluster",
        )


def _as_is(settings: ArenaSettings) -> ArenaSettings:
    return settings


async def open_executor(
    entrants: Sequence[Entrant],
    settings: PlaySettings,
    *,
    in_process: bool,
    on_level: Callable[[Choice], None] = lambda choice: None,
    on_arrival: Callable[[str], None] = lambda name: None,
    adapt: Callable[[ArenaSettings], ArenaSettings] = _as_is,
) -> Executor:
    """Where games between these players are played. Raises ``SettingsError`` if the sandbox does not work here.

    ``on_level`` gets the sandbox that was chosen, ``on_arrival`` the name of each manual player who has come to the
    address that ``adapt`` adds.
    """
    # One ZIP is what its author tries out; several are those of other people, too.
    uploads = (EntrantKind.ZIP, EntrantKind.JAR)
    untrusted = len({entrant.digest for entrant in entrants if entrant.kind in uploads}) > 1
    if settings.cluster is not None:
        from spielleiter.matches.cluster import DaskExecutor

        wanted = Level.BUBBLEWRAP.value if untrusted and settings.sandbox == AUTO else settings.sandbox
        return DaskExecutor(settings.cluster, sandbox=wanted, resource_limits=settings.resource_limits)
    level = Level.NONE
    if not in_process:
        choice = await choose(settings.sandbox, untrusted=untrusted)
        on_level(choice)
        level = choice.level
    return LocalExecutor(
        adapt(ArenaSettings(level=level, resource_limits=settings.resource_limits)),
        concurrency=settings.concurrency,
        cores=settings.cores,
        entrants=entrants,
        on_arrival=on_arrival,
    )
