"""What may change in a season file once the season is in its store, what may not, and what follows from a change."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from spielleiter.contest.season.draw import group_encounters
from spielleiter.contest.season.file import STAGES
from spielleiter.contest.season.model import Absence, Phase, Season, Stage, TeamEntry
from spielleiter.game import Limits, Ranking, Text


def differences(
    was: Season, now: Season, *, with_program: Collection[str] = (), begun: Collection[Stage] = tuple(Stage)
) -> list[Text]:
    """The differences to the file with which the season began, except those that are allowed.

    The first programs of teams may change, but not of those ``with_program``: they play already. A team may join before
    the first of its phases has ``begun``, or take a reserve place.
    """
    found = []
    for name in ("name", "game", "seed", "ranking", "ponder", "in_process"):
        found += _changed(_KEYS.get(name, name), getattr(was, name), getattr(now, name))
    found += _changed("lots", *("by hand" if season.lots_by_hand else "automatic" for season in (was, now)))
    found += _team_differences(was, now, with_program, begun)
    return found + _phase_differences(was, now)


def _team_differences(was: Season, now: Season, with_program: Collection[str], begun: Collection[Stage]) -> list[Text]:
    before_teams, after_teams = ({team.draw_name: team for team in season.teams} for season in (was, now))
    found = [
        Text(f"das Team {team.name!r} fehlt", f"the team {team.name!r} is missing")
        for name, team in before_teams.items()
        if name not in after_teams
    ]
    found += [
        Text(f"das Team {team.name!r} ist neu", f"the team {team.name!r} is new")
        for team in new_teams(was, now)
        if team.replaces or not _may_join(now, team, begun)
    ]
    for name, team in before_teams.items():
        if (other := after_teams.get(name)) is not None:
            if not team.reserve and (other.name, other.reserve) != (team.name, False):
                found.append(
                    Text(
                        f"das Team {team.name!r} war kein Reserveplatz", f"the team {team.name!r} was no reserve place"
                    )
                )
            if other.joins != team.joins:
                found += _changed(f"{team.name!r} joins", team.joins, other.joins)
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
    return found


def _phase_differences(was: Season, now: Season) -> list[Text]:
    found: list[Text] = []
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


def new_teams(was: Season, now: Season) -> tuple[TeamEntry, ...]:
    """The teams that come in addition; a team that takes a reserve place does not."""
    known = {team.draw_name for team in was.teams}
    return tuple(team for team in now.teams if team.draw_name not in known)


def _may_join(season: Season, team: TeamEntry, begun: Collection[Stage]) -> bool:
    first = team.joins or season.phases[0].stage
    return first not in begun and Stage.CHAMPIONSHIP not in begun


def consequences(was: Season, now: Season) -> tuple[Text, ...]:
    """What a change that is allowed means, a sentence for each."""
    found = [_joined(now, team) for team in new_teams(was, now)]
    before = {team.draw_name: team for team in was.teams}
    for team in now.teams:
        old = before.get(team.draw_name)
        if old is not None and old.name != team.name:
            found.append(
                Text(
                    f"{team.name} bekommt den Platz von {old.name}, mit allen seinen Begegnungen.",
                    f"{team.name} takes the place of {old.name}, with all of its encounters.",
                )
            )
        if old is not None and old.school != team.school:
            found.append(
                Text(
                    f"{team.name}: Die Schule ist „{team.school or '–'}“, nicht mehr „{old.school or '–'}“.",
                    f"{team.name}: its school is “{team.school or '–'}”, no longer “{old.school or '–'}”.",
                )
            )
    for phase in now.phases:
        if (earlier := was.phase(phase.stage)) is not None:
            found += _redrawn(was, now, phase) + _moved(was, now, earlier, phase)
    return tuple(found)


def _joined(season: Season, team: TeamEntry) -> Text:
    first = season.stage_name(team.joins or season.phases[0].stage)
    group = Text(f" in Gruppe {team.group}", f" in group {team.group}") if len(season.groups) > 1 else Text("", "")
    return Text(
        f"{team.name} spielt{group.de} mit, ab der ersten Begegnung der Phase {first.de}.",
        f"{team.name} joins{group.en}, from the first encounter of the {first.en} on.",
    )


def _redrawn(was: Season, now: Season, phase: Phase) -> list[Text]:
    """The encounters that are drawn anew, if a team comes in addition."""
    if phase.stage not in (Stage.TRIAL, Stage.CHAMPIONSHIP):
        return []
    before, after = (len(group_encounters(season, phase, season.groups_in(phase.stage))) for season in (was, now))
    if was.draw_groups(phase.stage) == now.draw_groups(phase.stage):
        return []
    name = now.stage_name(phase.stage)
    return [
        Text(
            f"{name.de}: Der Spielplan wird neu ausgelost, {after} Begegnungen statt {before}.",
            f"{name.en}: the schedule is drawn anew, {after} encounters instead of {before}.",
        )
    ]


def _moved(was: Season, now: Season, before: Phase, after: Phase) -> list[Text]:
    """The days and the deadline that are on another date."""
    found = [
        _at(now.day_title(after.stage, number), before.date(number), after.date(number), _IN_TURN)
        for number in range(1, now.matchdays(after) + 1)
        if before.date(number) != after.date(number)
    ]
    if before.deadline != after.deadline:
        name = now.stage_name(after.stage)
        title = Text(f"{name.de}, Abgabeschluss", f"{name.en}, deadline")
        found.append(_at(title, before.deadline, after.deadline, Text("keiner", "none")))
    return found


_IN_TURN = Text("sobald er an der Reihe ist", "as soon as it is its turn")


def _at(what: Text, before: datetime | None, after: datetime | None, never: Text) -> Text:
    one, two = _moment(before, never), _moment(after, never)
    return Text(f"{what.de}: {two.de} (bisher: {one.de}).", f"{what.en}: {two.en} (before: {one.en}).")


def _moment(moment: datetime | None, never: Text) -> Text:
    if moment is None:
        return never
    return Text(f"{moment.astimezone():%d.%m.%Y, %H:%M}", f"{moment.astimezone():%Y-%m-%d, %H:%M}")


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
