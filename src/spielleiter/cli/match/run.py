"""Plays a match that is planned, shows it, and says how it ended: for ``match``, and for those who need matches."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import typer

from spielleiter.cli.match.manual import (
    JoinSettings,
    announce_arrivals,
    announce_invitations,
)
from spielleiter.cli.match.view import LiveView, PlainView, QuietView, View, print_summary
from spielleiter.cli.programs import EXIT_ALWAYS_CRASHED, EXIT_NEVER_STARTED, explain_level
from spielleiter.cli.signals import interrupt_on_every_signal
from spielleiter.cli.terminal import console, errors, language, say
from spielleiter.feeds import Feed, FeedServer
from spielleiter.game import Text
from spielleiter.matches import play_settings
from spielleiter.matches.executor import Executor
from spielleiter.matches.invitations import with_reservations
from spielleiter.matches.match import Match, MatchEnd, Stop
from spielleiter.matches.plan import (
    FEED,
    MatchPlan,
    claim_folder,
)
from spielleiter.matches.play_settings import PlaySettings
from spielleiter.matches.summary import Summary, summarise
from spielleiter.programs.entrants import Entrant
from spielleiter.text import shell_word


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(PlaySettings):
    """How and where games are played from the command line; nothing of it changes what is played."""

    watch: bool = False
    replay_busy: bool = True
    recover: bool = False
    join_settings: JoinSettings = field(default_factory=lambda: JoinSettings("127.0.0.1", 13050, 600.0))


def run_match(
    plan: MatchPlan,
    folder: Path,
    settings: RunSettings,
    *,
    resume: bool,
    report: bool = True,
    as_json: bool = False,
    stats: bool = True,
) -> tuple[Summary, int]:
    """Play what is missing of a match: what came of it, and the exit code. Exits if it is interrupted.

    Without ``stats`` the summary is in plain words.
    """
    settings.check(plan)
    claim_folder(folder, plan, resume=resume)
    plan = replace(plan, entrants=with_reservations(folder, plan.entrants))
    view: View = QuietView() if as_json else LiveView(plan, stats) if console.is_terminal else PlainView(plan, stats)
    try:
        interrupt_on_every_signal()
        end = asyncio.run(_play(plan, folder, view, settings))
    except KeyboardInterrupt:
        again = f"--resume {shell_word(folder)}" + ("" if settings.replay_busy else " --no-replay-busy")
        errors.print(
            Text(f"Unterbrochen; weiter mit {again}", f"Interrupted; go on with {again}").to(language()), markup=False
        )
        raise typer.Exit(130) from None
    return _show_end(plan, folder, view, end, report=report, as_json=as_json, stats=stats)


async def open_executor(entrants: Sequence[Entrant], settings: RunSettings, *, in_process: bool) -> Executor:
    """Where games between these players are played; says so if the sandbox is a weak one. Raises ``SettingsError``."""
    return await play_settings.open_executor(
        entrants,
        settings,
        in_process=in_process,
        on_level=explain_level,
        on_arrival=announce_arrivals(entrants),
        adapt=lambda arena: settings.join_settings.apply_to(arena, entrants),
    )


async def _play(plan: MatchPlan, folder: Path, view: View, settings: RunSettings) -> MatchEnd:
    executor = await open_executor(plan.entrants, settings, in_process=plan.in_process)
    async with executor, AsyncExitStack() as stack:
        announce_invitations(executor, plan.entrants, seconds=plan.seconds)
        feed = Feed() if settings.watch else None
        if feed is not None:
            server = await stack.enter_async_context(FeedServer(feed))
            stack.enter_context(server.address.written_to(folder / FEED))
            command = f"spielleiter web --follow {shell_word(folder)}"
            view.notice(Text(f"Zuschauen: {command}", f"To watch: {command}"))
        running = Match(
            plan,
            folder,
            executor,
            replay_busy=settings.replay_busy,
            recover=settings.recover,
            on_row=lambda row: view.row(row, running),
            on_start=view.start,
            feed=feed,
        )
        for notice in executor.notices:
            view.notice(notice)
        try:
            with view:
                view.begin(running)
                return await running.run()
        except asyncio.CancelledError:
            if plan.in_process:  # A thread cannot be cancelled.
                errors.print(
                    Text(
                        "Gleich zu Ende: nach dem Zug, über den gerade nachgedacht wird ...",
                        "Ending after the move that is being thought about ...",
                    ).to(language())
                )
            raise


def _show_end(
    plan: MatchPlan, folder: Path, view: View, end: MatchEnd, *, report: bool, as_json: bool, stats: bool
) -> tuple[Summary, int]:
    """Show how the match ended: that, and the exit code."""
    summary = summarise(plan, end.rows, view.sprt, len(end.replaced))
    code, why = _exit_code(summary, end)
    if report:
        from spielleiter.pages.match_report import write_report

        write_report(folder, plan, end.rows, summary, end.notices, language(), replaced=end.replaced)
    if as_json:
        data: dict[str, Any] = {"folder": str(folder), "stop": end.stop.name, "reason": end.reason.to(language())}
        data["exit_code"] = code
        data |= summary.to_json() | {"notices": [notice.to(language()) for notice in end.notices]}
        console.print_json(json.dumps(data))
        return summary, code
    print_summary(summary, end, folder, report=report, stats=stats)
    if code:
        say(Text(f"{why.de} (Exit-Code {code}).", f"{why.en} (exit code {code})."), "bold red")
    return summary, code


def _exit_code(summary: Summary, end: MatchEnd) -> tuple[int, Text]:
    """The exit code, and what it says about the players."""
    if absent := [standing.name for standing in summary.standings if standing.never_started]:
        names = ", ".join(absent)
        return EXIT_NEVER_STARTED, Text(f"Nie gestartet: {names}", f"Never started: {names}")
    if end.stop is Stop.NO_START:
        return EXIT_NEVER_STARTED, Text("Vorzeitig beendet", "Stopped early")
    if broken := [standing.name for standing in summary.standings if standing.always_crashed]:
        names = ", ".join(broken)
        return EXIT_ALWAYS_CRASHED, Text(f"In jedem Spiel abgestürzt: {names}", f"Crashed in every game: {names}")
    return 0, end.reason
