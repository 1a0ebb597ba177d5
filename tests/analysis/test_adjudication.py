"""Games that are ended early: only when asked for, only when it was long clear, and with the right result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.analysis.adjudication import Adjudication, Adjudicator, engine_chance, parse_adjudication
from spielleiter.errors import EngineMissing, SettingsError
from spielleiter.game import Limits, Outcome, Team
from spielleiter.matches.in_process import play_in_process
from spielleiter.matches.plan import MatchPlan, plan_from_json
from spielleiter.matches.summary import summarise
from spielleiter.matches.tasks import FinishedGame, GameTask
from spielleiter.programs.entrants import resolve_all
from spielleiter.records.game_list import game_list, read_games
from spielleiter.records.reader import parse_record
from spielleiter.records.reference import RecordedGame, read_recorded_games
from spielleiter.records.verify import Flaw, verify_record
from spielleiter.search import engine
from tests.support.night import sample
from tests.support.played import needs_engine

OSTSEE = games.load("ostseeschach-2022")
ONE_SIDED = resolve_all(["greedy:seed=1", "random:seed=1"])


@dataclass(frozen=True)
class Position:
    """A position that is nothing but its points."""

    one: int
    two: int
    to_move: Team = Team.ONE
    outcome: Outcome | None = None
    turn: int = 0

    def points(self, team: Team) -> tuple[int, ...]:
        return (0, self.two if team else self.one)


def winner(adjudicator: Adjudicator, state: Any) -> Team | None:
    end = adjudicator.end_after(state)
    return None if end is None else end.winner


def verdicts(rule: str, *points: tuple[int, int]) -> list[Team | None]:
    adjudicator = Adjudicator(OSTSEE, parse_adjudication(rule))
    return [winner(adjudicator, Position(*each, Team(ply % 2))) for ply, each in enumerate(points)]


def played(adjudication: Adjudication | None) -> FinishedGame:
    start = OSTSEE.notation.format_state(OSTSEE.new_state(Random(1)))
    one, two = ONE_SIDED
    limits = Limits(60.0, 300.0)
    return play_in_process(
        GameTask(id="g", game=OSTSEE.key, start=start, entrants=(one, two), limits=limits, adjudication=adjudication)
    )


def test_a_lead_has_to_last() -> None:
    assert verdicts("lead=3,moves=3", (3, 0), (4, 1), (9, 2)) == [None, None, Team.ONE]
    assert verdicts("lead=3,moves=3", (3, 0), (2, 0), (3, 0), (3, 0), (0, 0)) == [None] * 5


def test_a_lead_that_changes_sides_counts_anew() -> None:
    assert verdicts("lead=3,moves=2", (3, 0), (0, 3), (0, 3)) == [None, None, Team.TWO]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("win=1", "win lies between 0.9 and 0.999, not at 1"),
        ("win=nan", "win lies between"),
        ("lead=0", "lead lies between 1 and 1000, not at 0"),
        ("win=0.9,moves=1", "moves lies between 2 and 60, not at 1"),
        ("win=0.9,nodes=0", "nodes lies between"),
        ("moves=4", "either win or lead"),
        ("win=0.9,lead=3", "either win or lead"),
        ("chance=0.9", "does not know 'chance'"),
        ("lead=3.5", "takes a number for lead"),
        ("", "does not know ''"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(text: str, expected: str) -> None:
    with pytest.raises(SettingsError, match=expected):
        parse_adjudication(text)


def test_without_the_engine_only_a_lead_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_PROBLEM", "not here")
    MatchPlan(game=OSTSEE.key, entrants=ONE_SIDED, adjudication=Adjudication(lead=2))
    with pytest.raises(EngineMissing, match="--adjudicate win"):
        MatchPlan(game=OSTSEE.key, entrants=ONE_SIDED, adjudication=Adjudication(win=0.95))


def test_a_plan_keeps_its_rule_and_has_none_by_default() -> None:
    plan = MatchPlan(game=OSTSEE.key, entrants=ONE_SIDED, adjudication=Adjudication(lead=2, moves=3))
    assert plan_from_json(plan.to_json(), ONE_SIDED) == plan
    assert MatchPlan(game=OSTSEE.key, entrants=ONE_SIDED).adjudication is None


def test_a_game_is_ended_early_for_the_leading_side() -> None:
    whole, short = played(None), played(Adjudication(lead=1, moves=2))
    assert whole.row.winner is short.row.winner is Team.ONE
    assert not whole.row.adjudicated
    assert short.row.adjudicated
    assert short.row.plies < whole.row.plies
    assert short.row.sides[0].points[0] == 2
    assert short.row.sides[1].points[0] == 0
    assert [side.fault for side in short.row.sides] == [None, None]
    plan = MatchPlan(game=OSTSEE.key, entrants=ONE_SIDED, adjudication=Adjudication(lead=1, moves=2))
    assert "Games ended early by adjudication: 1 of 1." in [
        sentence.en for sentence in summarise(plan, [short.row]).sentences
    ]


def test_its_record_is_sound_and_says_so(tmp_path: Path) -> None:
    record = parse_record(played(Adjudication(lead=1, moves=2)).record, "g")
    assert record.result is not None
    assert record.result.adjudicated
    assert verify_record(record).is_sound
    (tmp_path / "games.txt").write_text(game_list([record]), encoding="utf-8")
    [again] = read_games(tmp_path / "games.txt")
    assert again.result is not None
    assert again.result.adjudicated
    assert again.result.teams == record.result.teams


def test_a_finished_game_cannot_claim_to_be_adjudicated() -> None:
    honest = played(None).record
    lie = honest.replace(b'"offence":null', b'"adjudicated":true,"offence":null')
    assert lie != honest
    assert [finding.kind for finding in verify_record(parse_record(lie, "g")).findings] == [Flaw.WRONG_END]


def chances(*values: float | None) -> Callable[[Any], float | None]:
    left = list(values)
    return lambda state: left.pop(0)


def test_a_win_probability_is_that_of_the_team_to_move() -> None:
    rule = Adjudication(win=0.95, moves=3)
    adjudicator = Adjudicator(OSTSEE, rule, chances(0.96, 0.04, 0.97, 0.5, 0.99))
    states = [Position(0, 0, Team(ply % 2)) for ply in range(5)]
    assert [winner(adjudicator, state) for state in states] == [None, None, Team.ONE, None, None]


def test_where_the_engine_knows_nothing_nobody_is_the_favourite() -> None:
    adjudicator = Adjudicator(OSTSEE, Adjudication(win=0.95, moves=2), chances(0.96, None, 0.97, 0.03))
    states = [Position(0, 0, Team(ply % 2)) for ply in (0, 1, 0, 1)]
    assert [winner(adjudicator, state) for state in states] == [None, None, None, Team.ONE]


def test_a_draw_needs_even_chances_and_a_late_turn() -> None:
    def ends(rule: str, *seen: tuple[int, float]) -> list[str]:
        adjudicator = Adjudicator(OSTSEE, parse_adjudication(rule), chances(*(chance for _, chance in seen)))
        states = [Position(0, 0, turn=turn) for turn, _ in seen]
        found = [adjudicator.end_after(state) for state in states]
        return ["" if end is None else "draw" if end.winner is None else end.winner.name for end in found]

    rule = "win=0.95,draw=0.03,after=10,moves=2"
    assert ends(rule, (9, 0.5), (10, 0.52), (11, 0.48), (12, 0.5)) == ["", "", "draw", "draw"]
    assert ends(rule, (10, 0.5), (11, 0.54), (12, 0.5)) == ["", "", ""]
    assert ends(rule, (2, 0.96), (3, 0.97)) == ["", "ONE"]


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("draw=0.02", "takes draw with after"),
        ("after=20,win=0.98", "takes draw with after"),
        ("draw=0.02,after=20,lead=5", "draw alone or with win"),
        ("draw=0.4,after=20", "draw lies between"),
    ],
)
def test_a_senseless_draw_is_refused(rule: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        parse_adjudication(rule)


def test_a_draw_after_the_last_turn_is_refused() -> None:
    with pytest.raises(SettingsError, match="after=61 never comes, a game has 60 turns at most"):
        parse_adjudication("draw=0.02,after=61").check(OSTSEE)


# --- a thousand recorded games ----------------------------------------------------------------------------------------

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
RULES = [Adjudication(win=win, moves=4, nodes=50) for win in (0.9, 0.95, 0.98)]


def thousand_games() -> list[RecordedGame]:
    """Games of random and greedy players, who throw away what is won as often as anybody."""
    known = [path for path in GOLDEN.glob("*.jsonl.gz") if path.name.removesuffix(".jsonl.gz") in engine.rule_sets()]
    files = sorted(known, key=lambda path: ("blokus" not in path.name, path.name))
    found = [game for path in files[:2] for game in read_recorded_games(path)]
    each = -(-(1000 - len(found)) // len(files[2:]))
    return found + [game for path in files[2:] for game in islice(read_recorded_games(path), each)]


def judged(recorded: RecordedGame) -> tuple[list[Team | None], Team | None]:
    """Who wins by each of the rules, or ``None`` if they let the game go on; and who has won it."""
    game = recorded.load_game()
    chance = cache(engine_chance(game, RULES[0].nodes))
    state = game.recordings.start(recorded.data)
    states = [state := state.play_unchecked(game.recordings.move(state, text)) for text in recorded.data["moves"]]
    near = near_clear(states, chance)
    adjudicators = [Adjudicator(game, rule, lambda state: chance(state) if state in near else 0.5) for rule in RULES]
    winners: list[Team | None] = [None] * len(RULES)
    for state in states:
        winners = [
            winner(each, state) if found is None else found for found, each in zip(winners, adjudicators, strict=True)
        ]
    return winners, None if state.outcome is None else state.outcome.winner


def near_clear(states: list[Any], chance: Callable[[Any], float | None]) -> set[Any]:
    """The positions that may belong to a streak which ends a game: others need not be searched.

    Any streak has one of every fourth position in it, so those without a clear one nearby belong to none.
    """
    win, moves = RULES[0].win, RULES[0].moves
    assert win is not None
    running = [state for state in states if state.outcome is None]
    sampled = [(at, chance(running[at])) for at in range(moves - 1, len(running), moves)]
    clear = [at for at, value in sampled if value is not None and not 1 - win < value < win]
    return {state for at in clear for state in running[at - moves + 1 : at + moves]}


@needs_engine
@pytest.mark.slow
def test_recorded_results_change_by_no_more_than_it_states() -> None:
    played = [judged(recorded) for recorded in sample(thousand_games(), 250)]
    assert len(played) >= 250
    for number, rule in enumerate(RULES):
        assert rule.win is not None
        early = [(winners[number], winner) for winners, winner in played if winners[number] is not None]
        changed = sum(claimed is not winner for claimed, winner in early)
        assert changed <= (1 - rule.win) * len(played), f"{rule.win}: {changed} of {len(early)} ended early"
        assert len(early) > len(played) / 20, "a rule that ends nothing proves nothing"
