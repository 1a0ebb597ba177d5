"""Whatever one command starts, all others start: every kind of player through every entrance, as real processes."""

from __future__ import annotations

import asyncio
import json
import shlex
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

import spielleiter
from spielleiter import games
from spielleiter.cli.app import app
from spielleiter.contest.run.conductor import Conductor
from spielleiter.contest.run.contest import Contest
from spielleiter.contest.run.first_programs import submit_first_programs
from spielleiter.contest.run.programs import submit
from spielleiter.contest.season.model import Stage
from spielleiter.contest.season.next import Until
from spielleiter.contest.store import GameRow
from spielleiter.feeds.live import LiveGames
from spielleiter.game import Team, random_game
from spielleiter.matches.arena import ArenaSettings
from spielleiter.matches.executor import LocalExecutor
from spielleiter.matches.series import play_series
from spielleiter.programs.check import CheckReport, CheckSettings, Mark, check_program
from spielleiter.programs.check.trial import Patience
from spielleiter.programs.entrants import find_source, resolve
from spielleiter.programs.package import collect
from spielleiter.programs.sandbox import Level, choose
from spielleiter.server import GameMaster, MasterSettings
from spielleiter.web.play.seating import Seating, SeatKind
from spielleiter.web.play.tables import Tables
from tests.support.contest_small_season import found, season_text
from tests.support.night import NIGHT, by_day
from tests.support.players import GAME, late_start, short_start
from tests.support.uploads import FORMS, official_kit, upload_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")
KINDS = ("python file", "folder of new", "zip", "official kit", "command", "built-in")
PLAYER = """
from spielleiter.client import play
play(lambda state, seconds: state.legal_moves()[0], game="piranhas-2026")
"""
each_kind = pytest.mark.parametrize("kind", KINDS)
zip_by_day = pytest.mark.parametrize("kind", by_day(KINDS, ["zip"]))
"""There is one launcher: by day every kind enters through one entrance, and one kind through every entrance."""


