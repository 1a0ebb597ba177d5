"""The standings of a season, from the sums of its encounters, and the rating beside them."""

from __future__ import annotations

from sqlalchemy import Integer, case, cast, func, select
from sqlalchemy.orm import Session

from spielleiter.contest.season.encounter import Decision, first_is_one, start_of
from spielleiter.contest.season.model import Season, Stage
from spielleiter.contest.store import EncounterRow, GameRow, LotRow, TeamRow
from spielleiter.game import Team as Side
from spielleiter.rating import bradley_terry
from spielleiter.rating.bradley_terry import Ratings
from spielleiter.rating.pairs import PlayedGame, cross_table
from spielleiter.rating.standings import Lot, Standings, Totals, rank


def totals(session: Session, stage: Stage, group: str) -> dict[str, Totals]:
    """The totals of every team of a group, summed up by the database."""
    sums: dict[int, Totals] = {}
    for mine, theirs in (("first", "second"), ("second", "first")):
        team = getattr(EncounterRow, f"{mine}_id")
        won, lost_to = getattr(EncounterRow, f"won_{mine}"), getattr(EncounterRow, f"won_{theirs}")
        ended = EncounterRow.finished.is_not(None)
        # Where both have lost every game neither gets encounter points either.
        nothing = won + lost_to + EncounterRow.drawn == 0
        points = case((~ended, 0), (nothing, 0), (won > lost_to, 2), (won == lost_to, 1), else_=0)
        rows = session.execute(
            select(
                team,
                func.sum(cast(ended, Integer)),
                func.sum(won),
                func.sum(EncounterRow.drawn),
                func.sum(EncounterRow.games - won - EncounterRow.drawn),
                func.sum(getattr(EncounterRow, f"secondary_{mine}")),
                func.sum(points),
            )
            .where(EncounterRow.stage == stage, EncounterRow.group == group)
            .group_by(team)
        )
        for id_, *numbers in rows:
            sums[id_] = sums.get(id_, Totals()) + Totals(*map(int, numbers))
    names = session.execute(select(TeamRow.id, TeamRow.name).where(TeamRow.id.in_(sums)))
    by_name = {name: sums[id_] for id_, name in names}
    return dict(sorted(by_name.items()))


def lots(session: Session, stage: Stage, group: str) -> tuple[Lot, ...]:
    """The lots that were drawn in a group."""
    drawn = session.scalars(select(LotRow).where(LotRow.stage == stage, LotRow.group == group).order_by(LotRow.id))
    return tuple(Lot(frozenset(lot.teams), lot.seed) for lot in drawn)


def group_standings(session: Session, season: Season, stage: Stage, group: str) -> Standings:
    """The standings of a group, with the lots that were drawn in it."""
    return rank(totals(session, stage, group), season.ranking, lots(session, stage, group))


def all_standings(session: Session, season: Season, stage: Stage) -> dict[str, Standings]:
    """The standings of all groups of a phase."""
    return {group: group_standings(session, season, stage, group) for group in groups_of(session, stage)}


def groups_of(session: Session, stage: Stage) -> list[str]:
    """The groups of a phase that have encounters; the Champions League has one without a name."""
    # Sorted here: databases differ in their alphabets.
    return sorted(session.scalars(select(EncounterRow.group).where(EncounterRow.stage == stage).distinct()))


def rated_games(session: Session, stages: tuple[Stage, ...], group: str | None = None) -> list[PlayedGame]:
    """The games that were really played, as the rating takes them."""
    wanted = select(
        EncounterRow.key,
        *EncounterRow.team_ids.columns(EncounterRow),
        GameRow.number,
        *GameRow.points.columns(GameRow),
    ).join(GameRow, GameRow.encounter_id == EncounterRow.id)
    wanted = wanted.where(EncounterRow.stage.in_(stages), ~GameRow.annulled, GameRow.decision == Decision.PLAYED)
    if group is not None:
        wanted = wanted.where(EncounterRow.group == group)
    names = dict(session.execute(select(TeamRow.id, TeamRow.name)).all())
    games = []
    for key, *teams, number, first, second in session.execute(wanted):
        if first == second == 0:
            continue  # Both failed: that says nothing about who is stronger.
        one, two = teams if first_is_one(number) else reversed(teams)
        winner = {2: Side.ONE, 1: None, 0: Side.TWO}[first if first_is_one(number) else second]
        games.append(PlayedGame(names[one], names[two], winner, f"{key}/{start_of(number)}"))
    return games


def rating(session: Session, stages: tuple[Stage, ...], group: str | None = None) -> Ratings | None:
    """The Bradley-Terry rating of all who have played; ``None`` before the first game."""
    games = rated_games(session, stages, group)
    return bradley_terry.rate(cross_table(games)) if games else None
