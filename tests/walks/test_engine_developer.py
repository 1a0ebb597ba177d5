"""The engine developer: has mended a player, and asks an SPRT whether it is stronger; the power fails in between."""

from __future__ import annotations

import re

from tests.support.terminal import Terminal

GAME_LINE = re.compile(r"^\d+ (1v2-\d+[ab]): (\w+) (1-0|0-1|½-½) (\w+) \((.*?)\)", re.MULTILINE)


def test_a_test_that_was_killed_goes_on_to_the_same_verdict(terminal: Terminal, load: str, nightly: bool) -> None:
    # Two versions: the old one takes the worst move instead of the best.
    terminal.run(
        "spielleiter new hugo --game ostseeschach-2022\n"
        "cp -r hugo old\n"
        "sed -i 's/return max(/return min(/' old/player.py"
    )
    sprt = "0,100" if nightly else "0,400"
    running = terminal.start(f"exec spielleiter match hugo old --game ostseeschach-2022 --sprt {sprt} --out test")
    assert running.stdout is not None
    seen = ""
    while len(GAME_LINE.findall(seen)) < 3:
        line = running.stdout.readline()
        assert line, seen
        seen += line
    running.kill()
    seen += running.communicate()[0]
    before = GAME_LINE.findall(seen)

    # The developer does not remember every option, and learns that this is another match.
    refused = terminal.run("spielleiter match --resume test --seed 3 --sprt 0,5", status=2)
    assert "leave out --sprt, --seed." in refused
    assert "players: hugo, old; " in refused
    assert f"sprt: {sprt.replace(',', ', ')}, 0.05, 0.05, logistic; " in refused

    resumed = terminal.run("spielleiter match --resume test")
    after = GAME_LINE.findall(resumed)
    games = {game for game, *_ in before + after}
    assert len(games) == len(before) + len(after), "a game was played twice"
    for _, one, result, two, reason in before + after:
        assert {one, two} == {"hugo", "old"}
        # A busy machine decides nothing: all end by the rules, and hugo wins on either side.
        assert result == ("1-0" if one == "hugo" else "0-1"), reason
        assert reason in (
            "two pieces of amber reached, and more than the opponent",
            "more pieces of amber after 30 rounds",
        ), reason

    decided = re.search(r"^Decided after (\d+) pairs: hugo is stronger than old;", resumed, re.MULTILINE)
    assert decided, resumed
    total = 2 * int(decided[1])
    assert len(games) in (total, total - 1), "a game may have ended between its last line and the power cut"
    assert f"hugo has won all {total} games" in resumed
    # Points, and nothing in the last column, which is for faults.
    assert re.search(rf"^ hugo +{total}/{total} .* \d+\.\d+ +$", resumed, re.MULTILINE), resumed
    assert re.search(rf"^ old +0/{total} .* \d+\.\d+ +$", resumed, re.MULTILINE), resumed
    if load == "busy":
        assert re.search(r"This machine was busy \(pressure \d+ %\): the times are not to be trusted", resumed)

    # All is known and stored: once more changes nothing.
    assert not GAME_LINE.findall(again := terminal.run("spielleiter match --resume test --no-report"))
    assert decided[0] in again
