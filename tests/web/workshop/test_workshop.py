"""The workshop in Chromium, with Python running in it: written, run, judged, shared and taken home."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from release import browser_engine
from spielleiter.workshop import assets
from spielleiter.workshop.games import ENGINE_OPPONENTS, OPPONENTS
from tests.support.static_server import WAYS_OUT, counting_server
from tests.support.web_browser import Keep, Open, check_look, check_with_axe, looks
from tests.web.conftest import Site

KEY = "ostseeschach-2022"
TUTORIAL = Path(__file__).parents[3] / "docs" / "tutorial.de.md"


def tutorial_player() -> str:
    """The player of the tutorial, for the quickest of the games."""
    code = re.search(r"```python player\.py\n(.*?)```", TUTORIAL.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    other = code[1].replace("blokus-2027", KEY).replace("games.blokus", "games.ostseeschach")
    return other.replace("DEPTH = 3", "DEPTH = 2")


class Workshop:
    """One visit."""

    def __init__(self, page: Any, site: Site) -> None:
        self.page = page
        self.open(page, site)
        self.wait_for_python()

    @staticmethod
    def open(page: Any, site: Site) -> None:
        page.goto(f"{site.base}/workshop/{KEY}")

    def wait_for_python(self) -> None:
        self.page.locator("#loading").wait_for(state="hidden")

    def write(self, code: str) -> None:
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")  # Else Chromium keeps the look of what it replaces, as an inline style.
        self.page.keyboard.insert_text(code)

    def done(self) -> None:
        self.page.locator("#run:enabled").wait_for()

    def run(self, code: str) -> str:
        """What is said of the code below the editor."""
        self.write(code)
        self.page.locator("#run").click()
        self.done()
        problem = self.page.locator("#problem")
        return problem.inner_text() if problem.is_visible() else ""

    def expect_winner(self, name: str) -> None:
        self.page.locator("#final").click()
        self.page.get_by_text(re.compile(f"{name}.*gewinnt")).first.wait_for()

    def choose(self, *lines: str) -> str:
        """The same for a ``choose`` with these lines."""
        return self.run("def choose(state, seconds):\n" + "".join(f"    {line}\n" for line in lines))


def test_a_player_is_written_run_explained_judged_and_taken_home(
    site: Site, workshop_assets: Path, open_page: Open, keep: Keep, tmp_path: Path
) -> None:
    page = open_page()
    shop = Workshop(page, site)
    tour = page.locator("#tour")
    for _ in range(5):
        tour.get_by_role("button").first.click()
    assert tour.is_hidden()

    # The player with which the page opens plays, and what it prints stands beside its move.
    page.locator("#run").click()
    shop.done()
    page.locator("#final").click()
    page.get_by_text(re.compile("gewinnt|Unentschieden")).first.wait_for()
    page.locator("#first").click()
    page.locator("#forward").click()
    assert "So gut finde ich meinen Zug" in page.locator("#printed").inner_text()

    # Every mistake ends in words at its line, and the page goes on.
    assert "Zeile 2" in shop.choose("return state.legal_moves(")
    assert "immer noch" in shop.choose("while True: pass")
    assert "Zeile 2: Hier ist der Speicher voll" in shop.choose("x = [0] * 10**9", "return x[0]")
    assert "ruft sich immer wieder selbst auf" in shop.choose("return choose(state, seconds)")
    assert "keinen Zug" in shop.choose("state.legal_moves()[0]")
    keep(page, "workshop-mistake")
    # What never comes back to Python is ended by the page, which knows where it was.
    stuck = shop.choose("import itertools", "return sum(itertools.repeat(1))")
    assert "Zeile 3" in stuck
    assert "wurde angehalten" in stuck
    shop.wait_for_python()

    # A program reaches neither the network nor the page.
    for way in (
        "from js import fetch",
        "from js import document",
        "from pyodide.code import run_js; run_js('fetch(\"/\")')",
        f"from urllib.request import urlopen; urlopen('{site.base}/', timeout=1)",
        "from pyodide.http import open_url; open_url('/')",
    ):
        assert "Zeile 2" in shop.choose(way, "return state.legal_moves()[0]"), way

    # The player of the tutorial beats greedy, as the ladder judges.
    assert shop.run(tutorial_player()) == ""
    rung = page.locator('#ladder [data-task="greedy"]')
    rung.get_by_role("button", name="Prüfen").click()
    shop.done()
    assert "✓" in rung.inner_text()

    # What it would do somewhere, kept as a test.
    page.locator("#first").click()
    page.locator("#think").click()
    page.get_by_text("Dein Spieler spielt").first.wait_for()
    page.locator("#save-test").click()
    page.locator("#run-tests").click()
    shop.done()
    assert "✓" in page.locator("#tests").inner_text()
    for look in looks(page, "computer"):
        check_look(page, look)
        keep(page, f"workshop-{look}")

    # At home it is a program like any other.
    page.locator("#player-name").fill("hugo")
    page.locator("#files summary").click()
    with page.expect_download() as downloading:
        page.locator("#download-zip").click()
    packed = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(packed)
    command = [sys.executable, "-m", "spielleiter", "match", str(packed), "random", "--game", KEY, "--games", "2"]
    played = subprocess.run(
        [*command, "--out", str(tmp_path / "match")], capture_output=True, text=True, check=False, timeout=240
    )
    assert played.returncode == 0, played.stdout + played.stderr
    results = (tmp_path / "match" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(results) == 2
    assert all("hugo" in line and '"fault":"' not in line.replace(" ", "") for line in results)


def test_a_level_on_the_engine_plays_in_the_page_which_loads_it_then(
    site: Site, workshop_assets: Path, open_page: Open, keep: Keep
) -> None:
    if not browser_engine.is_current(workshop_assets):
        pytest.skip("the engine was not built for the browser from the present sources: make workshop")
    page = open_page()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[1]))
    shop = Workshop(page, site)
    page.locator("#tour-end").click()
    assert assets.SOURCES in loaded
    assert assets.ENGINE not in loaded
    page.locator("#opponent").select_option("level8")
    assert shop.choose("return state.legal_moves()[0]") == ""
    shop.expect_winner("Stufe 8")
    # A worker that had to be ended gets it again, without another download.
    assert "wurde angehalten" in shop.choose("import itertools", "return sum(itertools.repeat(1))")
    page.locator("#opponent").select_option("club")
    assert shop.choose("return state.legal_moves()[0]") == ""
    shop.expect_winner("club")
    assert loaded.count(assets.ENGINE) == 1
    check_with_axe(page)
    keep(page, "workshop-engine")


def test_where_the_engine_cannot_be_loaded_that_is_said_and_the_page_goes_on(
    site: Site, workshop_assets: Path, open_page: Open
) -> None:
    if not browser_engine.is_current(workshop_assets):
        pytest.skip("the engine was not built for the browser from the present sources: make workshop")
    page = open_page()
    page.route(f"**/{assets.ENGINE}", lambda route: route.fulfill(status=200, body="nothing"))
    shop = Workshop(page, site)
    page.locator("#tour-end").click()
    page.locator("#opponent").select_option("expert")
    assert "Die Engine lässt sich hier nicht laden" in shop.choose("return state.legal_moves()[0]")
    page.locator("#opponent").select_option("random")
    assert shop.choose("return state.legal_moves()[0]") == ""


def test_a_link_brings_code_that_is_shown_before_it_runs_and_one_s_own_stays(
    site: Site, workshop_assets: Path, open_page: Open, keep: Keep
) -> None:
    page = open_page(820, 1180)
    shop = Workshop(page, site)
    page.locator("#tour-end").click()
    shop.write("# meins\n")
    page.locator("#files summary").click()
    page.locator("#share").click()
    link = page.locator("#share-result input").input_value()
    assert "#code=" in link
    shop.write("# später\n")
    page.goto("about:blank")
    page.goto(link)
    page.locator("#shared").wait_for()
    assert page.locator(".cm-content").inner_text().strip() == "# meins"
    assert page.locator("#moves li").count() == 0
    check_with_axe(page)
    keep(page, "workshop-shared")
    page.locator("#drop-shared").click()
    assert page.locator(".cm-content").inner_text().strip() == "# später"
    assert "#code" not in page.url
    page.goto("about:blank")
    page.goto(f"{link}%%")
    page.get_by_text("Dieser Link ist beschädigt oder zu lang.").wait_for()
    assert page.locator(".cm-content").inner_text().strip() == "# später"


@pytest.mark.slow
def test_only_the_workshop_may_run_webassembly_and_its_worker_reaches_nothing(
    site: Site, workshop_assets: Path
) -> None:
    with httpx.Client(base_url=site.base) as client:
        page = client.get(f"/workshop/{KEY}")
        policy = page.headers["content-security-policy"]
        assert "'wasm-unsafe-eval'" in policy
        assert "'unsafe-inline'" not in policy
        [nonce] = re.findall("'nonce-(.+?)'", policy)
        assert nonce in page.text
        assert nonce not in client.get(f"/workshop/{KEY}").text
        assert "wasm" not in client.get("/learn").headers["content-security-policy"]
        [worker] = re.findall(r'"worker": "(.+?)"', page.text)
        assert client.get(worker).headers["content-security-policy"] == (
            f"default-src 'none'; script-src {site.base.removeprefix('http://')}/workshop/files/ 'wasm-unsafe-eval'"
        )
        [files] = re.findall(r'"files": "(.+?)"', page.text)
        for name in (*assets.PYTHON, assets.EDITOR, assets.SOURCES, "LICENSES.txt"):
            answer = client.get(files + name)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]
        assert client.get("/workshop/files/older/editor.js").status_code == 404
        assert client.get(f"{files}..%2f..%2fetc").status_code == 404


@pytest.mark.parametrize("kind", ["module", "classic"])
def test_the_policy_alone_keeps_a_worker_from_the_network(
    site: Site, workshop_assets: Path, open_page: Open, kind: str
) -> None:
    """A worker that has lost none of its ways out, behind the headers of the real one, and one without them."""
    page, worker = open_page(), "/workshop-worker.js"
    shown = httpx.get(f"{site.base}/workshop/{KEY}")
    [address] = re.findall(r'"worker": "(.+?)"', shown.text)
    strict = {"/": dict(shown.headers), worker: dict(httpx.get(site.base + address).headers)}
    with counting_server() as (target, asked):
        script = WAYS_OUT.format(target=target)
        free = {"content-type": "text/javascript"}
        with counting_server({worker: (free, script)}) as (base, _):
            page.goto(base)
            found = ways_found(page, worker, kind)
            assert [found[way] for way in ("fetch", "ours")] == ["open"] * 2
            assert {"/post", "/xhr", "/websocket", "/eventsource", "/import.js"} <= set(asked)
            assert ("/importScripts.js" in asked) is (kind == "classic")
        asked.clear()
        kept = ("content-type", "content-security-policy", "cross-origin-opener-policy")
        answers = {path: {name: headers[name] for name in kept if name in headers} for path, headers in strict.items()}
        with counting_server({"/": (answers["/"], ""), worker: (answers[worker], script)}) as (base, ours):
            page.goto(base)
            found = ways_found(page, worker, kind)
            assert "open" not in found.values(), found
            assert asked == []
            assert set(ours) <= {"/", worker, "/favicon.ico"}
    page.complaints.clear()  # The browser says what it has refused.


def ways_found(page: Any, address: str, kind: str) -> dict[str, str]:
    """What a worker says of its ways out."""
    found: dict[str, str] = page.evaluate(
        """([address, type]) => new Promise((resolve, reject) => {
            const worker = new Worker(address, { type });
            worker.onmessage = ({ data }) => resolve(data);
            worker.onerror = (event) => reject(new Error(event.message));
        })""",
        [address, kind],
    )
    return found


def test_without_its_files_the_page_says_how_to_get_them(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "find_folder", lambda: None)
    page = httpx.get(f"{site.base}/workshop/{KEY}").text
    assert "spielleiter[workshop]" in page
    assert "make workshop" in page
    assert "<script" not in page


def test_without_the_engine_its_players_are_not_offered(site: Site, workshop_assets: Path, tmp_path: Path) -> None:
    def opponents() -> list[str]:
        page = httpx.get(f"{site.base}/workshop/{KEY}", headers={"accept-language": "de"}).text
        return re.findall(r'<option value="(\w+)">gegen', page)

    folder = tmp_path / "assets"
    shutil.copytree(workshop_assets, folder)
    (folder / f"{assets.ENGINE}.gz").write_bytes(gzip.compress(b"the engine"))
    (folder / assets.ENGINE_HASH).write_text(sha256(b"the engine").hexdigest())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "find_folder", lambda: folder)
        assert opponents() == [*OPPONENTS, *ENGINE_OPPONENTS]
    (folder / assets.ENGINE_HASH).write_text(sha256(b"another").hexdigest())
    other = folder.rename(tmp_path / "other")  # What is loaded of a folder stays.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assets, "find_folder", lambda: other)
        assert opponents() == list(OPPONENTS)


def test_a_game_that_does_not_exist_has_no_workshop(site: Site) -> None:
    assert httpx.get(f"{site.base}/workshop/nothing").status_code == 404
    assert httpx.get(f"{site.base}/workshop").headers["location"].startswith("/workshop/")
