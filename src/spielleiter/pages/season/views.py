"""What the single pages show, worked out of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from spielleiter.contest.season.bracket import Round, Slot
from spielleiter.contest.season.encounter import Decision
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.names import day_key, parse_game_name
from spielleiter.contest.season.snapshot import (
    COUNTING,
    DrawnLot,
    Encounter,
    Matchday,
    SeasonGame,
    SeasonSnapshot,
    SeasonTeam,
)
from spielleiter.game import Ranking, Text
from spielleiter.matches.pairings import bracket_order
from spielleiter.programs.side_result import Fault
from spielleiter.rating.bradley_terry import Rating
from spielleiter.rating.formatting import number
from spielleiter.rating.standings import StandingsRow, Totals, columns, explain

# --- words ------------------------------------------------------------------------------------------------------------


def group_name(group: str) -> Text:
    """The name of a group."""
    return Text(f"Gruppe {group}", f"Group {group}")


def fault_name(fault: str) -> Text:
    """A fault in words; one that this version does not know by its name."""
    try:
        return Fault(fault).text
    except ValueError:
        return Text(fault, fault)


DECISIONS: Mapping[str, Text] = {
    Decision.WALKOVER: Text("kampflos", "walkover"),
    Decision.DISQUALIFIED: Text("disqualifiziert", "disqualified"),
    Decision.PENDING: Text("Entscheidung der Spielleitung steht aus", "the organisers have yet to decide"),
}
"""What a page says of games that were not simply played."""


def average_of(totals: Totals) -> Text:
    """The average of the secondary score for people; a dash before the first game."""
    return Text("–", "–") if totals.average is None else number(totals.average, 2)


# --- standings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StandingsView:
    """The standings of a group."""

    stage: Stage
    group: str
    name: Text
    """The name of the group, or of the phase if it is its only one."""
    rows: tuple[StandingsRow, ...]
    teams: Mapping[str, SeasonTeam]
    ratings: Mapping[str, Rating]
    """Both by the names of the teams."""
    goes_on: int
    """How many qualify; 0 if none does from here, or all do."""
    ranking: Ranking
    secondary: Text | None
    """What the game calls its secondary score, if it has one."""
    lots: tuple[DrawnLot, ...]
    finished: int
    total: int
    """Encounters."""

    @property
    def ranked_by(self) -> Text:
        """How the teams are ranked, in one sentence."""
        return self.ranking.describe(self.secondary)

    def columns(self, *, brief: bool = False) -> tuple[str, ...]:
        """The numbers of each line; ``brief``: only those that rank."""
        return columns(self.ranking, secondary=self.secondary is not None, brief=brief)

    @property
    def tied_at_cut(self) -> bool:
        """Whether the last one that goes on is level with the first one that does not."""
        cut = self.goes_on
        return 0 < cut < len(self.rows) and self.rows[cut - 1].rank == self.rows[cut].rank

    def why(self, place: int) -> Text | None:
        """Why the team at that place stands behind the one above it; places count from 1."""
        better, row = self.rows[place - 2], self.rows[place - 1]
        return explain(better, row, self.ranking) if place > 1 and row.totals.games else None


def standings_of(snapshot: SeasonSnapshot, stage: Stage, group: str) -> StandingsView:
    """The standings of a group with everything beside them."""
    standings = snapshot.standings[stage, group]
    phase = snapshot.season.phase(stage)
    assert phase is not None
    goes_on = min(max(snapshot.season.cuts(phase), default=0), len(standings.rows))
    rated = snapshot.group_rating(stage, group) if stage in COUNTING else None
    encounters = [each for each in snapshot.encounters if (each.stage, each.group) == (stage, group)]
    return StandingsView(
        stage,
        group,
        group_name(group) if group else snapshot.season.stage_name(stage),
        standings.rows,
        snapshot.by_name,
        {} if rated is None else {rating.player: rating for rating in rated.ratings},
        goes_on if goes_on < len(standings.rows) else 0,
        standings.ranking,
        snapshot.game.secondary,
        tuple(lot for lot in snapshot.lots if (lot.stage, lot.group) == (stage, group)),
        sum(encounter.is_over for encounter in encounters),
        len(encounters),
    )


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A cross table: for each pair of teams their encounter."""

    teams: tuple[SeasonTeam, ...]
    encounters: Mapping[tuple[int, int], Encounter]
    """Keyed by the ids of the team of the row and of the column."""


def cross_table_of(snapshot: SeasonSnapshot, standings: StandingsView) -> CrossTable:
    """The encounters of a group as a square, in the order of its standings."""
    found = {}
    for encounter in snapshot.encounters:
        if (encounter.stage, encounter.group) == (standings.stage, standings.group):
            one, two = (team.id for team in encounter.teams)
            found[one, two] = found[two, one] = encounter
    return CrossTable(tuple(standings.teams[row.team] for row in standings.rows), found)


