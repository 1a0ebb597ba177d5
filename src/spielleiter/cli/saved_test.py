"""A position as a test beside the player: it fails as long as the player does there what it does now."""

from __future__ import annotations

import ast
import hashlib
from datetime import date
from pathlib import Path
from typing import Any

from spielleiter.cli.own_player import is_built_in, python_file
from spielleiter.cli.terminal import word
from spielleiter.errors import WRITE, ProgramError, SettingsError, refusing
from spielleiter.game import AnyGame
from spielleiter.programs.python_imports import parse
from spielleiter.text import printable

_HEADER = '''\
"""{about}"""

import unittest

from {module} import {name}
from spielleiter import games
from spielleiter.client import ask
'''
_TEST = '''

class Position{id}(unittest.TestCase):
    """{day}: {why}"""

    def test_{what}(self):
        game, state = games.parse_position({position!r})
'''
_ANSWERS = """\
        ask({player}, state)  # a legal move in time, or an error
"""
_ANOTHER = """\
        bad = game.notation.parse_move(state, {move!r})
        self.assertNotEqual(state.play(ask({player}, state)), state.play(bad))
"""


def check_testable(player: str) -> None:
    """Raise ``SettingsError`` or ``ProgramError`` if no test can be written for this player."""
    _player_in(_file(player))


def save_test(player: str, game: AnyGame, state: Any, move: Any, why: str) -> tuple[Path, bool]:
    """Write the test, and say where, and whether it is new: another move than ``move``; without one, any legal move.

    Raises ``SettingsError`` or ``ProgramError``.
    """
    file = _file(player)
    name, expression = _player_in(file)
    position = game.notation.format_state(state)
    written = None if move is None else game.notation.format_move(state, move)
    id_ = hashlib.sha256(f"{position} {written}".encode()).hexdigest()[:8]
    # Inside of a docstring and of a line.
    said = printable(why).replace("\\", "/").replace('"', "'").replace("\n", " ")[:200]
    test = _TEST.format(
        id=id_,
        day=date.today().isoformat(),
        why=said if written is None else word(f"nicht {written}", f"not {written}"),
        what="it_answers" if written is None else "it_plays_another_move",
        position=position,
    )
    test += (_ANSWERS if written is None else _ANOTHER).format(player=expression, move=written)
    target = file.with_name("test_positions.py" if file.stem == "player" else f"test_{file.stem}_positions.py")
    with refusing(SettingsError, target, WRITE):
        there = target.read_text(encoding="utf-8") if target.exists() else ""
        if f"class Position{id_}(" in there:
            return target, False
        about = word(
            "Stellungen, in denen mein Spieler falsch lag: spielleiter ask SPIELER STELLUNG --save-test",
            "Positions in which my player went wrong: spielleiter ask PLAYER POSITION --save-test",
        )
        begin = there.rstrip("\n") + "\n" if there else _HEADER.format(about=about, module=file.stem, name=name)
        target.write_text(begin + test, encoding="utf-8", newline="\n")
    return target, True


def _file(player: str) -> Path:
    file = None if is_built_in(player) else python_file(Path(player))
    if file is None or not file.is_file() or not file.stem.isidentifier():
        raise SettingsError(
            f"--save-test schreibt einen Test neben einen Spieler in Python, eine Datei oder einen Ordner: {player}",
            f"--save-test writes a test beside a player in Python, a file or a folder: {player}",
        )
    return file


def _player_in(file: Path) -> tuple[str, str]:
    """The name to import from a player's file, and the expression that makes the player: what ``play`` is given."""
    for node in ast.walk(parse(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "play" and node.args:
            match node.args[0]:
                case ast.Name(id=name):
                    return name, name
                case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
                    return name, f"{name}()"
    raise ProgramError(
        f"{file}: am Ende fehlt play(MyPlayer()) oder play(choose), woran ein Test den Spieler erkennt.",
        f"{file}: a test finds the player by play(MyPlayer()) or play(choose) at the end, which is missing",
    )
