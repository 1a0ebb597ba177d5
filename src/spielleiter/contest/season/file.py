"""Reads ``season.toml``. Errors in it name the line and what was expected there."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from spielleiter import games, players, values
from spielleiter.atomic_files import atomic_write
from spielleiter.contest.season.bracket import bracket_size, name_of_size
from spielleiter.contest.season.model import Absence, Live, Phase, Season, Stage, TeamEntry
from spielleiter.contest.season.schedule import days_needed
from spielleiter.errors import WRITE, ContestError, UnknownGame, refusing
from spielleiter.game import Language, Limits, Ranking, Text
from spielleiter.programs.runtimes import VERSION
from spielleiter.programs.sandbox import Level
from spielleiter.values import Values, by_value, parse_toml

MAX_TEAMS = 500
MAX_GAMES = 1000
_BY_GAMES = "games"
"""What files said for victory points before standings could rank by wins."""
_SECTIONS = {
    "season": {
        "name", "game", "seed", "standings", "lots", "time", "games", "sandbox", "memory", "ponder", "player_notes",
        "max_versions", "max_upload", "in_process", "live",
    },
    "trial": {"matchdays", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "championship": {"groups", "qualify", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "champions_league": {"qualify", "games", "without_program", "time", "dates", "deadline", "live_delay"},
    "final": {"games", "cap", "without_program", "time", "dates", "deadline", "live_delay"},
    "teams": {"name", "school", "group", "player", "python", "reserve", "replaces", "joins"},
}  # fmt: skip
STAGES = {
    "trial": Stage.TRIAL,
    "championship": Stage.CHAMPIONSHIP,
    "champions_league": Stage.CHAMPIONS_LEAGUE,
    "final": Stage.FINAL,
}


def example(language: Language) -> str:
    """The commented example that ``spielleiter contest init`` writes: a small season of the current game."""
    text = (files("spielleiter.contest.season") / f"example.{language}.toml").read_text(encoding="utf-8")
    game = games.load(games.CURRENT_SEASON)
    return text.replace("{game}", game.key).replace("{year}", str(game.year))


def read_text(path: Path) -> str:
    """The text of a season file. Raises ``SettingsError``."""
    hint = Text("; 'spielleiter contest init' schreibt ein Beispiel.", "; 'spielleiter contest init' writes an example")
    return values.read_text(path, if_missing=hint)


def create_season_file(path: Path, text: str) -> None:
    """Write a new season file. Raises ``ContestError``, also if there is one already."""
    with refusing(ContestError, path, WRITE):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise ContestError(
                f"{path}: gibt es schon; eine vorhandene Saison wird nie überschrieben.",
                f"{path}: is there already; an existing season is never overwritten",
            ) from None


def write_season_file(path: Path, text: str) -> None:
    """Write a season file, all of it or nothing. Raises ``ContestError``."""
    with refusing(ContestError, path, WRITE), atomic_write(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def parse_season(text: str, place: str = "season.toml", *, default_ranking: Ranking | None = None) -> Season:
    """The season that ``text`` describes; ``place`` names it in messages. Raises ``SettingsError``.

    Where the file does not say how standings rank, a season that has begun has its own ``default_ranking``, a new one
    that of its rule set.
    """
    return _Reader(parse_toml(text, place)).season(default_ranking)


def read_team(team: Values) -> TeamEntry:
    """One team, without what depends on the others. Raises ``SettingsError``."""
    group = team.one_line("group", "", max_length=20)
    if group and not group.isalnum():
        raise team.wrong(
            "group",
            Text(
                f"Eine Gruppe heißt nach Buchstaben oder Ziffern, nicht {group!r}.",
                f"a group's name is letters or digits, not {group!r}",
            ),
        )
    python = team.one_line("python", "")
    if python and not VERSION.fullmatch(python):
        raise team.expected("python", Text("eine Version wie 3.12", "a version such as 3.12"))
    entry = TeamEntry(
        name=team.one_line("name"),
        school=team.one_line("school", ""),
        group=group,
        player=team.one_line("player", "", max_length=500),
        python=python,
        reserve=team.flag("reserve"),
        replaces=team.one_line("replaces", ""),
        joins=team.choice("joins", {"championship": Stage.CHAMPIONSHIP}) if "joins" in team else None,
    )
    if entry.reserve and (entry.player or entry.replaces):
        raise team.wrong(
            "reserve",
            Text(
                "Ein Reserveplatz hat weder player noch replaces; wer ihn bekommt, ist keiner mehr.",
                "a reserve place has neither player nor replaces; a team that takes it is no longer one",
            ),
        )
    return entry


class _Reader:
    """Puts a season together from its sections."""

    def __init__(self, top: Values) -> None:
        top.refuse_unknown(_SECTIONS)
        self._top = top
        self._sections = {name: top.table(name) for name in _SECTIONS if name != "teams"}
        self._teams = top.tables("teams")
        for section in (*self._sections.values(), *self._teams):
            section.refuse_unknown(_SECTIONS[section.section])
        self._notes: list[Text] = []

    def season(self, default_ranking: Ranking | None) -> Season:
        top = self._sections["season"]
        if "season" not in self._top:
            raise top.wrong(
                "",
                Text(
                    "Der Abschnitt [season] mit name und game fehlt.",
                    "the section [season] with name and game is missing",
                ),
            )
        try:
            game = games.load(top.one_line("game"))
        except UnknownGame as problem:
            raise top.wrong("game", problem.text) from None
        teams = self._entries()
        phases = self._phases(teams, game.limits)
        in_process = top.flag("in_process")
        for team, section in zip(teams, self._teams, strict=True):
            if in_process and team.player and team.player.partition(":")[0] not in players.BUILT_IN:
                raise section.wrong(
                    "player",
                    Text(
                        f"{team.player!r} ist kein eingebauter Spieler, und in_process erlaubt keine anderen.",
                        f"{team.player!r} is not a built-in player, and in_process allows no others",
                    ),
                )
        rankings = by_value(Ranking)
        if "standings" in top and top.text("standings") == _BY_GAMES:
            rankings = {_BY_GAMES: Ranking.BY_VICTORY_POINTS}
        levels = {level: level for level in ("auto", *(level.value for level in Level))}
        return Season(
            name=top.one_line("name"),
            game=game.key,
            seed=self._seed(),
            teams=teams,
            phases=phases,
            ranking=top.choice("standings", rankings, default_ranking or game.default_ranking),
            lots_by_hand=top.choice("lots", {"automatic": False, "by hand": True}, False),
            sandbox=top.choice("sandbox", levels, "auto"),
            memory=top.whole("memory", 1500, low=50, high=1_000_000),
            ponder=top.flag("ponder", True),
            player_notes=top.flag("player_notes", True),
            max_versions=top.whole("max_versions", 200, low=1, high=100_000),
            max_upload=top.whole("max_upload", 2000, low=1, high=1_000_000),
            in_process=in_process,
            live=top.choice("live", by_value(Live), Live.PUBLIC),
            notes=tuple(self._notes),
        )

    def _seed(self) -> int:
        return self._sections["season"].whole("seed", 0, high=2**63 - 1)

    def _entries(self) -> tuple[TeamEntry, ...]:
        if not 2 <= len(self._teams) <= MAX_TEAMS:
            number = len(self._teams)
            raise self._top.wrong(
                "",
                Text(
                    f"Eine Saison hat 2 bis {MAX_TEAMS} Teams, jedes in einem Abschnitt [[teams]], nicht {number}.",
                    f"a season has 2 to {MAX_TEAMS} teams, each in a section [[teams]], not {number}",
                ),
            )
        teams: list[TeamEntry] = []
        seen: set[str] = set()
        for team in self._teams:
            entry = read_team(team)
            for name in {entry.name, entry.draw_name}:
                if name.casefold() in seen:
                    raise team.wrong("name", Text(f"Zwei Teams heißen {name!r}.", f"two teams are called {name!r}"))
                seen.add(name.casefold())
            if entry.joins is not None and "trial" not in self._top:
                raise team.wrong(
                    "joins",
                    Text(
                        "joins sagt, dass ein Team die Probespieltage nicht mitspielt, aber es gibt keine.",
                        "joins says that a team does not play the trial days, but there are none",
                    ),
                )
            teams.append(entry)
        return self._grouped(teams)

    def _grouped(self, teams: list[TeamEntry]) -> tuple[TeamEntry, ...]:
        """The teams with their groups: as written, or drawn by the seed."""
        without = [number for number, team in enumerate(teams) if not team.group]
        if without and len(without) < len(teams):
            name = teams[without[0]].name
            raise self._teams[without[0]].wrong(
                "name",
                Text(
                    f"{name!r} hat keine Gruppe, andere haben eine: Gib allen Teams eine Gruppe oder keinem.",
                    f"{name!r} has no group, others have one: give all teams a group, or none",
                ),
            )
        championship = self._sections["championship"]
        number = championship.whole("groups", 1, low=1, high=26)
        if not without:
            named = {team.group for team in teams}
            if "groups" in championship and number != len(named):
                groups = ", ".join(sorted(named))
                raise championship.wrong(
                    "groups",
                    Text(
                        f"groups ist {number}, aber die Teams nennen {len(named)} Gruppen: {groups}.",
                        f"groups is {number}, but the teams name {len(named)}: {groups}",
                    ),
                )
            grouped = teams
        else:
            drawn = list(range(len(teams)))
            Season(name="", game="", seed=self._seed(), teams=(), phases=()).rng_for("groups").shuffle(drawn)
            group_of = {team: chr(ord("A") + place % number) for place, team in enumerate(drawn)}
            grouped = [replace(team, group=group_of[at]) for at, team in enumerate(teams)]
        for group in sorted({team.group for team in grouped}):
            members = [at for at, team in enumerate(grouped) if team.group == group]
            if len(members) < 2:
                name = grouped[members[0]].name
                problem = Text(
                    f"Gruppe {group} hat nur ein Team, {name!r}: Eine Gruppe braucht mindestens zwei.",
                    f"group {group} has only one team, {name!r}: a group needs at least two",
                )
                raise (
                    championship.wrong("groups", problem)
                    if without
                    else self._teams[members[0]].wrong("group", problem)
                )
        return tuple(grouped)

    # --- phases -------------------------------------------------------------------------------------------------------

    def _phases(self, teams: tuple[TeamEntry, ...], usual: Limits) -> tuple[Phase, ...]:
        phases = {section: self._phase(section, usual) for section in STAGES if section in self._top}
        if "championship" not in phases:
            raise self._top.wrong(
                "",
                Text(
                    "Der Abschnitt [championship] fehlt: Diese Phase hat jede Saison.",
                    "the section [championship] is missing: a season has at least this phase",
                ),
            )
        sizes = [sum(team.group == group for team in teams) for group in {team.group for team in teams}]
        self._fit_trial(phases, teams)
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
                raise self._sections[section].wrong(
                    "dates",
                    Text(
                        f"Es sind {len(phase.dates)} Termine für {days} Spieltage.",
                        f"there are {len(phase.dates)} dates for {days} matchdays",
                    ),
                )
        self._check_order(phases)
        return tuple(phases.values())

    def _phase(self, name: str, usual: Limits) -> Phase:
        section, stage = self._sections[name], STAGES[name]
        seconds = self._seconds(section, usual)
        absent = Absence.RANDOM if stage is Stage.TRIAL else Absence.LOST
        return Phase(
            stage=stage,
            games=self._games(section, "games", self._games(self._sections["season"], "games", 6)),
            cap=self._games(section, "cap", 20) if stage is Stage.FINAL else 20,
            matchdays=section.whole("matchdays", 3, low=1, high=100),
            qualify=section.whole("qualify", 8, low=1, high=MAX_TEAMS),
            without_program=section.choice("without_program", by_value(Absence), absent),
            limits=Limits(seconds, seconds * usual.hard / usual.soft),
            live_delay=section.whole("live_delay", 0, high=100),
            dates=section.moments("dates"),
            deadline=section.moment("deadline"),
        )

    def _games(self, section: Values, key: str, default: int) -> int:
        number = section.whole(key, default, low=2, high=MAX_GAMES)
        if number % 2:
            raise section.wrong(
                key,
                Text(
                    f"{key} muss gerade sein, damit beide gleich oft anfangen, nicht {number}.",
                    f"{key} must be even, so that both have the first move equally often, not {number}",
                ),
            )
        return number

    def _seconds(self, section: Values, usual: Limits) -> float:
        season = self._sections["season"].number("time", usual.soft, low=0.01, high=3600)
        return section.number("time", season, low=0.01, high=3600)

    def _fit_trial(self, phases: dict[str, Phase], teams: tuple[TeamEntry, ...]) -> None:
        trial = phases.get("trial")
        groups = {team.group: sum(one.group == team.group and one.joins is None for one in teams) for team in teams}
        smallest = min(groups, key=groups.__getitem__)
        if trial is not None and groups[smallest] < 2:
            raise self._sections["trial"].wrong(
                "",
                Text(
                    f"In Gruppe {smallest} spielen keine zwei Teams die Probespieltage mit.",
                    f"fewer than two teams of group {smallest} play the trial days",
                ),
            )
        max_days = days_needed(groups[smallest])
        if trial is not None and trial.matchdays > max_days:
            raise self._sections["trial"].wrong(
                "matchdays",
                Text(
                    f"{trial.matchdays} Probespieltage sind zu viele: In der kleinsten Gruppe gibt es nur {max_days}"
                    " verschiedene.",
                    f"{trial.matchdays} trial days are too many: the smallest group has only {max_days} different ones",
                ),
            )

    def _fit_championship(self, phases: dict[str, Phase], sizes: list[int]) -> int:
        """How many teams are in the standings from which the final is seeded."""
        championship, league = phases["championship"], phases.get("champions_league")
        if league is None:
            if len(sizes) > 1 and "final" in phases:
                raise self._sections["final"].wrong(
                    "",
                    Text(
                        f"Bei {len(sizes)} Gruppen braucht das Finale eine gemeinsame Tabelle davor: Ergänze"
                        " [champions_league].",
                        f"with {len(sizes)} groups the final needs common standings before it: add [champions_league]",
                    ),
                )
            return sizes[0]
        goes_on = sum(min(size, championship.qualify) for size in sizes)
        if goes_on < 2:
            raise self._sections["championship"].wrong(
                "qualify",
                Text(
                    f"Nur {goes_on} Team würde die Champions League spielen: Erhöhe qualify.",
                    f"only {goes_on} team would play the Champions League: raise qualify",
                ),
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
            raise self._sections["final"].wrong(
                "cap",
                Text(
                    f"cap ist {final.cap}, weniger als die {final.games} Spiele, die mindestens gespielt werden.",
                    f"cap is {final.cap}, less than the {final.games} games that are played",
                ),
            )
        before = phases.get("champions_league", phases["championship"])
        size = bracket_size(min(goes_on, before.qualify))
        if size == 0:
            raise self._sections["final"].wrong(
                "",
                Text(
                    "Nur ein Team würde das Finale spielen: Erhöhe qualify.",
                    "only one team would play the final: raise qualify",
                ),
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
                    raise self._sections[section].wrong(
                        "dates",
                        Text(
                            f"Die Termine müssen der Reihe nach kommen, {moment:%d.%m.%Y %H:%M} liegt vor dem letzten.",
                            f"the dates must be in their order, and {moment:%Y-%m-%d %H:%M} is before the last one",
                        ),
                    )
                last = moment
