"""Writes season files: a new one from a form, and changes of single values that leave everything else as it stands.

Law: what is written is read again by ``parse_season`` before anybody sees it; there is no second check.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from spielleiter.contest.season.file import STAGES, parse_season
from spielleiter.contest.season.model import Live, Phase, Season, Stage, TeamEntry
from spielleiter.errors import ContestError
from spielleiter.game import Text

SECTIONS = {stage: section for section, stage in STAGES.items()}
_HEADER = (
    "# Eine Saison der Software-Challenge, angelegt auf den Seiten. Was hier noch stehen darf, erklärt die Datei, die\n"
    "# „spielleiter contest init“ schreibt. / A season, created on the pages; 'spielleiter contest init' explains it.\n"
)


# --- a new season -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseDraft:
    """A phase of a season that does not exist yet. What is ``None`` is left to the defaults of season files."""

    stage: Stage
    matchdays: int | None = None
    groups: int | None = None
    qualify: int | None = None
    first: datetime | None = None
    """When the first matchday begins; ``None``: as soon as it is its turn."""
    every: int = 7
    """Days from one matchday to the next."""
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonDraft:
    """What an organiser says of a season that does not exist yet; nothing of it is checked."""

    name: str
    game: str
    seed: int
    games: int | None = None
    """Games of an encounter."""
    time: float | None = None
    """Seconds for a move."""
    live: Live = Live.PUBLIC
    phases: Sequence[PhaseDraft]
    teams: Sequence[TeamEntry]

    def to_toml(self) -> str:
        """The season file. Raises ``SettingsError`` if it cannot be a season."""
        # How many matchdays there are, and so how many dates, follows from the teams.
        season = check_draft(self._text({}))
        dates = {}
        for phase in self.phases:
            known = season.phase(phase.stage)
            if phase.first is not None and known is not None:
                days = range(season.matchdays(known))
                dates[phase.stage] = [phase.first + day * timedelta(days=phase.every) for day in days]
        text = self._text(dates)
        check_draft(text)
        return text

    def _text(self, dates: Mapping[Stage, Sequence[datetime]]) -> str:
        season = {"name": self.name, "game": self.game, "seed": self.seed, "time": self.time, "games": self.games}
        parts = [_HEADER, _section("[season]", season | {"live": self.live.value})]
        for phase in self.phases:
            values: dict[str, object] = {
                "matchdays": phase.matchdays,
                "groups": phase.groups,
                "qualify": phase.qualify,
                "dates": dates.get(phase.stage),
                "deadline": phase.deadline,
            }
            parts.append(_section(f"[{SECTIONS[phase.stage]}]", values))
        return "\n".join([*parts, *map(_team_section, self.teams)])


def check_draft(text: str) -> Season:
    """The season of a text that a form has made; errors name no lines, since the user has seen none."""
    return parse_season(text, "")


# --- changes ----------------------------------------------------------------------------------------------------------


def rewrite(text: str, was: Season, now: Season) -> str:
    """The season file ``text`` of ``was``, in which the teams, dates and deadlines are those of ``now``.

    Raises ``SettingsError`` if that is no season, or ``ContestError`` if the file is written in another way than ours.
    """
    changed = text
    for phase in now.phases:
        old, section = was.phase(phase.stage), SECTIONS[phase.stage]
        if old is not None and phase.dates != old.dates:
            changed = _with_value(changed, section, "dates", list(phase.dates) or None)
        if old is not None and phase.deadline != old.deadline:
            changed = _with_value(changed, section, "deadline", phase.deadline)
    raw = tomllib.loads(text)["teams"]
    # Drawn groups follow from the number of teams: when one comes in addition, they have to stay as they are.
    names_groups = any("group" in team for team in raw) or (len(now.groups) > 1 and len(now.teams) > len(was.teams))
    for number, team in enumerate(now.teams):
        entry = team if names_groups else replace(team, group="")
        if number >= len(raw):
            changed = f"{changed.rstrip()}\n\n{_team_section(entry)}"
            continue
        for key, value in _team_values(entry).items():
            if value != (raw[number].get(key) or None):
                changed = _with_value(changed, "teams", key, value, number)
    read = parse_season(changed, "season.toml", default_ranking=was.ranking)
    if replace(read, notes=()) != replace(now, notes=()):
        raise ContestError(
            "Die Saisondatei ist so geschrieben, dass die Seiten sie nicht ändern können; ändere sie im Editor.",
            "The season file is written in a way that the pages cannot change; change it in an editor.",
        )
    return changed


def added(season: Season, entry: TeamEntry) -> Season:
    """The season with one more team; a phase that gets more matchdays gets their dates at its end."""
    more = replace(season, teams=(*season.teams, entry))
    phases = [_with_enough_dates(more, phase) for phase in season.phases]
    return replace(more, phases=tuple(phases))


def _with_enough_dates(season: Season, phase: Phase) -> Phase:
    dates, days = list(phase.dates), season.matchdays(phase)
    if not dates:
        return phase
    # In local time, so that a day stays at its hour when the clocks change.
    local = [moment.astimezone().replace(tzinfo=None) for moment in dates]
    step = local[-1] - local[-2] if len(local) > 1 else timedelta(days=7)
    while len(dates) < days:
        local.append(local[-1] + step)
        dates.append(local[-1].astimezone())
    return replace(phase, dates=tuple(dates[:days]))


def _with_value(text: str, section: str, key: str, value: object, number: int = 0) -> str:
    """The text with ``key = value`` in the section, the ``number``-th of that name; without the key for ``None``."""
    lines = text.splitlines()
    found = _section_lines(lines, section, number)
    if found is None:
        return text
    new = [] if value is None else [f"{key} = {_toml(value)}"]
    for at in range(*found):
        if lines[at].split("=")[0].strip() == key:
            end = _value_end(lines, at)
            comment = _comment(lines[at:end]) if new else ""
            new = [f"{new[0]}{comment}"] if new else []
            return "\n".join([*lines[:at], *new, *lines[end:], ""])
    last = max((at for at in range(found[0] - 1, found[1]) if lines[at].split("#")[0].strip()), default=found[0] - 1)
    return "\n".join([*lines[: last + 1], *new, *lines[last + 1 :], ""])


def _section_lines(lines: Sequence[str], section: str, number: int) -> tuple[int, int] | None:
    """The first line below the header of a section, and the first one behind it."""
    headers = (f"[[{section}]]", f"[{section}]")
    begins = [at for at, line in enumerate(lines) if line.split("#")[0].replace(" ", "").strip() in headers]
    if number >= len(begins):
        return None
    begin = begins[number] + 1
    ends = (at for at in range(begin, len(lines)) if lines[at].lstrip().startswith("[") and _is_header(lines[at]))
    return begin, next(ends, len(lines))


def _is_header(line: str) -> bool:
    """Whether a line that begins with a bracket is no list of a value above it."""
    bare = line.split("#")[0].strip().strip("[]").strip()
    return bool(bare) and bare.replace("_", "").isalpha()


def _value_end(lines: Sequence[str], at: int) -> int:
    """The line behind a value: a list may take several."""
    for end in range(at + 1, len(lines) + 1):
        try:
            tomllib.loads("\n".join(lines[at:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return at + 1


def _comment(lines: Sequence[str]) -> str:
    """The comment behind a value, with the space before it."""
    *before, last = lines
    for at in (at for at, letter in enumerate(last) if letter == "#"):
        try:
            tomllib.loads("\n".join([*before, last[:at]]))
        except tomllib.TOMLDecodeError:
            continue  # It is part of the value.
        return last[len(last[:at].rstrip()) :]
    return ""


# --- values -----------------------------------------------------------------------------------------------------------


def _team_values(team: TeamEntry) -> dict[str, object]:
    return {
        "name": team.name,
        "school": team.school or None,
        "group": team.group or None,
        "player": team.player or None,
        "python": team.python or None,
        "reserve": True if team.reserve else None,
        "replaces": team.replaces or None,
        "joins": SECTIONS[team.joins] if team.joins is not None else None,
    }


def _team_section(team: TeamEntry) -> str:
    return _section("[[teams]]", _team_values(team))


def _section(header: str, values: Mapping[str, object]) -> str:
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value is not None]
    return "\n".join([header, *lines, ""])


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, datetime):
        local = value.astimezone().replace(tzinfo=None)
        # In the hour that comes twice when the clocks change, local time alone is not enough.
        return (local if local.astimezone() == value.astimezone() else value.astimezone()).isoformat(timespec="seconds")
    # A text of JSON is one of TOML, but for this one letter, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def summary(season: Season) -> tuple[Text, ...]:
    """What a season that is about to be created will be, a sentence for each phase."""
    found = []
    for phase in season.phases:
        name, days, games = season.stage_name(phase.stage), season.matchdays(phase), phase.games
        dates = Text("", "")
        if phase.dates:
            first, last = (moment.astimezone() for moment in (phase.dates[0], phase.dates[-1]))
            dates = Text(
                f", {first:%d.%m.%Y %H:%M} bis {last:%d.%m.%Y}", f", {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d}"
            )
        found.append(
            Text(
                f"{name.de}: {days} {'Spieltag' if days == 1 else 'Spieltage'}, {games} Spiele je Begegnung{dates.de}",
                f"{name.en}: {days} {'matchday' if days == 1 else 'matchdays'}, {games} games an encounter{dates.en}",
            )
        )
    return tuple(found)
