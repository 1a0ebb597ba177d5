"""What may not change in a season file once the season has begun."""

from __future__ import annotations

from collections.abc import Collection

from spielleiter.contest.season.file import STAGES
from spielleiter.contest.season.model import Absence, Season
from spielleiter.game import Limits, Ranking, Text


def differences(was: Season, now: Season, *, with_program: Collection[str] = ()) -> list[Text]:
    """In what a season file differs from the one with which the season began; what may change is left out.

    The first programs of teams may change, but not of those ``with_program``: they play already.
    """
    found = []
    for name in ("name", "game", "seed", "ranking", "ponder", "in_process"):
        found += _changed(_KEYS.get(name, name), getattr(was, name), getattr(now, name))
    found += _changed("lots", *("by hand" if season.lots_by_hand else "automatic" for season in (was, now)))
    before_teams, after_teams = ({team.name: team for team in season.teams} for season in (was, now))
    found += [
        Text(f"das Team {name!r} fehlt", f"the team {name!r} is missing")
        for name in before_teams
        if name not in after_teams
    ]
    found += [
        Text(f"das Team {name!r} ist neu", f"the team {name!r} is new")
        for name in after_teams
        if name not in before_teams
    ]
    for name, team in before_teams.items():
        if (other := after_teams.get(name)) is not None:
            if other.group != team.group:
                found.append(
                    Text(
                        f"das Team {name!r} war in Gruppe {team.group} und ist jetzt in Gruppe {other.group}",
                        f"the team {name!r} was in group {team.group} and is now in group {other.group}",
                    )
                )
            if other.player != team.player and name in with_program:
                found.append(
                    Text(
                        f"der Spieler von {name!r} war {team.player!r} und ist jetzt {other.player!r} (nimm dafür"
                        " 'spielleiter contest submit')",
                        f"the player of {name!r} was {team.player!r} and is now {other.player!r} (use 'spielleiter"
                        " contest submit')",
                    )
                )
    before_phases, after_phases = ({phase.stage: phase for phase in season.phases} for season in (was, now))
    for section, stage in STAGES.items():
        one, two = before_phases.get(stage), after_phases.get(stage)
        if one is None and two is not None:
            found.append(Text(f"[{section}] ist neu", f"[{section}] is new"))
        elif one is not None and two is None:
            found.append(Text(f"[{section}] fehlt", f"[{section}] is missing"))
        elif one is not None and two is not None:
            for name in ("games", "cap", "matchdays", "qualify", "without_program", "limits"):
                found += _changed(f"[{section}] {_KEYS.get(name, name)}", getattr(one, name), getattr(two, name))
    return found


def _changed(what: str, before: object, after: object) -> list[Text]:
    if before == after:
        return []
    one, two = _shown(before), _shown(after)
    return [Text(f"{what} war {one} und ist jetzt {two}", f"{what} was {one} and is now {two}")]


_KEYS = {"ranking": "standings", "limits": "time"}
"""The names of these fields in the file, where they differ."""


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Limits):
        return f"{value.soft:g}"
    if isinstance(value, Absence | Ranking):
        return value.value
    return repr(value)
