"""The folder that ``spielleiter export workshop`` writes, and what Python answers on its pages, without a browser."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from spielleiter import games
from spielleiter.errors import SettingsError
from spielleiter.game import ChoiceQuestion, MoveQuestion, Text
from spielleiter.players import BUILT_IN
from spielleiter.puzzles import all_puzzles
from spielleiter.search import engine
from spielleiter.workshop import assets
from spielleiter.workshop.assets import Asset, Assets
from spielleiter.workshop.export.addresses import file_of
from spielleiter.workshop.export.answers import answer
from spielleiter.workshop.export.computer_game import ComputerGame
from spielleiter.workshop.export.pages import PageFile
from spielleiter.workshop.export.site import MANIFEST, export_workshop
from spielleiter.workshop.games import OPPONENTS

KEY = "ostseeschach-2022"
EMPTY = Assets({assets.EDITOR: Asset(b"", "text/javascript", is_gzipped=False)}, "0")
"""Python and the editor are not needed to look at the pages."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "spiele"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "load", lambda: EMPTY)
        export_workshop(folder)
    return folder


def links(page: Path) -> set[str]:
    html = page.read_text(encoding="utf-8")
    return {unescape(found) for found in re.findall(r'\b(?:href|src|action|data-href)="([^"#][^"]*)"', html)}


@pytest.mark.slow
def test_every_link_leads_to_a_file_of_the_folder_from_wherever_it_lies(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 200
    for page in pages:
        for link in links(page):
            parts = urlsplit(link)
            assert not parts.scheme, (page.name, link)
            assert not parts.netloc, (page.name, link)
            assert not link.startswith("/"), (page.name, link)
            assert (page.parent / parts.path).is_file(), (page.name, link)


@pytest.mark.slow
def test_every_script_brings_what_it_imports(site: Path) -> None:
    [shared] = (site / "assets").iterdir()
    for script in shared.glob("*.js"):
        for imported in re.findall(r'from "\./([\w-]+\.js)"', script.read_text(encoding="utf-8")):
            assert (shared / imported).is_file(), (script.name, imported)


@pytest.mark.slow
def test_every_page_has_the_strict_policy_and_only_those_with_python_run_webassembly(site: Path) -> None:
    for page in site.rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', html)
        assert policy.startswith(("default-src &#39;none&#39;", "default-src 'none'")), page.name
        assert "unsafe-inline" not in policy
        assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
        runs = "python-data" in html or page.name == "python.html"
        assert ("wasm-unsafe-eval" in policy) is runs, page.name
        assert not re.search(r"<script(?![^>]*(?:src=|application/json))", html), page.name
        assert not re.search(r"\son\w+=|\sstyle=", re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)), page.name


@pytest.mark.slow
def test_an_older_export_is_replaced_and_nothing_else(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "load", lambda: EMPTY)
    export_workshop(site)
    notes = site / "notes.txt"
    notes.write_text("mine", encoding="utf-8")
    with pytest.raises(SettingsError, match=re.escape("notes.txt is not part of this export")):
        export_workshop(site)
    assert notes.read_text(encoding="utf-8") == "mine"
    notes.unlink()

    def fails(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    before = sorted(site.rglob("*"))
    monkeypatch.setattr(PageFile, "render", fails)
    with pytest.raises(SettingsError, match="cannot be written"):
        export_workshop(site)
    assert sorted(site.rglob("*")) == before
    assert [each.name for each in site.parent.iterdir()] == [site.name]


@pytest.mark.parametrize("manifest", [None, "[]", '{"kind": "other", "files": []}', '{"files": 3}', "\ud800"])
def test_a_folder_of_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifest: str | None
) -> None:
    monkeypatch.setattr(assets, "load", lambda: EMPTY)
    (tmp_path / "index.html").write_text("mine", encoding="utf-8")
    if manifest is not None:
        (tmp_path / MANIFEST).write_bytes(manifest.encode("utf-8", "surrogatepass"))
    with pytest.raises(SettingsError, match="not an export of the workshop"):
        export_workshop(tmp_path)
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "mine"


