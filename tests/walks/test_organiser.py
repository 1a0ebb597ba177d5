"""The organiser: a season from an empty folder to the podium, with draws, a killed run and a protest."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
from playwright.sync_api import expect

from tests.support.terminal import Terminal
from tests.support.web_browser import Open

PASSWORD = "a good long password"
RANKED_BY = "Ranked by wins, then average fish in the largest shoal."


def edit(text: str) -> str:
    """The example as the organiser wants it: one group of four, a quick game, and players who draw now and then."""
    text = re.sub(r"(?ms)^\[(trial|champions_league)\].*?(?=^\[)", "", text)
    head, *teams = text.split("[[teams]]")
    for old, new in (
        ('game = "blokus-2027"', 'game = "piranhas-2019"'),
        ("seed = 2027", "seed = 3"),
        ("time = 1.0", "time = 10"),
        ("in_process = false", "in_process = true"),
        ("qualify = 4", "qualify = 2"),
    ):
        assert old in head
        head = head.replace(old, new)
    for number, team in enumerate(teams[:4], 1):
        head += "[[teams]]" + re.sub('player = ".*"', f'player = "random:seed={number}"', team)
    return head


def table(page: Any) -> list[dict[str, str]]:
    """The standings as they are on the page."""
    heads, rows = page.locator("table.standings thead th"), page.locator("table.standings tbody tr")
    names = heads.all_inner_texts()
    return [dict(zip(names, row.locator("th, td").all_inner_texts(), strict=True)) for row in rows.all()]


def test_a_season_from_an_empty_folder_to_the_podium(terminal: Terminal, open_page: Open) -> None:
    assert "season.toml is written" in terminal.run("spielleiter contest init")
    season = terminal.folder / "season.toml"
    season.write_text(edit(season.read_text(encoding="utf-8")), encoding="utf-8")

    # The power fails after a few games. The same command goes on.
    run = terminal.start("exec spielleiter contest run --until championship")
    assert run.stdout is not None
    seen = [run.stdout.readline() for _ in range(4)]
    run.kill()
    assert any("M1-" in line for line in seen), seen
    printed = terminal.run("spielleiter contest run --until championship\nspielleiter contest invite --organiser")
    invitation = re.search(r"/contest/invitation/\S+", printed)
    assert invitation is not None

    # Everybody can see how the table ranks. With draws the order is not that of victory points.
    base = terminal.pages("--season season.toml").rstrip("/")
    page = open_page(locale="en-GB")
    page.goto(f"{base}/season/phase/championship")
    expect(page.get_by_text(RANKED_BY)).to_be_visible()
    rows = table(page)
    assert list(rows[0])[2:4] == ["W", "Ø fish in the largest shoal"]
    wins = [(int(row["W"]), float(row["Ø fish in the largest shoal"])) for row in rows]
    assert wins == sorted(wins, reverse=True)
    points = [2 * int(row["W"]) + int(row["D"]) for row in rows]
    assert points != sorted(points, reverse=True)
    assert all(int(row["W"]) + int(row["D"]) + int(row["L"]) == 6 for row in rows), "killed once, counted once"
    finalists = [row["Team"].splitlines()[0] for row in rows[:2]]

    # A team protests: the organiser annuls a game. It is played again before the final, and everybody reads why.
    page.goto(base + invitation[0])
    page.get_by_label("Name you log in with").fill("olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.goto(f"{base}/contest/organise/rulings")
    page.get_by_label("Encounter or game, like").fill("M1-A1-2")
    page.get_by_label("Reason").first.fill("the mouse was unplugged")
    page.get_by_role("button", name="Annul and play again").click()
    expect(page.get_by_text("M1-A1-2: 1 game will no longer count")).to_be_visible()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page.get_by_text("will be played again").first).to_be_visible()
    page.goto(f"{base}/contest/organise")
    page.get_by_role("button", name="Run the season").click()
    expect(page.get_by_text("The season is over").first).to_be_visible()
    visitor = open_page(locale="en-GB")
    visitor.goto(f"{base}/season/rulings")
    expect(visitor.get_by_text("the mouse was unplugged")).to_be_visible()

    # The best two by wins met in the final; whoever won it is first everywhere.
    visitor.goto(f"{base}/season/phase/championship")
    assert [row["Team"].splitlines()[0] for row in table(visitor)[:2]] == finalists
    visitor.get_by_role("link", name="1:1").first.click()
    expect(visitor.locator(".games .game")).to_have_count(2)
    visitor.goto(f"{base}/season/bracket")
    assert sorted(visitor.locator(".bracket .who").all_inner_texts()) == sorted(finalists)
    winner = visitor.locator(".bracket .winner .who").inner_text().splitlines()[0].removesuffix(" lot")
    expect(visitor.locator(".final-places li").first).to_contain_text(winner)
    visitor.goto(f"{base}/season")
    expect(visitor.locator(".podium .place-1")).to_contain_text(winner)

    printed = terminal.run("spielleiter contest standings\nspielleiter contest verify")
    assert RANKED_BY in printed
    assert printed.index(finalists[0]) < printed.index(finalists[1])
    assert re.search(r"Season proved: \d+ games replayed, 7 encounters and 1 standings", printed)
