"""Games and players of other packages: found by entry points, refused with a word, seen in the sandbox and on pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from spielleiter import games, players, plugins
from spielleiter.cli.new_game import NewGame
from spielleiter.errors import PluginWarning, UnknownPlayer
from spielleiter.players import registry
from spielleiter.wire.framing import parse_element
from tests.support.next_season import play_at_a_table
from tests.support.terminal import ROOT, Terminal
from tests.support.web_browser import Open
from tests.support.wheels import install

Write = Callable[..., Path]
GAME = """
from dataclasses import replace
from spielleiter import games
GAMES = (replace(games.load("piranhas-2026"), {changes}),)
"""
NEW = 'key="schafe-2031", year=2031, wire_name="swc_2031_schafe"'
"""What makes it another game."""


def write_package(folder: Path, name: str, code: str, **points: str) -> None:
    """A module with the metadata of its package, as an installer writes it."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    text = "".join(f"[spielleiter.{group}]\n{point}\n" for group, point in points.items())
    (metadata / "entry_points.txt").write_text(text, encoding="utf-8")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes packages that this process finds until the end of the test."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)

    def write(name: str, code: str, **points: str) -> Path:
        write_package(folder, name, code, **points)
        _forget()
        return folder

    yield write
    monkeypatch.undo()
    for module in set(sys.modules) - before:
        if (getattr(sys.modules[module], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[module]
    _forget()


def _forget() -> None:
    games.all_games.cache_clear()
    games.state_shapes.cache_clear()
    registry._plugin_players.cache_clear()


def left_out(find: Callable[[], object]) -> str:
    """The one thing that is said while ``find`` looks, in English; the German is another text."""
    with pytest.warns(PluginWarning) as said:
        find()
    [problem] = [str(each.message) for each in said]
    assert isinstance(said[0].message, PluginWarning)
    assert said[0].message.text.de != problem
    assert "\n" not in problem
    return problem


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_game_of_another_package_is_one_of_all(package: Write) -> None:
    package("schafe", GAME.format(changes=NEW), games="schafe = schafe:GAMES")
    game = games.load("schafe-2031")
    assert game in games.all_games().values()
    assert list(games.all_games()) == sorted(games.all_games())
    assert games.package_of(game) == "schafe"
    found = games.plugin_of(game)
    assert found is not None
    assert (found.name, found.package) == ("schafe", "schafe")
    assert games.plugin_of(games.load("piranhas-2026")) is None


BROKEN = {
    "missing package": ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
    "exit": ("import sys; sys.exit('goodbye')", "SystemExit: goodbye"),
    "syntax": ("def", "SyntaxError: "),
    "no such name": ("", "AttributeError: "),
    "many lines": ("raise ValueError('a\\nb')", "ValueError: a b"),
    "long": ("raise ValueError('x' * 5000)", "..."),
    "not a game": ("GAMES = (5,)", "schafe:GAMES is neither a Game nor a tuple of them"),
    "key taken": (GAME.format(changes=""), "there is a game piranhas-2026 already"),
    "wire taken": (
        GAME.format(changes='key="schafe-2026"'),
        "'swc_2026_piranhas' is already the name of piranhas-2026",
    ),
    "family taken": (GAME.format(changes=NEW.replace('"schafe', '"piranhas')), "piranhas belongs to piranhas-20"),
    "year": (GAME.format(changes=NEW.replace("schafe-2031", "schafe-2030")), "the key 'schafe-2030' is not a name"),
    "letters": (GAME.format(changes=NEW.replace("schafe-2031", "Schafe 2-2031")), "the key 'Schafe 2-2031' is not"),
    "start": (GAME.format(changes=f"{NEW}, new_state=lambda rng: 1 / 0"), "ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_game_is_named_and_left_out(case: str, package: Write) -> None:
    code, reason = BROKEN[case]
    known = set(games.all_games())
    package("schafe", code, games="schafe = schafe:GAMES")
    problem = left_out(games.all_games)
    assert problem.startswith("game 'schafe' of the package schafe is left out: ")
    assert reason in problem
    assert len(problem) < 300
    assert set(games.all_games()) == known
    assert games.state_shapes().keys() == known


def test_of_two_packages_with_the_same_game_the_second_is_left_out(package: Write) -> None:
    package("first", GAME.format(changes=NEW), games="schafe = first:GAMES")
    package("second", GAME.format(changes=NEW), games="schafe = second:GAMES")
    assert "of the package second is left out: there is a game schafe-2031 already" in left_out(games.all_games)
    assert games.package_of(games.load("schafe-2031")) == "first"


def test_states_of_ours_are_not_taken_for_those_of_another_package(package: Write) -> None:
    package("aale", GAME.format(changes=NEW.replace("schafe", "aale")), games="aale = aale:GAMES")
    game = games.load("piranhas-2026")
    written = game.codec.state_writer(("Ada", "Bob"))(game.new_state(Random(1)), ())
    assert games.recognise(parse_element(written)) is game
    assert "aale-2031" in games.state_shapes()


def test_damaged_entry_points_are_named(package: Write) -> None:
    package("schafe", "", games="this is not a line of it")
    assert left_out(games.all_games).startswith("the entry points of the package schafe cannot be read: ")


def test_a_package_that_is_there_twice_counts_once(
    package: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "again").mkdir()
    write_package(tmp_path / "again", "schafe", GAME.format(changes=NEW), games="schafe = schafe:GAMES")
    monkeypatch.syspath_prepend(str(tmp_path / "again"))
    package("schafe", GAME.format(changes=NEW), games="schafe = schafe:GAMES")
    assert len([plugin for plugin in plugins.find(plugins.GAMES) if plugin.package == "schafe"]) == 1
    assert "schafe-2031" in games.all_games()


# --- players ----------------------------------------------------------------------------------------------------------

HIRTE = "class Hirte:\n    def choose(self, state, seconds):\n        return state.legal_moves()[0]\n"


def test_a_player_of_another_package_has_a_name_like_ours(package: Write) -> None:
    package("hof", HIRTE, players="hirte = hof:Hirte")
    assert "hirte" in players.BUILT_IN
    assert list(players.BUILT_IN)[-1] == "hirte"
    assert len(players.BUILT_IN) == len(list(players.BUILT_IN))
    assert "hof" in players.BUILT_IN["hirte"].text.en
    state = games.load("piranhas-2026").notation.parse_state(
        "piranhas-2026 1lm1l1s1ls/L1S6L/L4l1l1L/10/2M4L2/S6S2/L5K3/ss1K2sL1M/S6S1L/3l1msll1 13 -"
    )
    assert players.load("hirte").choose(state, 1.0) == state.legal_moves()[0]


def test_a_player_can_have_options_as_ours_have(package: Write) -> None:
    code = f"""{HIRTE}
from spielleiter.players import BuiltIn
from spielleiter.game import Text
def make(options):
    player = Hirte()
    player.depth = options.get("depth", 1)
    return player
PLAYER = BuiltIn("hirte", Text("hütet", "herds"), ("depth",), make)
"""
    package("hof", code, players="hirte = hof:PLAYER")
    assert players.load("hirte:depth=3").depth == 3  # type: ignore[attr-defined]
    assert players.BUILT_IN["hirte"].text.en == "herds"


@pytest.mark.parametrize(
    ("point", "reason"),
    [
        ("random = hof:Hirte", "there is a player of that name already"),
        ("onnx = hof:Hirte", "there is a player of that name already"),
        ("manual = hof:Hirte", "there is a player of that name already"),
        ("./hirte = hof:Hirte", "a name is small letters, digits, - and _"),
        ("hirte = hof:SHEEP", "is neither a BuiltIn of that name nor"),
        ("hirte = hof:Nobody", "AttributeError: "),
    ],
)
def test_a_player_that_cannot_be_one_is_named_and_left_out(point: str, reason: str, package: Write) -> None:
    known = list(players.BUILT_IN)
    package("hof", f"{HIRTE}SHEEP = 5\n", players=point)
    problem = left_out(lambda: list(players.BUILT_IN))
    assert problem.startswith(f"player '{point.split(' = ')[0]}' of the package hof is left out: ")
    assert reason in problem
    assert list(players.BUILT_IN) == known
    if (name := point.split(" = ")[0]) == "hirte":
        with pytest.raises(UnknownPlayer, match="player 'hirte' of the package hof is left out: "):
            players.load(name)


# --- the command line, the sandbox, the pages -------------------------------------------------------------------------


def test_without_plugins_nothing_is_imported_to_look_for_them() -> None:
    code = "from spielleiter import games, players; games.all_games(); 'x' in players.BUILT_IN; import sys; "
    ask = [sys.executable, "-c", code + "print('importlib.metadata' in sys.modules)"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    assert subprocess.run(ask, env=environment, capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        (
            "de",
            "spielleiter: Spiel 'schafe' aus dem Paket schafe fehlt: ModuleNotFoundError: No module named 'nowhere'",
        ),
        ("en", "spielleiter: game 'schafe' of the package schafe is left out: ModuleNotFoundError: No module named"),
    ],
)
def test_a_command_names_what_is_broken_in_one_line_and_goes_on(language: str, line: str, tmp_path: Path) -> None:
    write_package(tmp_path, "schafe", "import nowhere", games="schafe = schafe:GAMES")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(tmp_path)))}
    command = [sys.executable, "-m", "spielleiter", "--lang", language, "games"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0
    assert "piranhas-2026" in ran.stdout
    assert ran.stderr.startswith(line)
    assert ran.stderr.count("\n") == 1


@pytest.fixture(scope="session")
def school(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has installed the game that a school began with ``new-game``, and a player of its own."""
    project = tmp_path_factory.mktemp("school") / "schafe"
    NewGame("schafe", 2031, "Schafe").write_project(project)
    (project / "schafe" / "hirte.py").write_text(HIRTE, encoding="utf-8")
    with (project / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('\n[project.entry-points."spielleiter.players"]\nhirte = "schafe.hirte:Hirte"\n')
    installed = tmp_path_factory.mktemp("installed")
    install(project, installed)
    return installed


@pytest.fixture
def pupil(terminal: Terminal, school: Path) -> Terminal:
    """A terminal in which the school's package is installed."""
    terminal.environment["PYTHONPATH"] = os.pathsep.join((str(ROOT / "src"), str(school)))
    return terminal


def test_games_lists_it_with_its_package(pupil: Terminal) -> None:
    assert re.search(r"schafe-2031 +Schafe \(package schafe\) +swc_2031_schafe", pupil.run("spielleiter games"))
    assert '"package": "schafe"' in pupil.run("spielleiter games --json")


@pytest.mark.sandbox
@pytest.mark.parametrize("level", ["auto", "landlock", "limits"])
def test_a_match_plays_it_with_its_player_in_a_sandbox(level: str, pupil: Terminal) -> None:
    said = pupil.run(
        f"spielleiter match hirte random --game schafe-2031 --games 2 --sandbox {level} --out m --seconds 5"
        " || { cat m/logs/* ; false; }"
    )
    assert re.search(r"hirte +[0-9.]+/2", said)
    assert "did not start" not in said
    assert "left out" not in said


@pytest.mark.sandbox
@pytest.mark.parametrize("level", ["auto", "landlock"])
def test_a_package_whose_code_lies_elsewhere_is_seen_in_a_sandbox(level: str, terminal: Terminal) -> None:
    """As after ``pip install -e``: the metadata is in one place, the code in another."""
    code, metadata = terminal.folder / "code", terminal.folder / "metadata"
    (code / "hof").mkdir(parents=True)
    metadata.mkdir()
    write_package(metadata, "hof", "", players="hirte = hof:Hirte")
    (metadata / "hof.py").unlink()
    (code / "hof" / "__init__.py").write_text(HIRTE, encoding="utf-8")
    terminal.environment["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT / "src", code, metadata)))
    said = terminal.run(f"spielleiter match hirte random --game piranhas-2019 --games 2 --sandbox {level} --out m")
    assert re.search(r"hirte +[0-9.]+/2", said)
    assert "did not start" not in said


@pytest.mark.sandbox
def test_why_a_player_cannot_start_in_the_sandbox_is_said(terminal: Terminal) -> None:
    needed = terminal.folder / "needed.txt"
    needed.write_text("what only this user sees")
    write_package(terminal.folder, "hof", f"open({str(needed)!r})\n{HIRTE}", players="hirte = hof:Hirte")
    terminal.environment["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT / "src", terminal.folder)))
    said = terminal.run("spielleiter match hirte random --game piranhas-2019 --games 2 --out m", status=3)
    assert "player 'hirte' of the package hof is left out: FileNotFoundError: " in said


@pytest.mark.sandbox
def test_a_player_of_it_is_made_and_packed_with_it(pupil: Terminal) -> None:
    pupil.run("spielleiter new hugo --game schafe-2031; spielleiter pack hugo -o hugo.zip --no-check")
    with zipfile.ZipFile(pupil.folder / "hugo.zip") as packed:
        names = set(packed.namelist())
    assert {"schafe/rules.py", "schafe.dist-info/entry_points.txt", "spielleiter/games/__init__.py"} <= names
    assert not [name for name in names if name.startswith("spielleiter/games/piranhas")]
    # The contest's machine has neither the school's package nor ours.
    pupil.environment["PYTHONPATH"] = ""
    pupil.run("unzip -q hugo.zip -d alone && cd alone && python3 -I -c 'import sys; sys.path.insert(0, \".\");"
              " import player; print(player.GAME.key)' | grep schafe-2031")  # fmt: skip


def test_it_is_played_at_a_table_in_a_browser_against_its_player(pupil: Terminal, open_page: Open) -> None:
    play_at_a_table(open_page(), pupil.pages("--records games"), "schafe-2031", "hirte")
