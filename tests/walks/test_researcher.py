"""The researcher: follows docs/rl.md from the first environment to a network that plays, and reads its score."""

from __future__ import annotations

import doctest
import re
import shutil

import pytest

from release.pages import Block, blocks
from tests.support.played import needs_engine
from tests.support.terminal import ROOT, Terminal

pytestmark = needs_engine


def typed(listing: Block) -> str:
    """What somebody types at the prompt of Python; an empty line ends a block."""
    examples = doctest.DocTestParser().get_examples(listing.text)
    return "".join(each.source + "\n" * (each.source.count("\n") > 1) for each in examples)


def test_the_page_leads_from_an_environment_to_a_trained_player(terminal: Terminal, load: str, nightly: bool) -> None:
    pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    page = blocks(ROOT / "docs" / "rl.md")

    (terminal.folder / "typed.py").write_text(typed(next(block for block in page if block.kind == "pycon")))
    assert terminal.run("python -i -q < typed.py 2> /dev/null").split() == ["True"], "a whole game was played"

    # The page says that the rest belongs to the repository: so that is where the researcher is.
    shutil.copytree(ROOT / "examples", terminal.folder / "examples")
    [short] = [block for block in page if "test_researcher" in (block.not_run or "")]
    train, match = short.commands
    if nightly:
        train = train.replace("--minutes 0.05", "--minutes 1")

    trained = terminal.run(train)
    rounds = re.findall(
        r"^ *\d+\.\d min \( *\d+\.\d CPU\), +(\d+) games, losses \d\.\d+ \d\.\d+$", trained, re.MULTILINE
    )
    assert rounds, trained
    assert [int(games) for games in rounds] == [16 * number for number in range(1, len(rounds) + 1)]
    measured = re.search(r"^(\d+)% of the points against random$", trained, re.MULTILINE)
    assert measured, trained

    played = terminal.run(match)
    # Points, and nothing in the last column, which is for faults: a busy machine makes nobody late.
    (net, random) = re.findall(r"^ (?:net|random) +(\S+)/4 .* \d+\.\d+ s +$", played, re.MULTILINE)
    assert float(net) + float(random) == 4
    assert re.search(r"^(net got \S+ of 4 points|\w+ is stronger than)", played, re.MULTILINE), played
    # Two measured games and these four: it wins 19 of 20 games against random.
    assert int(measured[1]) / 100 * 2 + float(net) > 3, trained + played
    assert (terminal.folder / "trained" / "report.html").is_file()
    if load == "busy":
        assert re.search(r"This machine was busy \(pressure \d+ %\): the times are not to be trusted", played)
