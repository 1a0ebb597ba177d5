"""Reads ``season.toml``. Errors in it name the line and what was expected there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from spielleiter import games, players, toml_values
from spielleiter.contest.season.bracket import bracket_size, name_of_size
from spielleiter.contest.season.model import Absence, Live, Phase, Season, Stage, TeamEntry
from spielleiter.contest.season.schedule import days_needed
from spielleiter.errors import SettingsError, UnknownGame
from spielleiter.game import Language, Limits, Text
from spielleiter.programs.sandbox import Level
from spielleiter.rating.standings import Order
from spielleiter.toml_values import TomlValues, parse_toml

MAX_TEAMS = 500
MAX_GAMES = 1000
ORDERS = {"games": Order.BY_GAMES, "encounters": Order.BY_ENCOUNTERS}
_SECTIONS = {
    "season": {
        "name",
        "game",
        "seed",
        "standings",
        "lots",
        "time",
        "games",
        "sandbox",
        "memory",
        "ponder",
        "max_versions",
        "max_upload",
        "in_process",
        "live",
    },
    "trial": {"matchdays", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "championship": {"groups", "qualify", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "champions_league": {"qualify", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "final": {"games", "cap", "without_program", "time", "dates", "deadline", "live_delay"},
    "teams": {"name", "school", "group", "player"},
}
STAGES = {
    "trial": Stage.TRIAL,
    "championship": Stage.CHAMPIONSHIP,
    "champions_league": Stage.CHAMPIONS_LEAGUE,
    "final": Stage.FINAL,
}


def example(language: Language) -> str:
    """The commented example that ``spielleiter contest init`` writes."""
    return (files("spielleiter.contest.season") / f"example.{language}.toml").read_text(encoding="utf-8")


def read_season(path: Path) -> Season:
    """The season of a file. Raises ``SettingsError`` with the line that is wrong."""
    return parse_season(read_text(path), str(path))


def read_text(path: Path) -> str:
    """The text of a season file. Raises ``SettingsError``."""
    try:
        return toml_values.read_text(path)
    except FileNotFoundError:
        raise SettingsError(
            f"{path}: Diese Datei gibt es nicht; 'spielleiter contest init' schreibt ein Beispiel.",
            f"{path}: there is no such file; 'spielleiter contest init' writes an example",
        ) from None


def parse_season(text: str, place: str = "season.toml") -> Season:
    """The season that ``text`` describes; ``place`` names it in messages. Raises ``SettingsError``."""
    return _Reader(text, place, parse_toml(text, place)).season()


class _Reader(TomlValues):
    """Puts a season together from its sections."""

    def __init__(self, text: str, place: str, content: Mapping[str, Any]) -> None:
        super().__init__(text, place, content)
        self._notes: list[Text] = []

    def season(self) -> Season:
        self._check_keys()
        top = self._content.get("season")
        if top is None:
            raise self.wrong(
                "Der Abschnitt [season] mit name und game fehlt.", "the section [season] with name and game is missing"
            )
        game = self._game()
        teams = self._teams()
        phases = self._phases(teams, game.limits)
        in_process: bool = self.value("season", "in_process", bool, False)
        for number, team in enumerate(teams):
            if in_process and team.player and team.player.partition(":")[0] not in players.BUILT_IN:
                raise self.wrong(
                    f"{team.player!r} ist kein eingebauter Spieler, und in_process erlaubt keine anderen.",
                    f"{team.player!r} is not a built-in player, and in_process allows no others",
                    "teams",
                    "player",
                    number,
                )
        order = self.choice("season", "standings", list(ORDERS), "games")
        return Season(
            name=self.text("season", "name"),
            game=game.key,
            seed=self.whole("season", "seed", 0, low=0, high=2**63 - 1),
            teams=teams,
            phases=phases,
            order=ORDERS[order],
            lots_by_hand=self.choice("season", "lots", ["automatic", "by hand"], "automatic") == "by hand",
            sandbox=self.choice("season", "sandbox", ["auto", *(level.value for level in Level)], "auto"),
            memory=self.whole("season", "memory", 1500, low=50, high=1_000_000),
            ponder=self.value("season", "ponder", bool, True),
            max_versions=self.whole("season", "max_versions", 200, low=1, high=100_000),
            max_upload=self.whole("season", "max_upload", 2000, low=1, high=1_000_000),
            in_process=in_process,
            live=Live(self.choice("season", "live", [live.value for live in Live], Live.PUBLIC.value)),
            notes=tuple(self._notes),
        )

    def _check_keys(self) -> None:
        for section, content in self._content.items():
            if section not in _SECTIONS:
                expected = ", ".join(f"[{known}]" for known in _SECTIONS if known != "teams")
                raise self.wrong(
                    f"Den Abschnitt [{section}] gibt es nicht: Möglich sind {expected} und [[teams]].",
                    f"[{section}] is unknown: expected are {expected} and [[teams]]",
                    section,
                    section,
                )
            many = section == "teams"
            parts = content if many and isinstance(content, list) else [content]
            if (many and not isinstance(content, list)) or not all(isinstance(part, dict) for part in parts):
                raise self._no_section(section)
            for number, part in enumerate(parts):
                for key in part:
                    if key not in _SECTIONS[section]:
                        known = ", ".join(sorted(_SECTIONS[section]))
                        raise self.wrong(
                            f"{key!r} gibt es in [{section}] nicht: Möglich sind {known}.",
                            f"{key!r} is unknown in [{section}]: expected one of {known}",
                            section,
                            key,
                            number,
                        )

    def _no_section(self, section: str) -> SettingsError:
        """The error for something that is there, but not as a section."""
        if section == "teams":
            de, en = "Schreib für jedes Team einen Abschnitt [[teams]].", "teams must be [[teams]], once for each team"
        else:
            de, en = f"{section} muss ein Abschnitt [{section}] sein.", f"{section} must be a section [{section}]"
        return self.wrong(de, en, section, section)

    def _game(self) -> Any:
        try:
            return games.load(self.text("season", "game"))
        except UnknownGame as problem:
            raise self.wrong(problem.text.de, problem.text.en, "season", "game") from None

    def _teams(self) -> tuple[TeamEntry, ...]:
        entries = self._content.get("teams", [])
        if not 2 <= len(entries) <= MAX_TEAMS:
            raise self.wrong(
                f"Eine Saison hat 2 bis {MAX_TEAMS} Teams, jedes in einem Abschnitt [[teams]], nicht {len(entries)}.",
                f"a season has 2 to {MAX_TEAMS} teams, each in a section [[teams]], not {len(entries)}",
            )
        teams: list[TeamEntry] = []
        seen: dict[str, str] = {}
        for number in range(len(entries)):
            name = self.text("teams", "name", number=number)
            if name.casefold() in seen:
                raise self.wrong(
                    f"Zwei Teams heißen {name!r}.", f"two teams are called {name!r}", "teams", "name", number
                )
            seen[name.casefold()] = name
            school = self.text("teams", "school", "", number=number)
            group = self.text("teams", "group", "", number=number, max_length=20)
            if group and not group.isalnum():
                raise self.wrong(
                    f"Eine Gruppe heißt nach Buchstaben oder Ziffern, nicht {group!r}.",
                    f"a group's name is letters or digits, not {group!r}",
                    "teams",
                    "group",
                    number,
                )
            player = self.text("teams", "player", "", number=number, max_length=500)
            teams.append(TeamEntry(name, school, group, player))
        return self._grouped(teams)

    def _grouped(self, teams: list[TeamEntry]) -> tuple[TeamEntry, ...]:
        """The teams with their groups: as written, or drawn by the seed."""
        without = [number for number, team in enumerate(teams) if not team.group]
        if without and len(without) < len(teams):
            name = teams[without[0]].name
            raise self.wrong(
                f"{name!r} hat keine Gruppe, andere haben eine: Gib allen Teams eine Gruppe oder keinem.",
                f"{name!r} has no group, others have one: give all teams a group, or none",
                "teams",
                "name",
                without[0],
            )
        number = self.whole("championship", "groups", 1, low=1, high=26)
        if not without:
            named = {team.group for team in teams}
            if "groups" in self._content.get("championship", {}) and number != len(named):
                groups = ", ".join(sorted(named))
                raise self.wrong(
                    f"groups ist {number}, aber die Teams nennen {len(named)} Gruppen: {groups}.",
                    f"groups is {number}, but the teams name {len(named)}: {groups}",
                    "championship",
                    "groups",
                )
            grouped = teams
        else:
            seed = self.whole("season", "seed", 0, low=0, high=2**63 - 1)
            drawn = list(range(len(teams)))
            Season(name="", game="", seed=seed, teams=(), phases=()).rng_for("groups").shuffle(drawn)
            group_of = {team: chr(ord("A") + place % number) for place, team in enumerate(drawn)}
            grouped = [replace(team, group=group_of[at]) for at, team in enumerate(teams)]
        for group in sorted({team.group for team in grouped}):
            members = [at for at, team in enumerate(grouped) if team.group == group]
            if len(members) < 2:
                name = grouped[members[0]].name
                where = ("championship", "groups", 0) if without else ("teams", "group", members[0])
                raise self.wrong(
                    f"Gruppe {group} hat nur ein Team, {name!r}: Eine Gruppe braucht mindestens zwei.",
                    f"group {group} has only one team, {name!r}: a group needs at least two",
                    *where,
                )
        return tuple(grouped)

    # --- phases -------------------------------------------------------------------------------------------------------

    def _phases(self, teams: tuple[TeamEntry, ...], usual: Limits) -> tuple[Phase, ...]:
        phases = {section: self._phase(section, usual) for section in STAGES if section in self._content}
        if "championship" not in phases:
            raise self.wrong(
                "Der Abschnitt [championship] fehlt: Diese Phase hat jede Saison.",
                "the section [championship] is missing: a season has at least this phase",
            )
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
                raise self.wrong(
                    f"Es sind {len(phase.dates)} Termine für {days} Spieltage.",
                    f"there are {len(phase.dates)} dates for {days} matchdays",
                    section,
                    "dates",
                )
        self._check_order(phases)
        return tuple(phases.values())

    def _phase(self, section: str, usual: Limits) -> Phase:
        stage = STAGES[section]
        absent = "random" if stage is Stage.TRIAL else "lost"
        seconds = self._seconds(section, usual)
        return Phase(
            stage=stage,
            games=self._games(section, "games", self._games("season", "games", 6)),
            cap=self._games(section, "cap", 20) if stage is Stage.FINAL else 20,
            matchdays=self.whole(section, "matchdays", 3, low=1, high=100),
            qualify=self.whole(section, "qualify", 8, low=1, high=MAX_TEAMS),
            without_program=Absence(self.choice(section, "without_program", ["random", "lost"], absent)),
            limits=Limits(seconds, seconds * usual.hard / usual.soft),
            live_delay=self.whole(section, "live_delay", 0, low=0, high=100),
            dates=self.dates(section),
            deadline=self.moment(section, "deadline", self._content[section].get("deadline")),
        )

    def _games(self, section: str, key: str, default: int) -> int:
        return self.even(section, key, default, high=MAX_GAMES)

    def _seconds(self, section: str, usual: Limits) -> float:
        for where in (section, "season"):
            if "time" in self._content.get(where, {}):
                seconds = self._content[where]["time"]
                if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.01 <= seconds <= 3600:
                    raise self.wrong(
                        f"time ist eine Zeit in Sekunden, von 0.01 bis 3600, nicht {seconds!r}.",
                        f"time is in seconds, from 0.01 to 3600, not {seconds!r}",
                        where,
                        "time",
                    )
                return float(seconds)
        return usual.soft

    def _fit_trial(self, phases: dict[str, Phase], sizes: list[int]) -> None:
        trial = phases.get("trial")
        max_days = min(map(days_needed, sizes))
        if trial is not None and trial.matchdays > max_days:
            raise self.wrong(
                f"{trial.matchdays} Probespieltage sind zu viele: In der kleinsten Gruppe gibt es nur {max_days}"
                " verschiedene.",
                f"there are {trial.matchdays} trial days, but the smallest group has only {max_days} different ones",
                "trial",
                "matchdays",
            )

    def _fit_championship(self, phases: dict[str, Phase], sizes: list[int]) -> int:
        """How many teams are in the standings from which the final is seeded."""
        championship, league = phases["championship"], phases.get("champions_league")
        if league is None:
            if len(sizes) > 1 and "final" in phases:
                raise self.wrong(
                    f"Bei {len(sizes)} Gruppen braucht das Finale eine gemeinsame Tabelle davor: Ergänze"
                    " [champions_league].",
                    f"with {len(sizes)} groups the final needs common standings before it: add [champions_league]",
                    "final",
                )
            return sizes[0]
        goes_on = sum(min(size, championship.qualify) for size in sizes)
        if goes_on < 2:
            raise self.wrong(
                f"Nur {goes_on} Team würde die Champions League spielen: Erhöhe qualify.",
                f"only {goes_on} team would play the Champions League: raise qualify",
                "championship",
                "qualify",
            )
        if any(size < championship.qualify for size in sizes):
            few = min(sizes)
            self._notes.append(
                Text(
                    f"Eine Gruppe hat nur {few} Teams: Aus ihr kommen alle weiter, nicht {championship.qualify}.",
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
            raise self.wrong(
                f"cap ist {final.cap}, weniger als die {final.games} Spiele, die mindestens gespielt werden.",
                f"cap is {final.cap}, less than the {final.games} games that are played",
                "final",
                "cap",
            )
        before = phases.get("champions_league", phases["championship"])
        size = bracket_size(min(goes_on, before.qualify))
        if size == 0:
            raise self.wrong(
                "Nur ein Team würde das Finale spielen: Erhöhe qualify.",
                "only one team would play the final: raise qualify",
                "final",
            )
        if size < 8:
            name = name_of_size(size)
            self._notes.append(
                Text(
                    f"Für ein Final Eight sind es zu wenige Teams ({min(goes_on, before.qualify)}): "
                    f"Gespielt wird stattdessen ein {name.de} mit {size} Teams.",
                    f"There are too few teams for a Final Eight ({min(goes_on, before.qualify)}): "
                    f"a {name.en} with {size} teams is played instead.",
                )
            )
        return size

    def _check_order(self, phases: dict[str, Phase]) -> None:
        """Dates are in their order, from day to day and from phase to phase."""
        last: datetime | None = None
        for section, phase in phases.items():
            for moment in phase.dates:
                if last is not None and moment < last:
                    raise self.wrong(
                        f"Die Termine müssen der Reihe nach kommen, und {moment:%d.%m.%Y %H:%M} liegt vor dem letzten.",
                        f"the dates must be in their order, and {moment:%Y-%m-%d %H:%M} is before the last one",
                        section,
                        "dates",
                    )
                last = moment
