"""The knock-out at the end of a season: eight teams, or four, or two, seeded by the standings before it.

Seeds meet as 1-8, 4-5, 2-7, 3-6; the winners of neighbouring encounters meet next, so that the two best seeds can only
meet in the final. The losers of the semi-finals play for the third place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.matches.pairings import bracket_order


class Round(Enum):
    """What an encounter of the bracket is."""

    QUARTER_FINAL = Text("Viertelfinale", "quarter-final")
    SEMI_FINAL = Text("Halbfinale", "semi-final")
    THIRD_PLACE = Text("Spiel um Platz 3", "match for third place")
    FINAL = Text("Finale", "final")

    @property
    def text(self) -> Text:
        """The name for people."""
        return self.value


@dataclass(frozen=True, slots=True)
class Slot:
    """One encounter of the bracket: which one it is and who plays it."""

    day: int
    """The first is 1."""
    place: int
    """The first of the day is 1."""
    round: Round
    teams: tuple[str, str]
    """The better seed first."""


Winners = Mapping[tuple[int, int], str]
"""The winners of the finished encounters, by day and place."""


def bracket_size(teams: int) -> int:
    """How many of ``teams`` teams play the knock-out: 8, 4 or 2; 0 if there are too few."""
    return next((size for size in (8, 4, 2) if teams >= size), 0)


def name_of_size(size: int) -> Text:
    """The name of a knock-out with so many teams."""
    names = {8: "Final Eight", 4: "Final Four"}
    return Text(names[size], names[size]) if size in names else Text("Finale", "Final")


def day_of_size(size: int) -> Text | None:
    """The name of the day of a knock-out on which so many teams are left; ``None`` if there is none."""
    names = {8: ("Viertelfinale", "Quarter-finals"), 4: ("Halbfinale", "Semi-finals"), 2: ("Finale", "Final")}
    return Text(*names[size]) if size in names else None


def slots(seeds: Sequence[str], winners: Winners) -> tuple[Slot, ...]:
    """All encounters that are known, day by day; the rest follows when these have winners."""
    if bracket_size(len(seeds)) != len(seeds) or not seeds:
        raise SettingsError(
            f"An einem K.-o.-Turnier nehmen 8, 4 oder 2 Teams teil, nicht {len(seeds)}.",
            f"a knock-out has 8, 4 or 2 teams, not {len(seeds)}",
        )
    standing = [seeds[seed] for seed in bracket_order(len(seeds))]
    rank = {team: place for place, team in enumerate(seeds)}
    known: list[Slot] = []
    for day in range(1, 4):
        last = len(standing) == 2
        round_ = {8: Round.QUARTER_FINAL, 4: Round.SEMI_FINAL, 2: Round.FINAL}[len(standing)]
        pairs = [sorted(standing[at : at + 2], key=rank.__getitem__) for at in range(0, len(standing), 2)]
        today = [Slot(day, place, round_, (one, two)) for place, (one, two) in enumerate(pairs, 1)]
        if last and len(known) > 1:
            losers = [_loser(slot, winners) for slot in known if slot.day == day - 1]
            one, two = sorted(losers, key=rank.__getitem__)
            # Before the final, so that the season ends with it.
            today = [Slot(day, 1, Round.THIRD_PLACE, (one, two)), Slot(day, 2, round_, today[0].teams)]
        known += today
        if last or any((day, slot.place) not in winners for slot in today):
            break
        standing = [winners[day, slot.place] for slot in today]
    return tuple(known)


def _loser(slot: Slot, winners: Winners) -> str:
    winner = winners[slot.day, slot.place]
    return slot.teams[1 - slot.teams.index(winner)]


def final_places(known: Sequence[Slot], winners: Winners) -> tuple[str, ...]:
    """First, second and, where it was played for, third and fourth; empty until the last day is over."""
    last = [slot for slot in known if slot.round in (Round.FINAL, Round.THIRD_PLACE)]
    places: list[str] = []
    for slot in sorted(last, key=lambda slot: slot.round is not Round.FINAL):
        if (slot.day, slot.place) not in winners:
            return ()
        places += [winners[slot.day, slot.place], _loser(slot, winners)]
    return tuple(places)