def test_without_python_for_the_browser_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "load", lambda: None)
    with pytest.raises(SettingsError, match=r"spielleiter\[workshop\]"):
        export_workshop(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_address_that_has_no_file_is_an_error_of_ours() -> None:
    assert file_of("/puzzles/next?stream=all.all&after=x") == "puzzle.html?at=next&stream=all.all&after=x"
    assert file_of("/learn/blokus-2027/3?solution=1") == "learn-blokus-2027-3-solution.html"
    assert file_of("/learn/blokus-2027#s2") == "learn-blokus-2027.html#s2"
    with pytest.raises(LookupError):
        file_of("/watch/live")


# --- what Python answers ----------------------------------------------------------------------------------------------


def play_data(html: str) -> dict[str, Any]:
    found = re.search(r'id="play-data">(.*?)</script>', html)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def updated(address: str, fields: dict[str, str]) -> dict[str, Any]:
    said = answer(address, fields, "en")["json"]
    assert said["ok"], said
    update: dict[str, Any] = said["update"]
    return update


@pytest.mark.parametrize("side", ["0", "1"])
def test_a_game_against_the_computer_is_played_to_its_end(side: str) -> None:
    html = answer(f"/table/computer?game={KEY}&opponent=random&side={side}", None, "en")["html"]
    play = play_data(html)
    assert play["waits"] is (side == "1")
    while True:
        fields = play["position"]
        if play["waits"]:
            update = updated("/table/computer/answer", fields)
        else:
            game = ComputerGame.of(fields)
            state = game.history.state
            move = game.game.notation.format_move(state, state.legal_moves()[-1])
            assert answer("/table/computer/try?" + f"text={move}", {}, "en") is not None
            update = updated("/table/computer/move", {**fields, "text": move})
        play = update["play"]
        if update["moment"]["over"]:
            break
    assert update["moment"]["ending"] in ("won", "lost", "drawn")
    assert "Play again" in update["parts"]["after"]
    assert ComputerGame.of(play["position"]).history.result is not None, "the address alone has the whole game"
    shorter = updated("/table/computer/take-back", play["position"])
    assert shorter["play"]["mine"]
    swapped = updated("/table/computer/swap", play["position"])
    assert swapped["play"]["position"]["side"] == str(1 - int(side))
    stronger = updated("/table/computer/stronger", play["position"])
    assert stronger["play"]["position"]["opponent"] == OPPONENTS[1]
    resigned = updated("/table/computer/resign", swapped["play"]["position"])
    assert "resigns" in resigned["parts"]["status"]


def test_levels_lead_upwards_to_full_strength_and_need_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def above(opponent: str) -> str:
        return str(ComputerGame.of({"game": KEY, "opponent": opponent}).stronger)

    assert [above(f"level{n}") for n in (1, 7, 8)] == [str(BUILT_IN[name]) for name in ("level2", "level8", "expert")]
    assert above("expert") == above(OPPONENTS[-1]) == "None"
    assert ComputerGame.of({"game": KEY, "opponent": "club"}).opponent.name == OPPONENTS[0], "no level"
    monkeypatch.setattr(engine, "why_unavailable", lambda key=None: Text("fehlt", "is missing"))
    fields = play_data(answer(f"/table/computer?game={KEY}&opponent=level3&side=1", None, "en")["html"])["position"]
    refused = answer("/table/computer/answer", fields, "en")["json"]
    assert refused == {"ok": False, "text": "The engine is not loaded here. Choose an opponent in Python."}


def test_every_game_has_a_table() -> None:
    for game in games.seasons():
        html = answer(f"/table/computer?game={game.key}&opponent=greedy", None, "de")["html"]
        play = play_data(html)
        assert play["mine"], game.key
        assert not re.search(r'(?:href|action)="/', html), game.key


@pytest.mark.parametrize(
    "query",
    [
        "game=nothing",
        "position=%00",
        f"game={KEY}&moves=a1-a9",
        f"game={KEY}&moves=" + ";" * 50_000,
        "position=blokus-2027%20" + "9" * 6000,
    ],
)
def test_an_address_that_makes_no_sense_is_a_page_that_says_so(query: str) -> None:
    html = answer(f"/table/computer?{query}", None, "en")["html"]
    assert 'class="card problem"' in html
    assert "play-data" not in html


def test_what_nobody_offers_is_refused() -> None:
    assert "no such page" in answer("/watch", None, "en")["html"]
    assert "no such page" in answer("/table/computer/move", None, "en")["html"]
    assert not answer("/table/computer/hack", {"game": KEY}, "en")["json"]["ok"]
    assert not answer("/table/computer/move", {"game": KEY, "side": "1", "text": "a1-a2"}, "en")["json"]["ok"]
    assert "no such exercise" in answer(f"/learn/{KEY}/999/move", {}, "en")["html"]
    assert "no such puzzle" in answer("/puzzles/0000000000", None, "en")["html"]
    assert "no such difficulty" in answer("/puzzles/next?stream=all.nonsense", None, "en")["html"]


def test_exercises_are_judged_by_the_rules() -> None:
    lesson = games.load(KEY).lesson
    assert lesson is not None
    for number, question in enumerate(lesson().questions, 1):
        if isinstance(question, MoveQuestion):
            fields = {"text": games.load(KEY).notation.format_move(question.state, question.solutions()[0])}
        elif isinstance(question, ChoiceQuestion):
            fields = {"choice": str(question.solution())}
        else:
            continue
        update = updated(f"/learn/{KEY}/{number}/move", fields)
        assert "Right!" in update["parts"]["feedback"]
        assert 'href="/' not in update["parts"]["feedback"]
    assert not answer(f"/learn/{KEY}/1/move", {"text": "?"}, "en")["json"]["ok"]


def test_a_puzzle_is_solved_and_a_wrong_move_is_answered() -> None:
    puzzle = next(each for each in all_puzzles().values() if each.game.key == KEY and each.own_moves == 1)
    fields = {"line": "", "stream": "all.all"}
    line = puzzle.line
    right = line.plies[0].text
    update = updated(f"/puzzles/{puzzle.id}/move", {**fields, "text": right})
    assert update["puzzle"]["progress"] == "solved"
    assert update["puzzle"]["address"].startswith(f"puzzle.html?at={puzzle.id}/")
    others = (puzzle.game.notation.format_move(puzzle.start, move) for move in puzzle.start.legal_moves())
    wrong = next(text for text in others if text != right)
    refuted = updated(f"/puzzles/{puzzle.id}/move", {**fields, "text": wrong})
    refuted = refuted.get("reply") or refuted
    assert refuted["puzzle"]["progress"] in ("wrong", "open")
    for page in (f"/puzzles/{puzzle.id}/solution/0", "/puzzles/daily", "/puzzles/next?stream=all.hard"):
        html = answer(page, None, "de")["html"]
        assert 'id="puzzle-data"' in html
        assert not re.search(r'(?:href|action)="/', html)