# --- days -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DayPage:
    """A matchday with its encounters by group, and its neighbours."""

    day: Matchday
    name: Text
    groups: tuple[tuple[str, tuple[Encounter, ...], tuple[SeasonTeam, ...]], ...]
    """Name, encounters, and who rests."""
    finished: int
    total: int
    before: Matchday | None
    after: Matchday | None

    @property
    def is_over(self) -> bool:
        """Whether everything of it is played."""
        return self.finished == self.total


def day_of(snapshot: SeasonSnapshot, day: Matchday) -> DayPage:
    """All of one matchday."""
    encounters = snapshot.by_day[day.id]
    names = sorted({encounter.group for encounter in encounters})
    groups = tuple(
        (name, tuple(each for each in encounters if each.group == name), snapshot.resting(day, name)) for name in names
    )
    place = snapshot.days.index(day)
    return DayPage(
        day,
        snapshot.season.day_name(day.stage, day.number),
        groups,
        sum(encounter.is_over for encounter in encounters),
        len(encounters),
        snapshot.days[place - 1] if place else None,
        snapshot.days[place + 1] if place + 1 < len(snapshot.days) else None,
    )


def current_day(snapshot: SeasonSnapshot) -> Matchday | None:
    """The day that is played, else the last one that was; ``None`` before the first."""
    if (day := snapshot.day(snapshot.state.matchday_id)) is not None:
        return day
    begun = [day for day in snapshot.days if any(each.games for each in snapshot.by_day[day.id])]
    return begun[-1] if begun else None


# --- encounters -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EncounterPage:
    """An encounter with its games."""

    encounter: Encounter
    day: Matchday | None
    round: Round | None
    games: tuple[SeasonGame, ...]
    planned: int
    """Minimum number of games."""
    averages: tuple[Text, Text]


def encounter_of(snapshot: SeasonSnapshot, encounter: Encounter, games: tuple[SeasonGame, ...]) -> EncounterPage:
    """All of one encounter."""
    day = snapshot.day(encounter.day)
    round_ = None
    if encounter.stage is Stage.FINAL and day is not None:
        found = [
            slot.round for slot in snapshot.knockout.slots if (slot.day, slot.place) == (day.number, encounter.place)
        ]
        round_ = found[0] if found else None
    first, second = (
        Text("–", "–") if not encounter.games else number(Fraction(total, encounter.games), 2)
        for total in encounter.secondary
    )
    phase = snapshot.season.phase(Stage.CHAMPIONSHIP if encounter.stage is Stage.FRIENDLY else encounter.stage)
    assert phase is not None
    return EncounterPage(encounter, day, round_, games, phase.games, (first, second))


# --- teams ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TeamPage:
    """A team with everything that it did."""

    team: SeasonTeam
    encounters: tuple[tuple[Stage, tuple[Encounter, ...]], ...]
    places: tuple[tuple[Stage, str, StandingsRow], ...]
    """Where it stands in which group."""
    final_place: int | None
    rating: Rating | None
    curve: tuple[tuple[str, Rating], ...]


def team_of(snapshot: SeasonSnapshot, team: SeasonTeam, standings: tuple[StandingsView, ...]) -> TeamPage:
    """All of one team; ``standings`` are those of all groups."""
    stages = (*snapshot.stages, Stage.FRIENDLY)
    encounters = [(stage, tuple(each for each in snapshot.by_team[team.id] if each.stage is stage)) for stage in stages]
    places = tuple(
        (view.stage, view.group, row)
        for view in standings
        for row in view.rows
        if row.team == team.name and view.stage is not Stage.TRIAL and row.totals.games
    )
    podium = snapshot.knockout.places
    rating = None if snapshot.rating is None else _rating(snapshot.rating.ratings, team)
    return TeamPage(
        team,
        tuple((stage, found) for stage, found in encounters if found),
        places,
        podium.index(team.name) + 1 if team.name in podium else None,
        rating,
        curve_of(snapshot, team),
    )


def curve_of(snapshot: SeasonSnapshot, team: SeasonTeam) -> tuple[tuple[str, Rating], ...]:
    """The rating of a team after each matchday on which it had played already."""
    found = []
    for day, ratings in snapshot.rating_by_day:
        rating = _rating(ratings.ratings, team)
        if rating is not None:
            found.append((day_key(day.stage, day.number), rating))
    return tuple(found)


def _rating(ratings: tuple[Rating, ...], team: SeasonTeam) -> Rating | None:
    return next((rating for rating in ratings if rating.player == team.name), None)


# --- the bracket ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of an encounter of the bracket: a team, or where it will come from."""

    team: SeasonTeam | None
    seed: int | None
    label: Text
    won: int | None
    """Games; ``None`` before the first."""
    is_winner: bool


