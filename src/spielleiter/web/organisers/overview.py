"""What organisers see beside the standings: who is waited for, which games are played, how busy the machines are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.contest.store import ActivationRow, FeedRow, TeamRow
from spielleiter.game import Text
from spielleiter.matches.executor import available_cores

_ORGANISERS = Text("die Organisation", "the organisers")
_SHOWN_TEAMS = 6


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the season waits for, and whose turn it is."""

    who: Text
    what: Text


def waiting(state: SeasonState, without_program: Sequence[str], *, is_running: bool) -> list[Waiting]:
    """Everything that somebody has to do before the season can go on, or should do before their next game."""
    found = []
    match state.blocker:
        case Blocker.GAMES if not is_running:
            found.append(Waiting(_ORGANISERS, Text("die Saison spielen lassen", "run the season")))
        case Blocker.PAUSE:
            found.append(Waiting(_ORGANISERS, Text("die Pause beenden", "end the pause")))
        case Blocker.LOT:
            found.append(Waiting(_ORGANISERS, Text("das Los ziehen", "draw the lot")))
        case Blocker.DATE if not is_running:
            what = Text(
                "starten, damit der Spieltag von selbst beginnt", "run it, so that the matchday begins by itself"
            )
            found.append(Waiting(_ORGANISERS, what))
    if without_program and state.blocker is not Blocker.NOTHING:
        names = ", ".join(without_program[:_SHOWN_TEAMS])
        more = len(without_program) - _SHOWN_TEAMS
        who = Text(
            names + (f" und {more} weitere" if more > 0 else ""), names + (f" and {more} more" if more > 0 else "")
        )
        found.append(Waiting(who, Text("ein Programm hochladen und aktivieren", "upload and activate a program")))
    return found


def teams_without_program(session: Session) -> list[str]:
    """The teams that would have nothing to play with."""
    active = select(ActivationRow.team_id)
    wanted = select(TeamRow.name).where(TeamRow.id.not_in(active), TeamRow.disqualified.is_(None))
    return list(session.scalars(wanted.order_by(TeamRow.name)))


def playing_machines(session: Session) -> list[str]:
    """The machines on which the season is being played: those whose games can be followed."""
    return sorted(set(session.scalars(select(FeedRow.host))))


def machine_load() -> Text:
    """How busy this machine is."""
    cores = len(available_cores())
    try:
        load = os.getloadavg()[0]
    except OSError:  # Some systems do not tell.
        return Text(f"{cores} Kerne", f"{cores} cores")
    return Text(
        f"{load:.1f}".replace(".", ",") + f" rechnende Prozesse auf {cores} Kernen",
        f"{load:.1f} running processes on {cores} cores",
    )
