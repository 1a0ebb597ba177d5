"""What a start.sh says without being started: from which folder it wants to run, and that what it starts is missing."""

from __future__ import annotations

import pytest

from spielleiter.programs.sandbox import ProgramFile
from spielleiter.programs.start_script import lint_start_script, runs_from_above, with_folders
from tests.support.uploads import KIT_START

BESIDE = with_folders(("start.sh", "logic.py", "bot", "data/book.txt", "dependencies/kit.whl", "lib/kit/__init__.py"))


@pytest.mark.parametrize(
    ("script", "above"),
    [
        (KIT_START, True),
        ('exec python3 ./my_player/logic.py "$@"', True),
        ("python3 'my_player/logic.py' \"$@\"", True),
        ('cd my_player && exec python3 logic.py "$@"', True),
        ("PYTHONPATH=./my_player/lib python3 -m kit.main", True),
        ('exec python3 logic.py "$@"', False),
        ("# python3 ./my_player/logic.py\nexec ./bot", False),
        ('cd "$(dirname "$0")" || exit 1\nexec python3 logic.py "$@"', False),
        ('cd "$(dirname "$0")/.." && exec python3 ./my_player/logic.py', False),
        ('cd "$(dirname "${BASH_SOURCE[0]}")"; ./bot --book data/book.txt', False),
        ("cd $SOMEWHERE; python3 ./my_player/logic.py", False),
        ("echo I am my_player; exec python3 -m logic", False),
        ("exec python3 ./other/logic.py", False),
        ("", False),
        ("\0\xff", False),
    ],
)
def test_a_script_is_run_from_where_more_of_its_paths_exist(script: str, above: bool) -> None:
    assert runs_from_above(script.encode(), "my_player", BESIDE.__contains__) is above


@pytest.mark.parametrize(
    ("script", "missing"),
    [
        ("python3 ./my_player/logic.py", "./my_player/logic.py"),
        ('export A=./cache\nexec ./my_player/bot "$@"', "./my_player/bot"),
        ("python3 logic.py", ""),
        ("g++ -o player ./data/book.txt && exec ./player", ""),
        ("mkdir -p ./logs; exec python3 -m somewhere 2> ./logs/errors.py", ""),
        ("exec node", ""),
        ("cd $SOMEWHERE; python3 ./x.py", ""),
    ],
)
def test_a_script_that_starts_nothing_that_is_there_is_reported(script: str, missing: str) -> None:
    file = ProgramFile("start.sh", b"#!/bin/sh\n" + script.encode(), executable=True)
    found = [what.en for what, _ in lint_start_script(file, BESIDE)]
    assert [what for what in found if f"starts {missing}, which is not there" in what] == (found if missing else [])
    assert bool(found) is bool(missing)
    assert lint_start_script(file) == [], "without its files nothing is known of them"
