"""``spielleiter contest invite``: the link with which somebody becomes a member of a team, or an organiser."""

from __future__ import annotations

from typing import Annotated

import typer

from spielleiter.cli.contest.arguments import (
    SEASON,
    SeasonOption,
    StoreOption,
    open_contest,
)
from spielleiter.cli.terminal import console, say
from spielleiter.contest.accounts.accounts import INVITATION
from spielleiter.contest.accounts.accounts import invite as make_invitation
from spielleiter.contest.run.contest import os_user
from spielleiter.contest.run.programs import find_team
from spielleiter.errors import SettingsError
from spielleiter.game import Text


def invite(
    team: Annotated[str | None, typer.Option(help="For a member of this team.")] = None,
    organiser: Annotated[bool, typer.Option("--organiser", help="For an organiser.")] = False,
    address: Annotated[str, typer.Option(help="Public URL of the pages.")] = "http://127.0.0.1:8050",
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Print a link with which one person can create an account; it works once, for two weeks."""
    if (team is not None) == organiser:
        raise SettingsError("Sag, für wen: --team NAME oder --organiser.", "say for whom: --team NAME, or --organiser")
    with open_contest(season, store) as contest:
        name = None
        if team is not None:
            with contest.store.reading() as session:
                name = find_team(session, team).name
        token = make_invitation(contest.store, who=os_user(), team=name, organiser=organiser)
    console.print(f"{address.rstrip('/')}/contest/invitation/{token}", markup=False, soft_wrap=True)
    days = INVITATION.days
    say(
        Text(
            f"Der Link gilt einmal und {days} Tage lang. Die Seiten startest du mit: spielleiter web --season {season}",
            f"The link works once, for {days} days. Start the pages with: spielleiter web --season {season}",
        ),
        "dim",
    )
