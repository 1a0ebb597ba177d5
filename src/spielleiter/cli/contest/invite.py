"""``spielleiter contest invite``: the link with which somebody becomes a member of a team, or an organiser."""

from __future__ import annotations

from typing import Annotated

import typer

from spielleiter.cli.contest.run import SEASON, SeasonOption, StoreOption, open_contest, say
from spielleiter.cli.terminal import console
from spielleiter.contest.accounts.accounts import INVITATION
from spielleiter.contest.accounts.accounts import invite as make_invitation
from spielleiter.contest.run.contest import os_user
from spielleiter.contest.run.programs import find_team
from spielleiter.errors import SettingsError
from spielleiter.game import Text


def invite(
    team: Annotated[str | None, typer.Option(help="For a member of this team.")] = None,
    organiser: Annotated[bool, typer.Option("--organiser", help="For an organiser.")] = False,
    address: Annotated[
        str, typer.Option(help="Where the pages are: with what the link begins.")
    ] = "http://127.0.0.1:8050",
    season: SeasonOption = SEASON,
    store: StoreOption = None,
) -> None:
    """Print a link with which one person can make an account; it works once, for two weeks."""
    if (team is not None) == organiser:
        raise SettingsError("say for whom: --team NAME, or --organiser")
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
            f"Der Link gilt einmal, {days} Tage lang; die Seiten laufen mit: spielleiter web --season {season}",
            f"The link works once, for {days} days; the pages run with: spielleiter web --season {season}",
        ),
        "dim",
    )
