"""The pages of the laboratory without a browser: hostile forms, what goes wrong in a test, and what guests may not."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.lab.queue import LabQueue, QueueState, WantedTest
from spielleiter.matches.plan import RESULTS
from spielleiter.matches.play_settings import PlaySettings
from spielleiter.matches.results import LineFile
from spielleiter.rating.sprt import Sprt
from spielleiter.server import MasterSettings
from spielleiter.web.guard import COOKIE, Keys
from spielleiter.web.lab.form import DEFAULTS
from spielleiter.web.lab.laboratory import LabSettings
from spielleiter.web.server import WebSettings
from tests.support.waiting import wait_until
from tests.web.conftest import Site, serve_site

pytestmark = pytest.mark.slow

QUICK = WantedTest(versions=("greedy", "random"), game="piranhas-2026", pairs=1, in_process=True)
ENDLESS = replace(QUICK, sprt=Sprt(-800, 800, 1e-300, 1e-300), pairs=None)
FORM = {**DEFAULTS, "new": "greedy", "old": "random", "game": "piranhas-2026", "kind": "pairs", "pairs": "1"}
PLAYER = Path(__file__).parents[3] / "examples" / "tournament.py"
PATIENCE = 120.0


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    return tmp_path / "lab"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """One laboratory for all forms that are refused."""
    lab, records = tmp_path_factory.mktemp("lab"), tmp_path_factory.mktemp("records")
    master = MasterSettings(port=0, records=records)
    for site in serve_site(WebSettings(port=0, master=master, laboratory=LabSettings(folder=lab)), records):
        with httpx.Client(base_url=site.base, headers={"accept-language": "en"}) as client:
            yield client, lab


@pytest.fixture
def client(serve: Callable[..., Site], lab: Path) -> Iterator[Any]:
    site = serve(laboratory=LabSettings(folder=lab))
    with httpx.Client(base_url=site.base, headers={"accept-language": "en"}) as client:
        client.site = site
        yield client


def until(lab: Path, number: int, state: QueueState) -> Any:
    """The test as soon as its file says so."""

    def reached() -> Any:
        test = LabQueue(lab).get(number)
        return test if test is not None and test.state is state else None

    return wait_until(reached, PATIENCE)


def grown(results: Path, lines: int) -> None:
    """Wait until so many games are played."""
    wait_until(lambda: results.exists() and len(results.read_text().splitlines()) >= lines, PATIENCE)


def seen(client: Any, path: str, text: str) -> None:
    """Wait until a page says so."""
    wait_until(lambda: text in client.get(path).text, PATIENCE)


def said(answer: Any) -> str:
    found = re.search(r'id="problem">([^<]*)<', answer.text)
    assert found is not None, answer.text[:3000]
    return found[1]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"new": ""}, "Name the new version"),
        ({"old": "x" * 500}, "Name the old version"),
        ({"new": "a\x00b"}, "Name the new version"),
        ({"new": "no-such-player"}, "There is no player &#39;no-such-player&#39;"),
        ({"new": "."}, "there is no start.sh in it"),
        ({"old": "greedy"}, "Both sides are the same version"),
        ({"game": "chess"}, "chess"),
        ({"kind": "sprt", "elo0": "10", "elo1": "0"}, "An SPRT needs elo0 &lt; elo1, not 10 and 0"),
        ({"kind": "sprt", "elo1": "nan"}, "Elo of H1: expected a number"),
        ({"kind": "sprt", "elo1": ""}, "Elo of H1: expected a number"),
        ({"kind": "sprt", "alpha": "0.9", "beta": "0.9"}, "make no test"),
        ({"kind": "sprt", "model": "bayes"}, "A model is logistic or normalised"),
        ({"pairs": ""}, "How many pairs"),
        ({"pairs": "-3"}, "Pairs of games: expected a number"),
        ({"pairs": "0"}, "1 to 1000000 pairs"),
        ({"pairs": "9" * 300}, "a number"),
        ({"seconds": "0"}, "between 0.01 and 3600"),
        ({"concurrency": "0"}, "1 to 1000 games at once"),
        ({"cores": "900-901"}, "no such processor cores here: 900, 901"),
        ({"cores": "one"}, "takes numbers of cores"),
        ({"random_moves": "61"}, "At most 60"),
        ({"openings": "/etc/passwd"}, "/etc/passwd"),
        ({"openings": "/no/such/file"}, "No such file"),
        ({"in_process": "1", "new": str(PLAYER)}, "built-in players"),
    ],
)
def test_what_makes_no_sense_is_said_above_the_form(
    shared: tuple[Any, Path], changes: dict[str, str], problem: str
) -> None:
    client, lab = shared
    answer = client.post("/lab/tests", data=FORM | changes)
    assert answer.status_code == 409
    assert problem in said(answer)
    assert not LabQueue(lab).tests
    if "note" not in changes:
        assert 'name="pairs" value="' in answer.text, "the form is as it was"


def test_uploads_are_bounded_and_named_by_their_authors(shared: tuple[Any, Path]) -> None:
    client, lab = shared
    for name, data, problem in (
        ("<b>.exe", b"MZ", "&lt;b&gt;.exe: upload a ZIP"),
        ("Hugo.zip", b"no zip", "Hugo.zip: not a readable ZIP file: File is not a zip file"),
    ):
        answer = client.post("/lab/tests", data=FORM, files={"new_zip": (name, data)})
        assert problem in said(answer), name
    assert not LabQueue(lab).tests
    assert client.post("/lab/tests", content=b"\xff" * 1000).status_code == 409
    answer = client.post("/lab/tests", data=FORM, headers={"origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_addresses_of_nothing_are_not_found(shared: tuple[Any, Path]) -> None:
    client, _ = shared
    for path in ("test/1", "test/1/events", "test/1/report", "test/1/game/x", "player/hugo", "player/%2e%2e"):
        assert client.get(f"/lab/{path}").status_code == 404, path
    assert client.post("/lab/test/1/stop").status_code == 404


def test_a_version_that_does_not_start_ends_its_test_and_the_next_one_is_played(lab: Path, client: Any) -> None:
    player = lab.parent / "broken.py"
    player.write_text("import nonsense\n")
    queue = LabQueue(lab)
    queue.submit(replace(QUICK, versions=(str(player), "random"), pairs=20, in_process=False, seconds=0.5))
    queue.submit(QUICK)
    until(lab, 2, QueueState.FINISHED)
    page = client.get("/lab/test/1").text
    assert "did not start 3 times in a row" in page
    assert "No module named" in page
    assert len((queue.match_folder(1) / RESULTS).read_text().splitlines()) >= 3, "what was played is kept"

    # Its files are gone meanwhile.
    for path in (lab / "versions").glob("*/*"):
        path.unlink()
    assert client.post("/lab/test/1/resume").status_code == 303
    seen(client, "/lab/test/1", "There is no player &#39;")
    client.post("/lab/test/2/resume")
    assert until(lab, 2, QueueState.FINISHED).ended, "a test that is finished stays so"


def test_a_match_that_is_played_elsewhere_is_left_alone(lab: Path, client: Any) -> None:
    queue = LabQueue(lab)
    queue.submit(ENDLESS)
    results = queue.match_folder(1) / RESULTS
    grown(results, 1)
    client.post("/lab/test/1/stop")
    other = LineFile(results)
    client.post("/lab/test/1/resume")
    seen(client, "/lab/test/1", "another match is writing here")
    other.close()
    had = len(results.read_text().splitlines())
    client.post("/lab/test/1/resume")
    grown(results, had + 1)
    client.post("/lab/test/1/stop")


def test_a_full_disk_is_said_and_the_queue_goes_on(lab: Path, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    laboratory = client.site.web_app.laboratory
    LabQueue(lab).submit(ENDLESS)
    results = LabQueue(lab).match_folder(1) / RESULTS
    grown(results, 1)
    write, full = os.write, str(results)

    def write_until_full(file: int, data: bytes) -> int:
        if os.readlink(f"/proc/self/fd/{file}") == full:
            raise OSError(28, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(os, "write", write_until_full)
    until(lab, 1, QueueState.FAILED)
    played = len(results.read_text().splitlines())
    page = client.get("/lab").text
    assert "No space left on device" in page
    LabQueue(lab).submit(QUICK)
    until(lab, 2, QueueState.FINISHED)

    monkeypatch.setattr(os, "write", write)
    assert client.post("/lab/test/1/resume").status_code == 303
    grown(results, played + 1)
    client.post("/lab/test/1/stop")
    rows = client.site.do(lambda: laboratory.findings(laboratory.queue.get(1)).rows)
    assert len(rows) > played
    assert len({row.id for row in rows}) == len(rows)


def test_guests_watch_and_the_host_alone_acts(serve: Callable[..., Site], lab: Path) -> None:
    site = serve(laboratory=LabSettings(folder=lab, play=PlaySettings()), keys=Keys("host-key", "guest-key"))
    LabQueue(lab).submit(QUICK)
    until(lab, 1, QueueState.FINISHED)
    with httpx.Client(base_url=site.base, headers={"accept-language": "de"}) as guest:
        guest.cookies.set(COOKIE, "guest-key")
        page = guest.get("/lab").text
        assert "Bisherige Tests" in page
        assert "<form" not in page
        assert str(lab) not in page
        assert guest.get("/lab/test/1").status_code == 200
        assert guest.get("/lab/player/greedy").status_code == 200
        game = guest.get("/lab/test/1/game/1v2-00001a")
        assert game.status_code == 303
        assert guest.get(game.headers["location"]).status_code == 200
        report = guest.get("/lab/test/1/report")
        assert report.headers["content-disposition"].startswith("attachment")
        assert "greedy" in report.text
        for path in ("tests", "test/1/stop", "test/1/resume", "test/1/up"):
            assert guest.post(f"/lab/{path}", data=FORM).status_code == 403
    assert len(LabQueue(lab).tests) == 1


def test_pages_without_a_laboratory_say_how_to_start_one(site: Site) -> None:
    answer = httpx.get(f"{site.base}/lab", headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert "spielleiter lab serve FOLDER" in answer.text
