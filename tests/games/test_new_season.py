"""Next year's game is one new folder: nothing else is edited, and everything already knows it."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from spielleiter import games, players, rl
from spielleiter.cli.app import app
from spielleiter.contest.run.proof import prove
from spielleiter.game import AnyGame, Ranking, Team, perft
from spielleiter.game.conformance import check_lesson, check_random_game
from spielleiter.players import LEVELS
from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from spielleiter.search import engine
from spielleiter.server import GameMaster, MasterSettings
from tests.support.contest_seasons import FINAL, GAME, opened, play, season_text
from tests.support.next_season import play_at_a_table
from tests.support.raw import Raw, winner
from tests.support.season_site import write_site
from tests.support.terminal import ROOT, Terminal
from tests.support.web_browser import Open, check_with_axe

NAMES = [*(level.name for level in LEVELS), "novice", "club", "expert"]
"""The players that use the engine where it knows the game."""


def test_it_is_found_and_keeps_the_laws(tictactoe: AnyGame) -> None:
    assert "tictactoe-2028" in games.all_games()
    for seed in range(20):
        check_random_game(tictactoe, seed)
    check_lesson(tictactoe)
    assert [perft(tictactoe.new_state(Random(0)), depth) for depth in (1, 2, 3)] == [25, 600, 13800]
    assert games.parse_position("tictactoe-2028 XO3/5/5/5/5")[1].to_move.name == "ONE"


def test_it_is_an_environment_for_learning(tictactoe: AnyGame) -> None:
    env: Any = rl.env("tictactoe-2028")
    env.reset()
    for action in (0, 5, 1, 6, 2, 7, 3):
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.observe("player_1")["observation"].tolist() == [
        [[0, 0, 0, 0, 0], [1, 1, 1, 0, 0], *[[0] * 5] * 3],
        [[1, 1, 1, 1, 0], *[[0] * 5] * 4],
        [[0, 0, 0, 0, 1], [0, 0, 0, 1, 1], *[[1] * 5] * 3],
    ]


def test_it_is_played_over_the_network_and_recorded(tictactoe: AnyGame, tmp_path: Path) -> None:
    async def run() -> None:
        async with GameMaster(MasterSettings(port=0, records=tmp_path)) as master:
            one, two = await Raw.connect(master.address), await Raw.connect(master.address)
            for player in (one, two):
                await player.send('<join gameType="swc_2028_tictactoe"/>')
                await player.wait_for("joined")
            for number, cell in enumerate([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]):
                player = (one, two)[number % 2]
                room = (await player.wait_for("moveRequest")).attrib["roomId"]
                await player.send(f'<room roomId="{room}"><data class="move" x="{cell[0]}" y="{cell[1]}"/></room>')
            assert winner(await two.wait_for("result")) == "ONE"
            for player in (one, two):
                await player.close()

    asyncio.run(run())
    [path] = tmp_path.glob("*.jsonl")
    assert verify_record(open_any(path)).findings == ()


def test_its_season_ranks_by_wins_and_an_official_one_by_victory_points(tictactoe: AnyGame, tmp_path: Path) -> None:
    text = season_text(("Ada", "Bob", "Cem"), championship="qualify = 2", rest=FINAL).replace(GAME, tictactoe.key)
    with opened(tmp_path, str(tmp_path / "season.db"), text) as contest:
        play(contest)
        assert prove(contest).difference is None
        write_site(contest, tmp_path / "site")
    page = (tmp_path / "site" / "en" / "phase-championship.html").read_text(encoding="utf-8")
    assert "Ranked by wins.</caption>" in page
    assert replace(tictactoe, official=True).default_ranking is Ranking.BY_VICTORY_POINTS
    assert replace(tictactoe, ranking=Ranking.BY_ENCOUNTERS).default_ranking is Ranking.BY_ENCOUNTERS


@pytest.mark.parametrize("name", NAMES)
def test_everybody_who_uses_the_engine_plays_it_without(name: str, tictactoe: AnyGame) -> None:
    why = players.BUILT_IN[name].why_weaker(tictactoe)
    assert why is not None
    assert "die Suche in Python springt ein" in why.de
    state, player, rng = tictactoe.new_state(Random(0)), players.load(name), Random(1)
    while state.outcome is None:
        mine = state.to_move is Team.ONE
        state = state.play(player.choose(state, 0.2) if mine else rng.choice(state.legal_moves()))


@pytest.mark.parametrize("name", ["level7", "level8", "expert:nodes=3000", "club:nodes=3000"])
def test_the_strong_ones_win_it_in_one_and_parry_a_threat(name: str, tictactoe: AnyGame) -> None:
    for position, best in (("OXXX1/OO3/5/5/5", "e5"), ("OXXX1/OO3/4X/5/5", "e5")):
        state = tictactoe.notation.parse_state(f"{tictactoe.key} {position}")
        assert tictactoe.notation.format_move(state, players.load(name).choose(state, 3600.0)) == best


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "level2", "expert", "--game", "tictactoe-2028", "--games", "2", "--in-process", "--seconds", "0.3"],
        ["play", "tictactoe-2028", "--one", "level3", "--two", "expert", "--quiet", "--seconds", "0.3"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_who_plays_it_in_python_is_said(
    arguments: list[str], tictactoe: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "expert: The native engine " in done.stderr
    assert tictactoe.title.en in done.output or tictactoe.key in done.output


@pytest.mark.parametrize("without_engine", ["", "1"], ids=["with the engine", "without the engine"])
def test_it_is_played_at_a_table_in_a_browser(
    without_engine: str, next_season: Path, terminal: Terminal, open_page: Open
) -> None:
    path = os.pathsep.join((str(ROOT / "src"), str(next_season)))
    terminal.environment |= {"PYTHONPATH": path, "WITHOUT_ENGINE": without_engine}
    built = "is not built" if without_engine or engine.version() is None else "does not know"
    assert built in terminal.run("spielleiter play tictactoe-2028 --one level1 --two random --quiet --seconds 0.2")
    address, page = terminal.pages("--records games"), open_page()
    play_at_a_table(page, address, "tictactoe-2028", "level3")
    check_with_axe(page)
    page.goto(f"{address.rstrip('/')}/tables/new?game=tictactoe-2028")
    assert "die Suche in Python springt ein" in page.inner_text("main")


TESTS_OF_EVERY_GAME = (
    *(f"games/test_{name}.py" for name in ("all_games", "board_input", "encodings", "evaluations")),
    *("client", "players", "records", "referee", "rl", "wire"),
)


@pytest.mark.slow
def test_the_tests_of_every_game_test_it_without_a_word(next_season: Path) -> None:
    files = [ROOT / "tests" / name for name in TESTS_OF_EVERY_GAME]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(next_season)))}
    environment.pop("SPIELLEITER_NIGHTLY", None)  # At night strong players must beat weak ones; this game is a draw.
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "tictactoe", *map(str, files)],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) > 120
