"""The report of a match: one page, nothing from outside, strangers' texts as text only."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielleiter import games
from spielleiter.game import Team, Text, random_game
from spielleiter.matches.plan import MatchPlan
from spielleiter.matches.results import MatchGame
from spielleiter.matches.summary import MoveTimes, summarise
from spielleiter.pages.match_report import write_report
from spielleiter.pages.match_report.report import elo_steps, report_page
from spielleiter.pressure import busy_machine
from spielleiter.programs.side_result import Fault, SideResult
from spielleiter.records.writer import RecordWriter
from tests.matches.test_match import players
from tests.support import histories
from tests.support.volumes import unpack

pytestmark = pytest.mark.slow

GAME = "ostseeschach-2022"
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def match_rows(folder: Path, number: int = 4) -> list[MatchGame]:
    game = games.load(GAME)
    rows = []
    for at in range(number):
        states = list(random_game(game.new_state(Random(at // 2)), Random(at)))
        history = histories.begin(states, room=f"g{at}", names=("ada", "bob"))
        writer = RecordWriter(folder / "records", history)
        for made in histories.moves_between(states):
            writer.write(history.follow(made))
        writer.close()
        names = ("ada", "bob") if at % 2 == 0 else ("bob", "ada")
        one, two = (SideResult(name=name, points=(1, 0, 0), move_times=(0.01, 0.5, 1.2)) for name in names)
        if at == 3:
            two = replace(two, fault=Fault.CRASH, last_words=EVIL, log="logs/x.log")
        pair = f"1v2-{at // 2 + 1:05d}"
        rows.append(
            MatchGame(
                id=f"{pair}{'ab'[at % 2]}", pair=pair, round=0, sides=(one, two), winner=(Team.ONE, None)[at % 2],
                counts=True, reason=Text(EVIL, EVIL), start=game.notation.format_state(states[0]),
                final=game.notation.format_state(states[-1]), plies=len(states) - 1, seconds=3.0, started="now",
                record=str(writer.path.relative_to(folder)),
            )
        )  # fmt: skip
    return rows


@pytest.fixture
def plan() -> MatchPlan:
    return MatchPlan(game=GAME, entrants=players("ada", "bob"), games=6)


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_page_stands_alone_and_keeps_strangers_harmless(language: str, plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    page = report_page(tmp_path, plan, rows, summarise(plan, rows), [Text(EVIL, EVIL)], language)  # type: ignore[arg-type]
    assert "<script>alert" not in page
    assert "<img" not in page
    # Names of XML namespaces are no addresses; nothing is loaded from anywhere.
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    assert "default-src 'none'" in page


def test_why_programs_failed_and_what_was_played_again_is_listed(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    one, two = rows[3].sides
    rows[3] = replace(rows[3], sides=(one, replace(two, failure=Text("Pech", "out of luck (player.py, line 7)"))))
    sides = (replace(rows[1].sides[0], fault=Fault.LATE), rows[1].sides[1])
    late = replace(rows[1], sides=sides, pressure=0.4, reason=busy_machine(0.4))
    rows[1] = replace(late, attempt=2)
    page = report_page(tmp_path, plan, rows, summarise(plan, rows, None, 1), replaced=[late])
    assert "<strong>out of luck (player.py, line 7)</strong>" in page
    assert "lost on time while the machine was busy</td><td>1</td>" in page
    assert "Played again because the machine was busy" in page
    assert "1v2-00001b, attempt 1: the machine was busy (pressure 40 %)" in page


def test_every_game_can_be_stepped_through(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    page = report_page(tmp_path, plan, rows, summarise(plan, rows))
    replays = unpack(_data(page)["volumes"][0])
    game = games.load(GAME)
    for row in rows:
        replay = replays[row.id]
        assert len(replay["pictures"]) == row.plies + 1
        assert len(replay["moves"]) == row.plies
        assert f'data-turn="{game.notation.parse_state(row.final).turn}"' in replay["pictures"][-1]
    assert len(page) < 400_000


def _data(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(page.split('id="data">')[1].split("</script>")[0])
    return data


def test_a_damaged_record_costs_the_replay_and_not_the_report(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    (tmp_path / rows[0].record).write_text("nonsense")
    page = report_page(tmp_path, plan, rows, summarise(plan, rows))
    assert rows[0].id in page


def test_a_long_match_keeps_the_interesting_games_whole(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    page = report_page(tmp_path, plan, rows, summarise(plan, rows), whole_replays=1)
    replays = unpack(_data(page)["volumes"][0])
    whole = [name for name, replay in replays.items() if len(replay["pictures"]) > 1]
    assert whole == [rows[3].id]


def test_all_files_are_written(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    write_report(tmp_path, plan, rows, summarise(plan, rows))
    lines = list(csv.DictReader(io.StringIO((tmp_path / "results.csv").read_text())))
    assert [line["id"] for line in lines] == [row.id for row in rows]
    assert lines[0]["winner"] == "ada"
    assert not list(tmp_path.glob(".*tmp"))


def test_the_table_for_researchers_has_every_time(plan: MatchPlan, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    rows = match_rows(tmp_path)
    write_report(tmp_path, plan, rows, summarise(plan, rows))
    table = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    assert table[0]["times_one"] == [0.01, 0.5, 1.2]


def test_plots_are_drawn(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    page = report_page(tmp_path, plan, rows, summarise(plan, rows))
    assert page.count("<figure ") == 3


def test_an_empty_match_has_a_report_as_well(plan: MatchPlan, tmp_path: Path) -> None:
    page = report_page(tmp_path, plan, [], summarise(plan, []))
    assert "0 / 6" in page


def test_the_curve_ends_with_the_estimate_of_all_games(plan: MatchPlan, tmp_path: Path) -> None:
    rows = match_rows(tmp_path)
    summary = summarise(plan, rows)
    assert summary.duel is not None
    assert elo_steps(summary.names, rows)[-1][1:] == pytest.approx(
        (summary.duel.elo, summary.duel.low, summary.duel.high)
    )


def test_the_summary_counts_wins_draws_times_and_faults(plan: MatchPlan, tmp_path: Path) -> None:
    summary = summarise(plan, match_rows(tmp_path))
    ada = next(standing for standing in summary.standings if standing.name == "ada")
    assert (ada.won, ada.drawn, ada.lost, ada.points) == (2, 2, 0, 3.0)
    assert dict(ada.faults) == {Fault.CRASH: 1}
    assert ada.times == MoveTimes(12, 0.5, 1.2, 1.2, 0.6)
    json.dumps(summary.to_json())


def test_quantiles_of_times_are_real_values() -> None:
    times = MoveTimes.of([n / 100 for n in range(1, 101)], 2.0)
    assert (times.median, times.p99, times.max, times.share) == (0.5, 0.99, 1.0, 0.5)
    assert MoveTimes.of([], 2.0).moves == 0
