"""Reads ``season.toml``. Whatever is wrong in it is told with its line, and what was expected there."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time
from importlib.resources import files
from pathlib import Path
from typing import Any

from spielleiter import games, players
from spielleiter.contest.season.bracket import bracket_size, name_of_size
from spielleiter.contest.season.model import Absence, Phase, Season, Stage, TeamEntry
from spielleiter.contest.season.schedule import days_needed
from spielleiter.errors import SettingsError, UnknownGame
from spielleiter.game import Limits, Text
from spielleiter.programs.sandbox import Level
from spielleiter.rating.standings import Order

MOST_BYTES = 2_000_000
MOST_TEAMS = 500
MOST_GAMES = 1000
_YEARS = (2000, 2999)
_ORDERS = {"games": Order.BY_GAMES, "encounters": Order.BY_ENCOUNTERS}
_SECTIONS = {
    "season": {"name", "game", "seed", "table", "lots", "time", "games", "sandbox", "memory", "in_process"},
    "trial": {"matchdays", "games", "without_program", "time", "dates", "deadline"},
    "championship": {"groups", "qualify", "games", "without_program", "time", "dates", "deadline"},
    "champions_league": {"qualify", "games", "without_program", "time", "dates", "deadline"},
    "final": {"games", "cap", "without_program", "time", "dates", "deadline"},
    "teams": {"name", "school", "group", "player"},
}
_STAGES = {
    "trial": Stage.TRIAL,
    "championship": Stage.CHAMPIONSHIP,
    "champions_league": Stage.CHAMPIONS_LEAGUE,
    "final": Stage.FINAL,
}


def example() -> str:
    """The commented example that ``spielleiter contest init`` writes."""
    return (files("spielleiter.contest.season") / "example.toml").read_text(encoding="utf-8")


def read_season(path: Path) -> Season:
    """The season of a file. Raises ``SettingsError`` with the line that is wrong."""
    return parse_season(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a season file. Raises ``SettingsError``."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SettingsError(f"{path}: larger than {MOST_BYTES // 10**6} MB: that is no season file")
        return path.read_text(encoding="utf-8-sig")  # Some editors begin a file with a mark.
    except FileNotFoundError:
        raise SettingsError(f"{path}: there is no such file; 'spielleiter contest init' writes an example") from None
    except OSError as problem:
        raise SettingsError(f"{path}: cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: is no UTF-8 text") from None


def parse_season(text: str, place: str = "season.toml") -> Season:
    """The season that ``text`` tells; ``place`` names it in messages. Raises ``SettingsError``."""
    try:
        told = tomllib.loads(text)
    except ValueError as problem:  # Also what is TOML, but no number or date that Python can have.
        raise SettingsError(f"{place}: {problem}") from None
    except RecursionError:
        raise SettingsError(f"{place}: too many brackets inside one another: that is no season file") from None
    return _Reader(text, place, told).season()


class _Reader:
    """Takes values out of the file, one by one, each checked."""

    def __init__(self, text: str, place: str, told: Mapping[str, Any]) -> None:
        self._lines = text.splitlines()
        self._place = place
        self._told = told
        self._notes: list[Text] = []

    def wrong(self, problem: str, section: str = "", key: str = "", number: int = 0) -> SettingsError:
        """The error that says where."""
        line = self._line(section, key, number)
        return SettingsError(f"{self._place}{f', line {line}' if line else ''}: {problem}")

    def _line(self, section: str, key: str, number: int) -> int:
        """The line in which a key stands, or its section; 0 if it cannot be found."""
        current, seen, header = "", -1, 0
        for at, line in enumerate(self._lines, 1):
            bare = line.strip()
            if bare.startswith("["):
                current = bare.split("#")[0].strip().strip("[]").strip().replace('"', "").replace("'", "")
                seen += current == section
                if current == f"{section}.{key}":
                    return at
                if current == section and (section != "teams" or seen == number):
                    header = at
                elif current == section:
                    current = "another"
                continue
            written = bare.split("=")[0].strip().strip("\"'")
            # A section can also be written as a value, and its keys with its name, above all sections.
            wanted = (key,) if section and current == section else (section, f"{section}.{key}") if not current else ()
            if written and written in wanted:
                return at
        return header

    # --- the parts ----------------------------------------------------------------------------------------------------

    def season(self) -> Season:
        self._check_keys()
        top = self._told.get("season")
        if top is None:
            raise self.wrong("the section [season] with name and game is missing")
        game = self._game()
        teams = self._teams()
        phases = self._phases(teams, game.limits)
        in_process: bool = self.value("season", "in_process", bool, False)
        for number, team in enumerate(teams):
            if in_process and team.player and team.player.partition(":")[0] not in players.BUILT_IN:
                problem = f"{team.player!r} is no built-in player, and in_process allows no others"
                raise self.wrong(problem, "teams", "player", number)
        orders = self.choice("season", "table", list(_ORDERS), "games")
        return Season(
            name=self.text("season", "name"),
            game=game.key,
            seed=self.whole("season", "seed", 0, low=0, high=2**63 - 1),
            teams=teams,
            phases=phases,
            order=_ORDERS[orders],
            lots_by_hand=self.choice("season", "lots", ["automatic", "by hand"], "automatic") == "by hand",
            sandbox=self.choice("season", "sandbox", ["auto", *(level.value for level in Level)], "auto"),
            memory=self.whole("season", "memory", 1500, low=50, high=1_000_000),
            in_process=in_process,
            notes=tuple(self._notes),
        )

    def _check_keys(self) -> None:
        for section, content in self._told.items():
            if section not in _SECTIONS:
                expected = ", ".join(f"[{known}]" for known in _SECTIONS if known != "teams")
                raise self.wrong(f"[{section}] is unknown: expected are {expected} and [[teams]]", section, section)
            many = section == "teams"
            if many != isinstance(content, list) or (not many and not isinstance(content, dict)):
                how = "[[teams]], once for each team" if many else f"a section [{section}]"
                raise self.wrong(f"{section} must be {how}", section)
            for number, part in enumerate(content if many else [content]):
                if not isinstance(part, dict):
                    raise self.wrong(f"{section} must be [[teams]], once for each team", section, section)
                for key in part:
                    if key not in _SECTIONS[section]:
                        known = ", ".join(sorted(_SECTIONS[section]))
                        raise self.wrong(f"{key!r} is unknown in [{section}]: known are {known}", section, key, number)

    def _game(self) -> Any:
        try:
            return games.load(self.text("season", "game"))
        except UnknownGame as problem:
            raise self.wrong(str(problem), "season", "game") from None

    def _teams(self) -> tuple[TeamEntry, ...]:
        told = self._told.get("teams", [])
        if not 2 <= len(told) <= MOST_TEAMS:
            raise self.wrong(f"a season has 2 to {MOST_TEAMS} teams, each in a section [[teams]], not {len(told)}")
        teams: list[TeamEntry] = []
        seen: dict[str, str] = {}
        for number in range(len(told)):
            name = self.text("teams", "name", number=number)
            if name.casefold() in seen:
                raise self.wrong(f"two teams are called {name!r}", "teams", "name", number)
            seen[name.casefold()] = name
            school = self.text("teams", "school", "", number=number)
            group = self.text("teams", "group", "", number=number, most=20)
            if group and not group.isalnum():
                raise self.wrong(f"a group is called by letters or digits, not {group!r}", "teams", "group", number)
            teams.append(TeamEntry(name, school, group, self.text("teams", "player", "", number=number, most=500)))
        return self._grouped(teams)

    def _grouped(self, teams: list[TeamEntry]) -> tuple[TeamEntry, ...]:
        """The teams with their groups: as written, or drawn by the seed."""
        without = [number for number, team in enumerate(teams) if not team.group]
        if without and len(without) < len(teams):
            problem = f"{teams[without[0]].name!r} has no group, others have one: give all teams a group, or none"
            raise self.wrong(problem, "teams", "name", without[0])
        number = self.whole("championship", "groups", 1, low=1, high=26)
        if not without:
            named = {team.group for team in teams}
            if "groups" in self._told.get("championship", {}) and number != len(named):
                problem = f"groups is {number}, but the teams name {len(named)}: {', '.join(sorted(named))}"
                raise self.wrong(problem, "championship", "groups")
            grouped = teams
        else:
            seed = self.whole("season", "seed", 0, low=0, high=2**63 - 1)
            drawn = list(range(len(teams)))
            Season(name="", game="", seed=seed, teams=(), phases=()).chance("groups").shuffle(drawn)
            group_of = {team: chr(ord("A") + place % number) for place, team in enumerate(drawn)}
            grouped = [replace(team, group=group_of[at]) for at, team in enumerate(teams)]
        for group in sorted({team.group for team in grouped}):
            members = [at for at, team in enumerate(grouped) if team.group == group]
            if len(members) < 2:
                problem = f"group {group} has only one team, {grouped[members[0]].name!r}: a group needs at least two"
                where = ("championship", "groups") if without else ("teams", "group", members[0])
                raise self.wrong(problem, *where)
        return tuple(grouped)

    # --- phases -------------------------------------------------------------------------------------------------------

    def _phases(self, teams: tuple[TeamEntry, ...], usual: Limits) -> tuple[Phase, ...]:
        phases = {section: self._phase(section, usual) for section in _STAGES if section in self._told}
        if "championship" not in phases:
            raise self.wrong("the section [championship] is missing: a season has at least this phase")
        sizes = [sum(team.group == group for team in teams) for group in {team.group for team in teams}]
        self._fit_trial(phases, sizes)
        goes_on = self._fit_championship(phases, sizes)
        size = self._fit_final(phases, goes_on)
        for section, phase in phases.items():
            days = {
                Stage.TRIAL: phase.matchdays,
                Stage.CHAMPIONSHIP: max(map(days_needed, sizes)),
                Stage.CHAMPIONS_LEAGUE: days_needed(goes_on),
                Stage.FINAL: size.bit_length() - 1,
            }[phase.stage]
            if phase.dates and len(phase.dates) != days:
                raise self.wrong(f"there are {len(phase.dates)} dates for {days} matchdays", section, "dates")
        self._check_order(phases)
        return tuple(phases.values())

    def _phase(self, section: str, usual: Limits) -> Phase:
        stage = _STAGES[section]
        absent = "random" if stage is Stage.TRIAL else "lost"
        seconds = self._seconds(section, usual)
        return Phase(
            stage=stage,
            games=self._even(section, "games", self._even("season", "games", 6)),
            cap=self._even(section, "cap", 20) if stage is Stage.FINAL else 20,
            matchdays=self.whole(section, "matchdays", 3, low=1, high=100),
            qualify=self.whole(section, "qualify", 8, low=1, high=MOST_TEAMS),
            without_program=Absence(self.choice(section, "without_program", ["random", "lost"], absent)),
            limits=Limits(seconds, seconds * usual.hard / usual.soft),
            dates=self._dates(section),
            deadline=self._moment(section, "deadline", self._told[section].get("deadline")),
        )

    def _seconds(self, section: str, usual: Limits) -> float:
        for where in (section, "season"):
            if "time" in self._told.get(where, {}):
                seconds = self._told[where]["time"]
                if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.01 <= seconds <= 3600:
                    raise self.wrong(f"time is in seconds, from 0.01 to 3600, not {seconds!r}", where, "time")
                return float(seconds)
        return usual.soft

    def _fit_trial(self, phases: dict[str, Phase], sizes: list[int]) -> None:
        trial = phases.get("trial")
        most = min(map(days_needed, sizes))
        if trial is not None and trial.matchdays > most:
            problem = f"there are {trial.matchdays} trial days, but the smallest group has only {most} different ones"
            raise self.wrong(problem, "trial", "matchdays")

    def _fit_championship(self, phases: dict[str, Phase], sizes: list[int]) -> int:
        """How many teams stand in the table from which the final is seeded."""
        championship, league = phases["championship"], phases.get("champions_league")
        if league is None:
            if len(sizes) > 1 and "final" in phases:
                problem = f"with {len(sizes)} groups the final needs one table before it: add [champions_league]"
                raise self.wrong(problem, "final")
            return sizes[0]
        goes_on = sum(min(size, championship.qualify) for size in sizes)
        if goes_on < 2:
            problem = f"only {goes_on} team would play the Champions League: raise qualify"
            raise self.wrong(problem, "championship", "qualify")
        if any(size < championship.qualify for size in sizes):
            few = min(sizes)
            self._notes.append(
                Text(
                    f"Eine Gruppe hat nur {few} Teams: aus ihr kommen alle weiter, nicht {championship.qualify}.",
                    f"One group has only {few} teams: all of them go on, not {championship.qualify}.",
                )
            )
        return goes_on

    def _fit_final(self, phases: dict[str, Phase], goes_on: int) -> int:
        """How many teams play the knock-out."""
        final = phases.get("final")
        if final is None:
            return 0
        if final.cap < final.games:
            raise self.wrong(f"cap is {final.cap}, less than the {final.games} games that are played", "final", "cap")
        before = phases.get("champions_league", phases["championship"])
        size = bracket_size(min(goes_on, before.qualify))
        if size == 0:
            raise self.wrong("only one team would play the final: raise qualify", "final")
        if size < 8:
            name = name_of_size(size)
            self._notes.append(
                Text(
                    f"Für ein Final Eight sind zu wenige Teams da ({min(goes_on, before.qualify)}): "
                    f"gespielt wird statt dessen ein {name.de} mit {size} Teams.",
                    f"There are too few teams for a Final Eight ({min(goes_on, before.qualify)}): "
                    f"a {name.en} with {size} teams is played instead.",
                )
            )
        return size

    def _check_order(self, phases: dict[str, Phase]) -> None:
        """Dates go on from day to day and from phase to phase."""
        last: datetime | None = None
        for section, phase in phases.items():
            for moment in phase.dates:
                if last is not None and moment < last:
                    problem = f"the dates must come in their order, and {moment:%Y-%m-%d %H:%M} is before the last one"
                    raise self.wrong(problem, section, "dates")
                last = moment

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, section: str, key: str, kind: type, default: Any = None, number: int = 0) -> Any:
        """The value of a key, of the right type; the default if it is not there."""
        content = self._told.get(section, {})
        part = content[number] if isinstance(content, list) else content
        if key not in part:
            if default is None:
                raise self.wrong(f"{key!r} is missing in [{section}]", section, "", number)
            return default
        value = part[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            words = {str: "a text in quotes", int: "a whole number", bool: "true or false", list: "a list"}[kind]
            raise self.wrong(f"{key} must be {words}, not {value!r}", section, key, number)
        return value

    def text(self, section: str, key: str, default: str | None = None, *, number: int = 0, most: int = 60) -> str:
        """A text that can be printed in one line."""
        # The same letters in one way of writing, so that two names that look the same are the same.
        value = unicodedata.normalize("NFC", self.value(section, key, str, default, number))
        if not value.isprintable() or len(value) > most or (default is None and not value.strip()):
            problem = f"{key} must have 1 to {most} characters that can be printed, not {value[:80]!r}"
            raise self.wrong(problem, section, key, number)
        return value.strip()

    def whole(self, section: str, key: str, default: int, *, low: int, high: int) -> int:
        """A whole number within bounds."""
        value: int = self.value(section, key, int, default)
        if not low <= value <= high:
            raise self.wrong(f"{key} must lie between {low} and {high}, not {value}", section, key)
        return value

    def choice(self, section: str, key: str, known: list[str], default: str) -> str:
        """One of the known texts."""
        value: str = self.value(section, key, str, default)
        if value not in known:
            expected = " or ".join(f'"{word}"' for word in known)
            raise self.wrong(f"{key} must be {expected}, not {value!r}", section, key)
        return value

    def _even(self, section: str, key: str, default: int) -> int:
        value = self.whole(section, key, default, low=2, high=MOST_GAMES)
        if value % 2:
            raise self.wrong(
                f"{key} must be even, so that both have the first move as often, not {value}", section, key
            )
        return value

    def _dates(self, section: str) -> tuple[datetime, ...]:
        told: list[Any] = self.value(section, "dates", list, [])
        moments = [self._moment(section, "dates", value) for value in told]
        return tuple(moment for moment in moments if moment is not None)

    def _moment(self, section: str, key: str, value: Any) -> datetime | None:
        """A moment with its time zone; a date means its beginning, and without a zone it is that of this machine."""
        if value is None:
            return None
        if isinstance(value, date) and not isinstance(value, datetime):
            value = datetime.combine(value, time())
        if not isinstance(value, datetime):
            raise self.wrong(f"{key} must be dates like 2027-02-01 or 2027-02-01T18:00:00, not {value!r}", section, key)
        if not _YEARS[0] <= value.year <= _YEARS[1]:
            raise self.wrong(f"{key} must lie between the years {_YEARS[0]} and {_YEARS[1]}", section, key)
        return value.astimezone() if value.tzinfo is None else value


def differences(was: Season, now: Season) -> list[str]:
    """In what a season file differs from the one with which the season began; dates may change."""
    found = []
    for name in ("name", "game", "seed", "order", "lots_by_hand", "in_process"):
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            found.append(f"{_WORDS.get(name, name)} was {_shown(before)} and is now {_shown(after)}")
    before_teams, after_teams = ({team.name: team for team in season.teams} for season in (was, now))
    found += [f"the team {name!r} is missing" for name in before_teams if name not in after_teams]
    found += [f"the team {name!r} is new" for name in after_teams if name not in before_teams]
    for name, team in before_teams.items():
        other = after_teams.get(name)
        if other is not None and other.group != team.group:
            found.append(f"the team {name!r} was in group {team.group} and is now in {other.group}")
        if other is not None and other.player != team.player:
            found.append(
                f"the player of {name!r} was {team.player!r} and is now {other.player!r} (use 'contest submit')"
            )
    before_phases, after_phases = ({phase.stage: phase for phase in season.phases} for season in (was, now))
    for stage in Stage:
        one, two = before_phases.get(stage), after_phases.get(stage)
        if (one is None) != (two is None):
            found.append(f"[{stage.replace('-', '_')}] {'is new' if one is None else 'is missing'}")
        elif one is not None and two is not None:
            for name in ("games", "cap", "matchdays", "qualify", "without_program", "limits"):
                before, after = getattr(one, name), getattr(two, name)
                if before != after:
                    where = f"[{stage.replace('-', '_')}] {_WORDS.get(name, name)}"
                    found.append(f"{where} was {_shown(before)} and is now {_shown(after)}")
    return found


_WORDS = {"order": "table", "lots_by_hand": "lots", "limits": "time"}


def _shown(value: object) -> str:
    if isinstance(value, Order):
        return next(word for word, order in _ORDERS.items() if order is value)
    if isinstance(value, Limits):
        return f"{value.soft:g}"
    if isinstance(value, Absence):
        return value.value
    return repr(value)
