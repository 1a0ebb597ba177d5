"""The site without a server: whole, well formed, in both languages, harmless whatever people call themselves."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from spielleiter.contest.read.reader import SeasonReader, read_snapshot, reading
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.season.model import Stage
from spielleiter.errors import ContestError
from spielleiter.game import Look
from spielleiter.pages.season.site import fill_site
from spielleiter.pages.season.views import standings_of
from tests.support.page_seasons import HOSTILE, NICE, SECRET, found, season_text
from tests.support.season_site import write_site
from tests.support.volumes import unpack

pytestmark = pytest.mark.slow

VOID = {"meta", "link", "img", "input", "br"}


class Page(HTMLParser):
    """What a page consists of, read as strictly as a browser never would."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.open: list[str] = []
        self.problems: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.title = ""
        self.lang = ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        by_name = dict(attrs)
        if len(by_name) != len(attrs):
            self.problems.append(f"an attribute twice in <{tag}>")
        self.attributes.update(by_name)
        self.links += [value for name in ("href", "src") if (value := by_name.get(name)) is not None]
        self.ids += [value for name, value in attrs if name == "id" and value is not None]
        if tag == "html":
            self.lang = by_name.get("lang") or ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> closes {self.open[-3:]}")
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] == "title" and "svg" not in self.open:
            self.title += data


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path) for path in sorted(site.rglob("*.html"))}


def test_there_is_a_page_for_everything_in_both_languages(played: Contest, site: Path) -> None:
    with reading(played) as reader:
        snapshot, games = reader.snapshot(), reader.games()
    wanted = {"index", "schedule", "bracket", "teams", "rating", "rulings", "news"}
    wanted |= {f"phase-{stage}" for stage in ("trial", "championship", "champions-league")}
    wanted |= {f"team-{id_}" for id_ in snapshot.teams} | {f"day-{day.id}" for day in snapshot.days}
    wanted |= {f"encounter-{each.id}" for each in snapshot.encounters} | {f"game-{game.id}" for game in games}
    for language in ("de", "en"):
        assert {path.stem for path in (site / language).glob("*.html")} == wanted
    assert (site / "index.html").is_file()


def test_every_link_leads_to_a_file_of_the_site(site: Path, pages: dict[str, Page]) -> None:
    missing = []
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            assert not parts.scheme, f"{name}: {link}"
            assert not parts.netloc, f"{name}: {link}"
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            inside = target.is_file() and target.is_relative_to(site.resolve())
            if not inside or (parts.fragment and parts.fragment not in page.ids):
                missing.append((name, link))
    assert missing == []


def test_every_page_can_be_reached_from_the_start(site: Path, pages: dict[str, Page]) -> None:
    seen, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for link in pages[name].links:
            target = (site / name).parent / urlsplit(link).path
            if target.suffix == ".html":
                waiting.append(target.resolve().relative_to(site.resolve()).as_posix())
    assert seen == set(pages)