@dataclass(frozen=True, slots=True)
class BracketBox:
    """One encounter of the bracket."""

    round: Round
    number: int
    """Among those of its kind, from 1."""
    sides: tuple[BracketSide, BracketSide]
    encounter: Encounter | None


@dataclass(frozen=True, slots=True)
class BracketView:
    """The knock-out, round by round."""

    rounds: tuple[tuple[Text, tuple[BracketBox, ...]], ...]
    third: BracketBox | None
    drawn: bool


_ROUNDS = {
    Round.QUARTER_FINAL: Text("Viertelfinale", "Quarter-finals"),
    Round.SEMI_FINAL: Text("Halbfinale", "Semi-finals"),
    Round.FINAL: Text("Finale", "Final"),
}
_SHORT = {Round.QUARTER_FINAL: ("Viertelfinale", "quarter-final"), Round.SEMI_FINAL: ("Halbfinale", "semi-final")}


def bracket_of(snapshot: SeasonSnapshot) -> BracketView | None:
    """The knock-out as far as it is known; ``None`` if the season has none."""
    if snapshot.season.phase(Stage.FINAL) is None:
        return None
    known = snapshot.knockout.slots
    size = snapshot.season.bracket_size
    played = (Round.QUARTER_FINAL, Round.SEMI_FINAL, Round.FINAL)[1 - size.bit_length() :]
    rounds = []
    for depth, round_ in enumerate(played):
        slots = [slot for slot in known if slot.round is round_]
        before = played[depth - 1] if depth else None
        boxes = tuple(
            _box(snapshot, slots[at] if at < len(slots) else None, round_, at, before, size)
            for at in range(size >> depth + 1)
        )
        rounds.append((_ROUNDS[round_], boxes))
    third = None
    if len(played) > 1:
        slot = next((slot for slot in known if slot.round is Round.THIRD_PLACE), None)
        third = _box(snapshot, slot, Round.THIRD_PLACE, 0, Round.SEMI_FINAL, size)
    return BracketView(tuple(rounds), third, bool(known))


def _box(
    snapshot: SeasonSnapshot, slot: Slot | None, round_: Round, at: int, before: Round | None, size: int
) -> BracketBox:
    """One encounter, or the place for it while its teams are unknown."""
    if slot is None:
        one, two = (_awaited(round_, at, side, before, size) for side in (0, 1))
        return BracketBox(round_, at + 1, (one, two), None)
    days = {day.id: day.number for day in snapshot.days if day.stage is Stage.FINAL}
    encounter = next(
        (
            each
            for each in snapshot.encounters
            if each.day in days and (days[each.day], each.place) == (slot.day, slot.place)
        ),
        None,
    )
    winner = snapshot.knockout.winners.get((slot.day, slot.place))
    sides = []
    for name in slot.teams:
        team = snapshot.by_name[name]
        won = encounter.won[encounter.side(team.id)] if encounter is not None and encounter.games else None
        sides.append(BracketSide(team, snapshot.knockout.seeds.get(name), Text(name, name), won, winner == name))
    return BracketBox(round_, at + 1, (sides[0], sides[1]), encounter)


def _awaited(round_: Round, at: int, side: int, before: Round | None, size: int) -> BracketSide:
    if before is None:
        seed = bracket_order(size)[2 * at + side] + 1
        return BracketSide(None, seed, Text(f"Platz {seed} der Tabelle", f"Place {seed} in the standings"), None, False)
    de, en = _SHORT[before]
    from_ = 2 * at + side + 1
    if round_ is Round.THIRD_PLACE:
        return BracketSide(None, None, Text(f"Verlierer {de} {from_}", f"Loser of {en} {from_}"), None, False)
    return BracketSide(None, None, Text(f"Sieger {de} {from_}", f"Winner of {en} {from_}"), None, False)


# --- the start page and smaller things --------------------------------------------------------------------------------


def podium_order(podium: list[SeasonTeam]) -> list[tuple[int, SeasonTeam]]:
    """The first three with their places, as they stand on a podium: the winner in the middle."""
    places = list(enumerate(podium[:3], 1))
    return [places[1], places[0], *places[2:]] if len(places) > 1 else places


def ruled_on(snapshot: SeasonSnapshot, subject: str) -> Encounter | None:
    """The encounter that a ruling is about, alone or as that of a game or of a team in it; ``None`` for others."""
    key = subject.rpartition(": ")[2]
    name = parse_game_name(key)
    return snapshot.by_key.get(key if name is None else name.encounter)


def friendly(snapshot: SeasonSnapshot) -> list[Encounter]:
    """The friendly encounters, the newest first."""
    return [encounter for encounter in reversed(snapshot.encounters) if encounter.stage is Stage.FRIENDLY]


def decided_by_lot(snapshot: SeasonSnapshot) -> list[Encounter]:
    """The encounters that a lot decided."""
    return [encounter for encounter in snapshot.encounters if encounter.lot_seed is not None]
