"""``spielleiter contest invite``: the link with which a person becomes a member of a team, or an organiser."""

from __future__ import annotations

from typing import Annotated

import typer

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    open_contest,
)
from spielleiter.cli.terminal import console, say, t
from spielleiter.contest.accounts.accounts import INVITATION
from spielleiter.contest.accounts.accounts import invite as make_invitation
from spielleiter.contest.read.reader import read_snapshot
from spielleiter.contest.run.contest import os_user
from spielleiter.errors import SettingsError
from spielleiter.game import Text

_DEFAULT_PAGES = "http://127.0.0.1:8050"
"""Where ``spielleiter web`` serves by default."""


def invite(
    team: Annotated[str | None, typer.Option(help=t(
        "Für ein Mitglied dieses Teams.", "For a member of this team."))] = None,
    organiser: Annotated[bool, typer.Option("--organiser", help=t(
        "Für jemanden, der den Wettbewerb leitet.", "For an organiser."))] = False,
    address: Annotated[str | None, typer.Option(help=t(
        "Öffentliche URL der Seiten; Standard: wo sie laufen oder zuletzt liefen.",
        "Public URL of the pages; default: where they are served, or were last."))] = None,
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:  # fmt: skip
    if (team is not None) == organiser:
        raise SettingsError("Sag, für wen: --team NAME oder --organiser.", "say for whom: --team NAME, or --organiser")
    with open_contest(season, store) as contest:
        name = None
        if team is not None:
            name = read_snapshot(contest).find_team(team).name
        token = make_invitation(contest.store, who=os_user(), team=name, organiser=organiser)
        base = address or contest.pages_url() or _DEFAULT_PAGES
    console.print(f"{base.rstrip('/')}/contest/invitation/{token}", markup=False, soft_wrap=True)
    days = INVITATION.days
    say(
        Text(
            f"Der Link gilt einmal und {days} Tage lang. Die Seiten startest du mit: spielleiter web --season {season}",
            f"The link works once, for {days} days. Start the pages with: spielleiter web --season {season}",
        ),
        "dim",
    )
