"""Games by their keys, typed for editors: ``python -m tests.games.test_load`` writes the stub of ``load``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

import spielleiter
from spielleiter import games
from spielleiter.game import AnyGame
from spielleiter.games import all_games, load, plugin_of, state_shapes
from spielleiter.programs.entrants import game_folder
from tests.cli.test_cli import spielleiter as spielleiter_command

ROOT = Path(__file__).parents[2]
STUB = Path(spielleiter.__file__).parent / "games" / "_load.pyi"
FOLDERS = sorted({game_folder(game) for game in all_games().values()})
FILES = ["first.py", "player.py", "typed.py", *(f"{folder}_player.py" for folder in FOLDERS)]
each_game = pytest.mark.parametrize("game", all_games().values(), ids=str)


def stub() -> str:
    """``load`` with an overload for the keys of each game's folder."""
    ours = [game for game in all_games().values() if plugin_of(game) is None]
    ours.sort(key=lambda game: (game_folder(game), game.key))
    folders = {folder: [game.key for game in found] for folder, found in groupby(ours, key=game_folder)}
    overloads = ""
    for folder, keys in folders.items():
        literal = ", ".join(f'"{key}"' for key in keys)
        overloads += f"@overload\ndef load(\n    key: Literal[{literal}],\n"
        overloads += f") -> Game[{folder}.State, {folder}.Move]: ...\n"
    return (
        "# Made from the games found: python -m tests.games.test_load\n"
        "from typing import Literal, overload\n\n"
        "from spielleiter.game import AnyGame, Game\n"
        f"from spielleiter.games import {', '.join(folders)}\n\n"
        f"{overloads}@overload\ndef load(key: str) -> AnyGame: ...\n"
    )


def test_the_stub_knows_every_game() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run python -m tests.games.test_load"


TYPED = """\
from random import Random
from typing import assert_type

from spielleiter import games
from spielleiter.game import Game
from spielleiter.games import blokus, piranhas

game = games.load("blokus-2027")
assert_type(game, Game[blokus.State, blokus.Move])
assert_type(game.new_state(Random(1)).kinds_left(blokus.Color.RED), tuple[blokus.Shape, ...])
assert_type(games.load("piranhas-2026-official"), Game[piranhas.State, piranhas.Move])
game.new_state(Random(1)).play("B PASS")  # type: ignore[arg-type]
"""


@pytest.mark.slow
def test_editors_know_games_and_players_of_template_and_tutorial(tmp_path: Path) -> None:
    (tmp_path / "typed.py").write_text(TYPED, encoding="utf-8")
    tutorial = (ROOT / "docs" / "tutorial.en.md").read_text(encoding="utf-8")
    for name, listing in re.findall(r"^```python (\S+)\n(.*?)^```$", tutorial, re.MULTILINE | re.DOTALL):
        (tmp_path / name).write_text(listing, encoding="utf-8")
    for folder in FOLDERS:
        key = next(key for key, game in all_games().items() if game_folder(game) == folder)
        assert spielleiter_command("new", tmp_path / folder, "--game", key).returncode == 0
        (tmp_path / folder / "player.py").rename(tmp_path / f"{folder}_player.py")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--allow-untyped-defs", "--cache-dir", str(tmp_path), *FILES],
        cwd=tmp_path, env={**os.environ, "MYPYPATH": str(STUB.parents[2])}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert checked.stdout.startswith(f"Success: no issues found in {len(FILES)} source files"), checked.stdout


@each_game
def test_a_wrong_type_gets_an_error_that_helps(game: AnyGame) -> None:
    state = game.new_state(Random(1))
    with pytest.raises(TypeError, match=r"expected a move of this game, got 'A4-C4': game.notation.parse_move"):
        state.play("A4-C4")
    with pytest.raises(TypeError, match=r"got None: see legal_moves\(\)"):
        state.play(None)
    with pytest.raises(TypeError, match=r"got a State: see legal_moves\(\)"):
        state.play(state)
    with pytest.raises(TypeError, match=r"parse_move\(state, text\), got a State as text"):
        game.notation.parse_move("A4-C4", state)
    with pytest.raises(TypeError, match=r"expected a random generator, new_state\(Random\(7\)\), got 7"):
        game.new_state(7)  # type: ignore[arg-type]


def test_a_game_is_loaded_by_its_key() -> None:
    with pytest.raises(TypeError, match=r"expected the key of a game, such as 'blokus-2027', got a int"):
        load(2027)  # type: ignore[call-overload]


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")


def test_a_player_of_the_season_imports_no_other_game() -> None:
    code = """
        import sys
        from random import Random
        from spielleiter import games
        from spielleiter.wire.framing import parse_element
        game = games.load(games.CURRENT_SEASON)
        state = game.codec.state_writer(("", ""))(game.new_state(Random(1)), ())
        assert games.recognise(parse_element(state)) is game
        print(*sorted({name.split(".")[2] for name in sys.modules if name.startswith("spielleiter.games.")}))
    """
    found = subprocess.run(
        [sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert set(found) & {path.name for path in STUB.parent.iterdir() if path.is_dir()} == {
        game_folder(load(games.CURRENT_SEASON))
    }


def test_no_season_is_so_like_the_present_one_that_the_first_look_could_be_wrong() -> None:
    present = load(games.CURRENT_SEASON)
    for key, shape in state_shapes().items():
        if load(key).wire_name != present.wire_name:
            assert games._likeness(shape, state_shapes()[present.key]) < 1 - 2 * (1 - games._CERTAIN)
