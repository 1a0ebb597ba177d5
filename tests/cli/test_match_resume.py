"""``match --resume`` and ``tune --resume``: what the plan has decided is refused, everything else is honoured."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spielleiter.cli.app import app, load_command
from spielleiter.cli.lab import tune
from spielleiter.cli.match import command
from spielleiter.cli.match.manual import JoinSettings
from spielleiter.cli.match.run import RunSettings
from spielleiter.errors import SettingsError
from spielleiter.lab.spsa import Parameter
from spielleiter.lab.tuning import PAIRS, PLAN, TuningPlan
from spielleiter.matches.openings import Openings
from spielleiter.matches.plan import MatchPlan, claim_folder
from spielleiter.programs.entrants import resolve, resolve_all
from spielleiter.rating.sprt import Sprt

GAME = "piranhas-2026"
MATCH = {
    "players": ("random", "greedy"),
    "config": ("--config", "match.toml"),
    "game": ("--game", GAME),
    "number": ("--games", "2"),
    "sprt": ("--sprt", "0,30"),
    "form": ("--format", "duel"),
    "rounds": ("--rounds", "3"),
    "challengers": ("--challengers", "1"),
    "seconds": ("--seconds", "2"),
    "clock": ("--clock", "60"),
    "nodes": ("--nodes", "5"),
    "openings": ("--openings", "0"),
    "random_moves": ("--random-moves", "0"),
    "order": ("--order", "file"),
    "seed": ("--seed", "0"),
    "adjudicate": ("--adjudicate", "lead=20"),
    "options": ("--set", "1:seed=3"),
    "python": ("--python", "1:3.12"),
    "name": ("--name", "Ada"),
    "out": ("--out", "elsewhere"),
    "ponder": ("--no-ponder",),
    "in_process": ("--in-process",),
}
"""Everything that the plan of a match decides, given again; mostly as it was, or as it is by default."""
TUNE = {
    "player": ("random",),
    "params": ("--params", "params.toml"),
    "game": ("--game", GAME),
    "pairs": ("--pairs", "1000"),
    "seconds": ("--seconds", "2"),
    "openings": ("--openings", "0"),
    "random_moves": ("--random-moves", "4"),
    "seed": ("--seed", "0"),
    "out": ("--out", "elsewhere"),
    "in_process": ("--in-process",),
}


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.toml").write_text("games = 2\n")
    Path("params.toml").write_text("")
    openings = Openings(seed=7, random_moves=3)
    match = MatchPlan(
        game=GAME,
        entrants=resolve_all(["random", "greedy"]),
        games=20,
        sprt=Sprt(0, 30),
        openings=openings,
        seconds=0.5,
    )
    claim_folder(Path("match"), match, resume=False)
    depth = Parameter(name="depth", start=2, low=1, high=3, step=0.5, whole=True)
    tuning = TuningPlan(game=GAME, player=resolve("student"), parameters=(depth,), pairs=10, openings=openings)
    claim_folder(Path("tune"), tuning, resume=False, name=PLAN, results=PAIRS)


def refusal(name: str, *words: str) -> str:
    result = CliRunner().invoke(app, ["--lang", "en", name, "--resume", name, *words])
    assert isinstance(result.exception, SettingsError), result.output
    return str(result.exception)


def test_every_option_of_a_match_is_either_refused_or_honoured_by_resume() -> None:
    assert {str(parameter.name) for parameter in load_command("match").params} == {*MATCH, *command._SETTABLE}
    assert not {*MATCH} & command._SETTABLE
    settings = {field.name for field in fields(RunSettings)} - {"join_settings"} | {
        field.name for field in fields(JoinSettings)
    }
    assert settings | {"resume", "report", "as_json", "stats"} == command._SETTABLE


def test_every_option_of_a_tuning_run_is_either_refused_or_honoured_by_resume() -> None:
    assert {str(parameter.name) for parameter in load_command("tune").params} == {*TUNE, *tune._SETTABLE}
    assert not {*TUNE} & tune._SETTABLE


@pytest.mark.parametrize("option", MATCH)
def test_what_the_plan_of_a_match_decides_is_refused_with_what_it_was_started_with(option: str) -> None:
    words = MATCH[option]
    written = "the players" if option == "players" else words[0]
    assert refusal("match", *words) == (
        f"--resume continues what was planned: leave out {written}. It was started with game: piranhas-2026; "
        "players: random, greedy; format: duel; games: 20; sprt: 0, 30, 0.05, 0.05, logistic; seed: 7; "
        "random-moves: 3; seconds: 0.5; ponder: true; in-process: false"
    )


@pytest.mark.parametrize("option", TUNE)
def test_what_the_plan_of_a_tuning_run_decides_is_refused_with_what_it_was_started_with(option: str) -> None:
    words = TUNE[option]
    written = "the players" if option == "player" else words[0]
    said = refusal("tune", *words)
    assert said.startswith(f"--resume continues what was planned: leave out {written}. It was started with game: ")
    assert "players: student; parameters: name=depth, start=2, " in said


def test_an_option_from_the_environment_is_refused_by_the_name_that_it_has_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPIELLEITER_MATCH_SEED", "3")
    assert "leave out --games, SPIELLEITER_MATCH_SEED. " in refusal("match", "--games", "4")
