"""``spielleiter replay`` as a person or a script uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spielleiter import games
from spielleiter.cli.app import app
from spielleiter.errors import RecordError
from spielleiter.game import Team, Text
from spielleiter.game.note import PlayerNote
from spielleiter.records.load import open_any
from spielleiter.referee import NotesTaken
from tests.cli.test_cli import spielleiter as in_a_process
from tests.support.played import needs_engine
from tests.support.records_stage import Stage, lines_of, write_lines

GAME = games.load("piranhas-2026")


@pytest.fixture(autouse=True)
def _close_writers() -> Iterator[None]:
    yield
    while Stage.opened:
        Stage.opened.pop().writer.close()


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [*map(str, arguments)], env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C.UTF-8"})


# --- show -------------------------------------------------------------------------------------------------------------


def test_show_gives_programs_the_position_the_moves_and_the_end_as_json(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(4, hints=lambda ply: ("depth 7",) if ply == 2 else ())
    path = stage.end("late")
    shown = run("replay", "show", path, "--ply", "2", "--json")
    assert shown.exit_code == 0
    game = json.loads(shown.output)
    record = open_any(path)
    assert (game["game"], game["ply"], game["players"]) == (GAME.key, 2, ["Ada", "Bö"])
    assert game["position"] == GAME.notation.format_state(record.states[2])
    assert [(move["ply"], move["team"], move["move"]) for move in game["moves"]] == [
        (move.ply, move.team.name, move.text) for move in record.moves
    ]
    assert game["moves"][2]["hints"] == ["depth 7"]
    assert game["moves"][0]["seconds"] == record.moves[0].seconds
    assert record.result is not None
    assert set(game["result"]["teams"]["ONE"]["scores"]) == {part.name for part in GAME.scores}
    assert game["result"]["teams"]["TWO"]["cause"] == record.result.teams[1].cause.value
    assert "moves" not in json.loads(run("replay", "show", path, "--json", "--no-moves").output)


def test_show_draws_the_last_position_and_lists_the_moves_with_their_times(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(4, hints=lambda ply: ("[bold]tiefe 7",) if ply == 2 else ())
    path = stage.end("late")
    shown = run("replay", "show", path)
    assert shown.exit_code == 0
    assert "Ada (Red) – Bö (Blue), 2026-11-15 20:30:00 UTC" in shown.output
    assert GAME.notation.format_state(stage.state) in shown.output
    for line in lines_of(path)[1:-1]:
        assert re.search(
            rf"{line['ply']}\s+{line['turn']}\s+{'Red' if line['team'] == 'ONE' else 'Blue'}\s+{line['move']}\s"
            rf".*{line['took']:.6f}",
            shown.output,
        )
    assert "[bold]tiefe 7" in shown.output
    assert "Ada (Red): too slow, victory points 0" in shown.output
    assert "a reason" in shown.output


def test_show_puts_notes_and_output_beside_their_moves(tmp_path: Path) -> None:
    stage = Stage(tmp_path, GAME).play(1)
    notes = (PlayerNote(text="[bold]best", values=(("B4", 0.83),), chance=0.6),)
    problem = Text("kein Feld", "not a cell of this game: z9")
    stage.follow(NotesTaken("room-1", Team.ONE, 0, notes, problem, "[red]printed\nin two lines"))
    path = stage.play(1).end("left")
    shown = run("replay", "show", path, "--ply", "1").output
    assert "[bold]best | B4: 0.83 | 60 % | (not a cell of this game: z9)" in " ".join(shown.split())  # Of any width.
    assert "Ada (Red) printed for this move:\n  [red]printed\n  in two lines\n" in shown
    assert "printed" not in run("replay", "show", path, "--ply", "2").output


def test_show_draws_the_position_after_so_many_moves(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(4).end("left")
    states = open_any(path).states
    for ply, state in enumerate(states):
        shown = run("replay", "show", path, "--ply", str(ply), "--no-moves")
        assert GAME.notation.format_state(state) in shown.output
        assert "elapsed" not in shown.output


def test_show_fits_into_a_narrow_terminal(tmp_path: Path) -> None:
    path = Stage(tmp_path, games.load("blokus-2027")).play(9, hints=lambda _: ("a long hint " * 5,)).end("late")
    shown = CliRunner().invoke(app, ["replay", "show", str(path)], env={"NO_COLOR": "1", "COLUMNS": "80"})
    lines = lines_of(path)
    assert shown.exit_code == 0
    for line in lines[1:-1]:
        assert f"{line['took']:.6f}" in shown.output
    assert re.search(r"\bply\s+turn\s+colour\s+move\b", shown.output)


def test_show_says_that_a_game_is_unfinished_in_both_languages(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(2).path
    assert "Unfinished" in run("replay", "show", path).output
    assert "Unvollendet" in run("--lang", "de", "replay", "show", path).output


def test_show_lets_no_name_play_with_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b[2J\x1b]0;owned\x07\u202eoli"
    path = Stage(tmp_path, GAME, names=(evil, "[red]x")).play(3, hints=lambda _: (evil,)).end("left")
    shown = run("replay", "show", path)
    assert shown.exit_code == 0
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown.output)
    assert "[red]x" in shown.output


# --- verify -----------------------------------------------------------------------------------------------------------


def test_verify_is_content_with_true_records(tmp_path: Path) -> None:
    for number, ending in enumerate(("regular", "late", "left")):
        Stage(tmp_path / str(number), GAME).play(5).end(ending)
    result = run("replay", "verify", tmp_path)
    assert result.exit_code == 0, result.output
    assert re.fullmatch(r"3 games, \d+ plies: all is well\.\n", result.output)
    assert "alles stimmt" in run("--lang", "de", "replay", "verify", tmp_path).output


def test_verify_names_every_finding_and_fails(tmp_path: Path) -> None:
    good = Stage(tmp_path / "good", GAME).play(5).end("left")
    bad = Stage(tmp_path / "bad", GAME).play(5).end("left")
    lines = lines_of(bad)
    lines[2]["turn"] = 7
    lines[-1]["winner"] = None
    write_lines(bad, lines)
    result = run("replay", "verify", good, bad)
    assert result.exit_code == 1
    assert f"{bad}: wrong turn (1): turn 7, by the rules 1\n" in result.output
    assert f"{bad}: wrong winner: -, demanded is ONE\n" in result.output
    assert str(good) not in result.output
    assert "2 games, 10 plies: something is wrong in 1: 1× wrong turn, 1× wrong winner." in result.output


def test_verify_speaks_json(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(5).path
    result = run("replay", "verify", "--json", path)
    assert result.exit_code == 1
    data = json.loads(result.output)
    assert data["summary"] == {
        "records": 1, "sound": 0, "plies": 5, "games": {GAME.key: 1}, "findings": {"UNFINISHED": 1},
    }  # fmt: skip
    assert data["records"][0]["file"] == str(path)
    assert data["records"][0]["findings"] == [{"kind": "UNFINISHED", "ply": None, "text": "breaks off after 5 plies"}]
    assert run("replay", "verify", "--unfinished", path).exit_code == 0


# --- analyse ----------------------------------------------------------------------------------------------------------


@needs_engine
def test_analyse_prints_the_curve_and_what_each_side_lost(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(10).end("left")
    shown = run("--lang", "en", "replay", "analyse", path, "--nodes", "300")
    assert shown.exit_code == 0
    assert "Winning chance of Ada (Red):" in shown.output
    assert re.search("^[▁▂▃▄▅▆▇█]{11}$", shown.output, re.MULTILINE)
    assert len(re.findall("percentage points of winning chance and .* expected points per move", shown.output)) == 2


@needs_engine
def test_analyse_says_that_a_record_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    lines = Stage(tmp_path, GAME).play(4).end("left").read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    shown = run("--lang", "en", "replay", "analyse", path, "--nodes", "100")
    assert "Unfinished: the record breaks off here." in shown.output
    assert not json.loads(run("replay", "analyse", path, "--nodes", "100", "--json").output)["finished"]


@needs_engine
def test_analyse_gives_programs_every_move_as_json(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(6).end("left")
    found = json.loads(run("replay", "analyse", path, "--nodes", "300", "--json").output)
    assert len(found["chances"]) == 7
    assert [move["ply"] for move in found["moves"]] == [1, 2, 3, 4, 5, 6]
    assert found["teams"]["ONE"]["moves"] == sum(found["teams"]["ONE"]["classes"].values()) == 3
    assert 0 <= found["teams"]["TWO"]["accuracy"] <= 100
    classes = {"best", "good", "inaccuracy", "mistake", "blunder", "no_difference"}
    assert {move["class"] for move in found["moves"]} <= classes == set(found["teams"]["TWO"]["classes"])
    assert isinstance(found["slides"], list)
    assert found["names"] == ["Ada", "Bö"]
    assert found["finished"]


# --- convert ----------------------------------------------------------------------------------------------------------


def test_convert_goes_there_and_back(tmp_path: Path) -> None:
    path = Stage(tmp_path, GAME).play(6).end("left")
    packed, back, copy = tmp_path / "game.xml.gz", tmp_path / "back.jsonl", tmp_path / "copy.jsonl.gz"
    assert run("replay", "convert", path, packed).exit_code == 0
    assert run("replay", "convert", packed, back, "--rules", "document").exit_code == 0
    assert run("replay", "convert", path, copy).exit_code == 0
    assert open_any(back).states == open_any(path).states
    assert open_any(back).game_key == GAME.key
    assert open_any(copy) == open_any(path)


def test_many_games_go_into_one_text_and_back(tmp_path: Path) -> None:
    before = [Stage(tmp_path / "some", GAME, seed=seed, game_id=f"g{seed}").play(6).end("left") for seed in (1, 2)]
    assert run("replay", "convert", tmp_path / "some", tmp_path / "all.txt").exit_code == 0
    assert run("replay", "convert", tmp_path / "all.txt", tmp_path / "again").exit_code == 0
    after = sorted((tmp_path / "again").iterdir())
    assert sorted(open_any(path).id for path in after) == ["g1", "g2"]
    assert [open_any(path).states for path in after] == [open_any(path).states for path in before]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "{record}", "--ply", "9"), "there is no ply 9, the record has 3"),
        (("show", "{nonsense}"), "nonsense.jsonl:1: damaged"),
        (("convert", "{record}", "{folder}/game.pgn"), "must end in .jsonl, .xml"),
        (("convert", "{record}", "{record}"), "cannot be written: File exists"),
        (("convert", "{nonsense}", "{folder}/x.xml"), "nonsense.jsonl:1: damaged"),
        (("verify", "{empty}"), "no record in this folder"),
    ],
)
def test_wrong_input_is_explained_in_one_line(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    record = Stage(tmp_path, GAME).play(3).end("left")
    nonsense, empty = tmp_path / "nonsense.jsonl", tmp_path / "empty"
    nonsense.write_text("hello\nworld\n")
    empty.mkdir()
    filled = [text.format(record=record, nonsense=nonsense, empty=empty, folder=tmp_path) for text in arguments]
    result = run("replay", *filled)
    assert isinstance(result.exception, RecordError)
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)


@pytest.mark.slow
def test_a_damaged_record_is_one_line_and_exit_code_two(tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense.jsonl"
    nonsense.write_text("hello\nworld\n")
    result = in_a_process("replay", "show", nonsense)
    assert result.returncode == 2
    assert result.stderr.startswith(f"spielleiter: {nonsense}:1: damaged")
    assert len(result.stderr.splitlines()) == 1


def test_a_missing_file_is_explained() -> None:
    for command in ("show", "verify"):
        result = run("replay", command, "nowhere.jsonl")
        assert result.exit_code != 0
