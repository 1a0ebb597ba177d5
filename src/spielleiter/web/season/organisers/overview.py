"""What organisers see beside the standings: who is waited for, which games are played, how busy the machines are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.contest.season.next import Blocker, SeasonState
from spielleiter.game import Text
from spielleiter.matches.executor import available_cores
from spielleiter.pressure import busy_warning, current_pressure, is_busy

_ORGANISERS = Text("die Spielleitung", "the organisers")
_SHOWN_TEAMS = 6


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the season waits for, and whose turn it is."""

    who: Text
    what: Text


def waiting(state: SeasonState, without_program: Sequence[str], *, is_running: bool) -> list[Waiting]:
    """Everything that has to be done before the season can go on, or should be before a team's next game."""
    found = []
    match state.blocker:
        case Blocker.GAMES if not is_running:
            found.append(Waiting(_ORGANISERS, Text("die Saison spielen lassen", "run the season")))
        case Blocker.PAUSE:
            found.append(Waiting(_ORGANISERS, Text("die Pause beenden", "end the pause")))
        case Blocker.LOT:
            found.append(Waiting(_ORGANISERS, Text("das Los ziehen", "draw the lot")))
        case Blocker.RULING:
            names = ", ".join(state.games)
            found.append(Waiting(_ORGANISERS, Text(f"entscheiden über {names}", f"decide on {names}")))
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


def busy_machine() -> Text | None:
    """A warning if programs have to wait for a core here, so that games may be lost on time."""
    pressure = current_pressure()
    return None if pressure is None or not is_busy(pressure) else busy_warning(pressure)


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