@pytest.fixture(scope="module")
def players(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A player of each kind, as people type it."""
    folder = tmp_path_factory.mktemp("players")
    file = folder / "plain.py"
    file.write_text(PLAYER)
    with pytest.raises(SystemExit) as ended:
        app(["new", str(folder / "kalle"), "--game", GAME])
    assert ended.value.code == 0
    collect(find_source(str(file))).write(folder / "packed.zip")
    kit = official_kit(folder / "kit.zip", PLAYER)
    texts = (file, folder / "kalle", folder / "packed.zip", kit)
    command = shlex.join([sys.executable, "-u", str(file)])
    return dict(zip(KINDS, (*map(str, texts), command, "random:seed=3"), strict=True))


@pytest.fixture(scope="module")
def level() -> Level:
    return asyncio.run(choose()).level


def checked(player: str, level: Level) -> CheckReport:
    settings = CheckSettings(
        level=level,
        game=games.load(GAME),
        slowdown=1.0,
        patience=Patience(to_join=60.0, to_end=30.0, pause=0.1),
        moves_with_incident=3,
        start=late_start(),
    )
    return asyncio.run(check_program(resolve(player), settings))


@zip_by_day
def test_check_plays_it(kind: str, players: dict[str, str], level: Level) -> None:
    report = checked(players[kind], level)
    assert [found for found in report.findings if found.mark is Mark.BAD] == []
    assert report.passed


@each_kind
def test_match_plays_it(kind: str, players: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "openings.txt").write_text(short_start()[0])
    words = ["match", players[kind], "random", "--games", "2", "--game", GAME, "--json", "--no-report"]
    with pytest.raises(SystemExit) as ended:
        app([*words, "--openings", str(tmp_path / "openings.txt"), "--out", str(tmp_path / "out")])
    assert ended.value.code == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["played"] == 2
    assert [player["faults"] for player in summary["players"]] == [{}, {}]


@pytest.mark.parametrize("kind", by_day(KINDS, ["zip", "built-in"]))
def test_contest_submit_takes_it_in(kind: str, players: dict[str, str], level: Level, tmp_path: Path) -> None:
    async def run(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            program = await submit(contest, "Ada", players[kind], who="Ada", executor=executor)
        assert program.passed, program.report
        assert program.builtin is (kind == "built-in")

    with found(tmp_path, season_text().replace("in_process = true", "")) as contest:
        asyncio.run(run(contest))


@pytest.fixture(scope="module")
def season(players: dict[str, str], level: Level, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contest]:
    """The first matchday of a season in which each team has a player of another kind in its file."""
    teams = KINDS if NIGHT else ("zip", "built-in")
    text = season_text(teams=teams, players=players, final=False).replace("in_process = true", "")

    async def run(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            assert await submit_first_programs(contest, executor) == ()
            with Conductor(contest, until=Until(Stage.CHAMPIONSHIP, 1)) as conductor:
                await play_series(conductor, executor)

    with found(tmp_path_factory.mktemp("season"), text) as contest:
        asyncio.run(run(contest))
        yield contest


@pytest.mark.parametrize("kind", by_day(KINDS, ["zip", "built-in"]))
def test_a_season_file_names_it_and_it_plays(kind: str, season: Contest) -> None:
    with season.store.reading() as session:
        rows = [
            (row.fault_first if row.encounter.first.name == kind else row.fault_second, row.reason_en)
            for row in session.scalars(select(GameRow))
            if kind in (row.encounter.first.name, row.encounter.second.name)
        ]
    assert len(rows) == 2
    assert [fault for fault, _ in rows] == [None, None], rows


@zip_by_day
def test_a_seat_on_the_pages_takes_it(kind: str, players: dict[str, str], tmp_path: Path) -> None:
    game = games.load(GAME)

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            live = LiveGames(master)
            tables = Tables(live)
            seats = (Seating(SeatKind.PROGRAM, "mine", players[kind]), Seating(SeatKind.BUILT_IN, "random", "random"))
            try:
                table = await tables.open(game, seats, game.notation.parse_state(short_start()[0]))
                assert table.room is not None
                async with asyncio.timeout(60):
                    ended = await table.room.ended
                assert ended.offence is None, ended.offence
            finally:
                await tables.close_all()
                live.close()

    asyncio.run(run())


# --- the organisers' kits, and what their documents tell teams to upload, in the current season ----------------------


each_form = pytest.mark.parametrize(
    "form", by_day(FORMS, [form for form in FORMS if form not in ("a JAR in a ZIP", "Rust")])
)
form_by_day = pytest.mark.parametrize("form", by_day(FORMS, ["C++"]))
"""One form through every entrance, the upload page among them, and every form through one."""


@pytest.fixture
def uploaded(form: str, tmp_path: Path) -> str:
    name, data = upload_of(form)
    (tmp_path / name).write_bytes(data)
    return str(tmp_path / name)


@cache
def end_of_blokus() -> Any:
    """A position of the current season some moves before the end."""
    state = games.load(games.CURRENT_SEASON).new_state(Random(1))
    return list(random_game(state, Random(1)))[-6]


@form_by_day
def test_check_plays_what_teams_upload(form: str, uploaded: str, level: Level) -> None:
    patience = Patience(to_join=60.0, to_end=30.0, pause=0.1)
    settings = CheckSettings(level=level, slowdown=1.0, patience=patience, moves_with_incident=3, start=end_of_blokus())
    report = asyncio.run(check_program(resolve(uploaded), settings))
    assert report.game.key == games.CURRENT_SEASON
    assert report.passed, [(found.title.en, found.detail.en, found.failure.en) for found in report.findings]


@each_form
def test_match_plays_what_teams_upload(
    form: str, uploaded: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opening = tmp_path / "openings.txt"
    opening.write_text(games.load(games.CURRENT_SEASON).notation.format_state(end_of_blokus()))
    words = ["match", uploaded, "random", "--games", "2", "--json", "--no-report", "--openings", str(opening)]
    with pytest.raises(SystemExit) as ended:
        app([*words, "--out", str(tmp_path / "out")])
    assert ended.value.code == 0
    assert [player["faults"] for player in json.loads(capsys.readouterr().out)["players"]] == [{}, {}]


@form_by_day
def test_contest_submit_takes_in_what_teams_upload(form: str, uploaded: str, level: Level, tmp_path: Path) -> None:
    async def run(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            program = await submit(contest, "Ada", uploaded, who="Ada", executor=executor)
        assert program.passed, program.report

    text = season_text().replace("in_process = true", "").replace(GAME, games.CURRENT_SEASON)
    with found(tmp_path, text) as contest:
        asyncio.run(run(contest))


# --- what fails says why, with the same words everywhere --------------------------------------------------------------

NO_ANSWER = 'from spielleiter.client import play\nplay(lambda state, seconds: None, game="piranhas-2026")\n'
SOURCES = Path(spielleiter.__file__).parent.parent
FAILURES = {
    "an exception": (
        {"player.py": "import json\n\n\ndef book():\n    return json.loads('')\n\n\nbook()\n"},
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) (player.py, line 5)",
    ),
    "a returned None": (
        {"player.py": NO_ANSWER},
        "player.py: choose() returned None; it must be a move, such as one of state.legal_moves()"
        " (is a return missing?)",
    ),
    "a signal": (
        {"start.sh": "#!/bin/sh\necho reading the book >&2\nkill -SEGV $$\n"},
        "access to invalid memory (SIGSEGV); reading the book",
    ),
    "Windows line ends": ({"start.sh": "#!/bin/sh\r\n./player\r\n"}, "start.sh: the lines end in CR LF (Windows)"),
}
each_failure = pytest.mark.parametrize("kind", FAILURES)
exception_by_day = pytest.mark.parametrize("kind", by_day(FAILURES, ["an exception"]))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folder of a player that fails in each way."""
    folders = {}
    for kind, (files, _) in FAILURES.items():
        folder = tmp_path_factory.mktemp("broken")
        for name, text in files.items():
            (folder / name).write_bytes(text.encode())
            (folder / name).chmod(0o755)
        folders[kind] = str(folder)
    return folders


@pytest.mark.parametrize("kind", by_day(FAILURES, ["a returned None", "Windows line ends"]))
def test_check_says_why_it_fails(kind: str, broken: dict[str, str], level: Level) -> None:
    report = checked(broken[kind], level)
    [cross] = [found for found in report.findings if found.mark is Mark.BAD and found.trial]
    _, expected = FAILURES[kind]
    # What a player of the kit has told the referee is not said twice.
    assert cross.failure.en == expected or expected.removeprefix("player.py: ") in cross.detail.en
    [trial] = [trial for trial in report.trials if trial.plan.name == cross.trial]
    assert trial.side.failure.en == expected
    assert trial.log


@each_failure
def test_match_says_why_it_fails(
    kind: str, broken: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["match", broken[kind], "random", "--name", "broken", "--games", "2", "--game", GAME, "--json"]
    with pytest.raises(SystemExit) as ended:
        app([*words, "--no-report", "--out", str(tmp_path / "out")])
    summary = json.loads(capsys.readouterr().out)
    assert ended.value.code == summary["exit_code"] == (4 if kind == "a returned None" else 3)
    [player] = [player for player in summary["players"] if player["name"] == "broken"]
    [failure] = player["failures"]
    assert (failure["text"]["en"], failure["games"]) == (FAILURES[kind][1], 2)
    assert (tmp_path / "out" / failure["log"]).is_file()


@exception_by_day
def test_contest_submit_says_why_it_fails(kind: str, broken: dict[str, str], level: Level, tmp_path: Path) -> None:
    archive = tmp_path / "broken.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        for path in Path(broken[kind]).iterdir():
            writer.write(path, path.name)
        if "start.sh" not in writer.namelist():
            starter = zipfile.ZipInfo("start.sh")
            starter.external_attr = 0o755 << 16
            writer.writestr(starter, f'#!/bin/sh\nPYTHONPATH={SOURCES} exec {sys.executable} player.py "$@"\n')

    async def run(contest: Contest) -> None:
        async with LocalExecutor(ArenaSettings(level=level), concurrency=1) as executor:
            program = await submit(contest, "Ada", str(archive), who="Ada", executor=executor)
        [cross] = [finding for finding in program.report["findings"] if finding["trial"]]
        assert cross["failure"]["en"] == FAILURES[kind][1]
        assert program.report["games"][0]["log"]

    with found(tmp_path, season_text().replace("in_process = true", "")) as contest:
        asyncio.run(run(contest))


@exception_by_day
def test_a_seat_on_the_pages_says_why_it_fails(kind: str, broken: dict[str, str]) -> None:
    game = games.load(GAME)

    async def run() -> None:
        async with GameMaster(MasterSettings(port=0)) as master:
            live = LiveGames(master)
            tables = Tables(live)
            seats = (Seating(SeatKind.PROGRAM, "mine", broken[kind]), Seating(SeatKind.BUILT_IN, "random", "random"))
            try:
                table = await tables.open(game, seats, game.notation.parse_state(short_start()[0]))
                program = table.programs[Team.ONE]
                async with asyncio.timeout(60):
                    await program.stop(30)
                assert program.failure is not None
                assert program.failure.en == FAILURES[kind][1]
            finally:
                await tables.close_all()
                live.close()

    asyncio.run(run())