def test_every_page_is_well_formed(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert page.problems == [], name
        assert page.title.strip(), name
        assert len(page.ids) == len(set(page.ids)), name
        if "/" in name:
            assert page.lang == name[:2]
            assert "main" in page.tags


def test_names_are_text_and_nothing_else(pages: dict[str, Page], site: Path) -> None:
    for name, page in pages.items():
        text = page.path.read_text(encoding="utf-8")
        assert "<script>" not in text, name
        assert "Schule <b>" not in text
        assert "<i>2027</i>" not in text
        assert not page.attributes & {"onerror", "onclick", "style"}, name
        assert "{{" not in text.replace("{{ 7 * 7 }}", ""), name
    for each in HOSTILE:
        assert each in pages["de/teams.html"].text
    assert "49" not in pages["de/teams.html"].title
    names = [path.name for path in site.rglob("*")]
    assert all(re.fullmatch(r"[a-z0-9-]+(\.[a-z]+)?", name) for name in names)


def test_nothing_private_gets_out(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert SECRET not in text
        assert "secret-" not in text


def test_no_page_needs_a_network(site: Path) -> None:
    for path in site.rglob("*"):
        if path.suffix in (".html", ".css"):
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"https?://|//cdn|@import|url\(", text), path


def test_rare_events_are_shown(pages: dict[str, Page]) -> None:
    rulings = pages["en/rulings.html"].text
    assert "The power failed" in rulings
    assert "7/lot/<u>" in rulings
    all_text = "".join(page.text for name, page in pages.items() if name.startswith("de/encounter-"))
    assert "annulliert" in all_text
    assert "ungültiger Zug" in all_text
    assert "disqualifiziert" in all_text
    assert "das Feld ist besetzt" in all_text


def test_the_table_has_every_column(pages: dict[str, Page], played: Contest) -> None:
    text = pages["en/phase-championship.html"].path.read_text(encoding="utf-8")
    for column in ("Rank", "Team", "Games won", "Encounters", "Games drawn", "Games lost", "Elo"):
        assert column in text
    assert "Ø size of the shoal" in text
    table = read_snapshot(played).standings
    for (stage, _), ranked in table.items():
        page = pages[f"en/phase-{stage.value}.html"].text
        for row in ranked.rows:
            assert row.totals.average is not None
            assert row.team in page
            assert f"{float(row.totals.average):.1f}"[:2] in page


def test_every_table_says_how_it_ranks_and_begins_with_the_criteria(pages: dict[str, Page], halfway: Contest) -> None:
    for name in ("en/phase-championship.html", "en/phase-champions-league.html", "en/index.html"):
        text = pages[name].path.read_text(encoding="utf-8")
        tables = text.split('<table class="standings')[1:]
        assert tables
        for table in tables:
            assert "Ranked by wins, then average size of the shoal." in table
            assert re.findall(r'<th scope="col".*?title="([^"]*)"', table)[1:3] == [
                "Games won",
                "Average: size of the shoal",
            ]
    view = standings_of(read_snapshot(halfway), Stage.CHAMPIONSHIP, "A")
    assert view.ranked_by.de == "Reihenfolge: Begegnungspunkte, dann Siegpunkte."
    assert view.columns(brief=True) == ("encounter_points", "victory_points")


def test_a_resting_team_is_shown(pages: dict[str, Page]) -> None:
    resting = [page for name, page in pages.items() if name.startswith("de/day-") and "Spielfrei" in page.text]
    assert len(resting) >= 5


def test_the_way_from_day_to_day_says_when_it_leads_to_another_phase(pages: dict[str, Page]) -> None:
    assert "Meisterschaft, Spieltag 1 →" in pages["de/day-1.html"].text
    second, third = pages["en/day-2.html"].text, pages["en/day-3.html"].text
    assert "← Trial days, matchday 1" in second
    assert "Matchday 2 →" in second
    assert "Championship, matchday 2" not in second
    assert "← Matchday 1" in third


def test_the_volumes_hold_the_pictures_of_every_game(site: Path, played: Contest) -> None:
    with reading(played) as reader:
        games = {game.id: game for game in reader.games()}
    game = played.season.load_game()
    seen = set()
    for path in (site / "assets" / "games").iterdir():
        script = r'document\.dispatchEvent\(new CustomEvent\("volume", \{ detail: "([A-Za-z0-9+/=]+)" \}\)\);\n'
        data = re.fullmatch(script, path.read_text(encoding="ascii"))
        assert data is not None
        for key, unpacked in unpack(data[1]).items():
            id_, pictures = int(key), unpacked["pictures"]
            seen.add(id_)
            assert len(pictures) == games[id_].plies + 1
            last = game.draw(game.notation.parse_state(games[id_].final), Look(last_move=False))
            assert pictures[-1].count("<g ") == last.count("<g ")
            assert pictures[0].startswith("<svg")
            assert pictures[0].endswith("</svg>")
    assert seen == set(games)


def test_a_game_page_is_small(site: Path) -> None:
    for path in (site / "de").glob("game-*.html"):
        assert path.stat().st_size < 16_000


def test_a_folder_with_something_in_it_is_refused(played: Contest, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(ContestError, match="not empty"):
        write_site(played, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_cannot_be_made_is_a_clear_message(played: Contest, tmp_path: Path) -> None:
    with pytest.raises(ContestError, match="cannot be written"):
        write_site(played, tmp_path / "missing" / "site")


def test_a_half_written_site_never_has_its_name(
    played: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("spielleiter.pages.season.site.pack", fail)
    with pytest.raises(ContestError, match="No space left"):
        write_site(played, tmp_path / "site")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("state", ["halfway", "fresh"])
def test_a_season_that_is_not_over_has_its_pages_too(
    state: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if state == "halfway":
        contest: Contest = request.getfixturevalue("halfway")
        write_site(contest, tmp_path / "site")
        text = Page(tmp_path / "site" / "de" / "phase-championship.html").text
        assert "BP" in text
        assert "Spieltag 3" in Page(tmp_path / "site" / "de" / "index.html").text
    else:
        with found(tmp_path / "season", season_text(NICE)) as contest:
            write_site(contest, tmp_path / "site")
        assert "Noch ist kein Spiel gespielt" in Page(tmp_path / "site" / "de" / "rating.html").text
    for path in (tmp_path / "site").rglob("*.html"):
        assert Page(path).problems == [], path


def test_a_damaged_record_costs_its_replay_and_not_the_site(played: Contest, tmp_path: Path) -> None:
    from spielleiter.contest.store import GameFilesRow

    with played.store.transaction() as session:
        file = session.get_one(GameFilesRow, 1)
        whole, file.record = file.record, b"damaged"
        session.flush()
        reader = SeasonReader(session, played.season)
        fill_site(reader, reader.snapshot(), tmp_path)
        file.record = whole
    page = Page(tmp_path / "de" / "game-1.html")
    assert page.problems == []
    assert "Runde 30" in page.text
