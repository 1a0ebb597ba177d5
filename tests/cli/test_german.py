"""Whoever reads German finds German in every help text, label, error and result of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, get_args
from unittest.mock import patch

import pytest
from typer import rich_utils
from typer.testing import CliRunner

from spielleiter import games
from spielleiter.cli.app import COMMANDS, app, load_command, sentence
from spielleiter.cli.help_language import TYPES
from spielleiter.cli.terminal import BETWEEN_LANGUAGES, console, errors, set_language
from spielleiter.client.player_runner import PlayerRunner, TimePolicy
from spielleiter.client.session import ChooseMove, GameOver, GameReady, PlayerResult
from spielleiter.errors import SpielleiterError
from spielleiter.game import Team
from spielleiter.players import __main__ as builtin_player
from spielleiter.text import Language, choose_language
from tests.support.german import english_words
from tests.support.records_stage import Stage

NO_LANGUAGE = {"LC_ALL": "", "LC_MESSAGES": "", "LANG": "", "SPIELLEITER_LANG": ""}


def german(*words: str, columns: int = 80, **environment: str) -> str:
    """What a command prints for somebody who reads German."""
    settings = {"NO_COLOR": "1", "COLUMNS": str(columns), **environment}
    # A console that was made where COLUMNS was set, as in a worker of xdist, keeps that width.
    with patch.object(console, "_width", columns), patch.object(errors, "_width", columns):
        result = CliRunner().invoke(app, ["--lang", "de", *words], env=settings)
    if isinstance(result.exception, SpielleiterError):
        return sentence(result.exception)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def help_texts(command: Any) -> Iterator[str]:
    """Every help text of a command and of those below it; a parameter without one is the empty text."""
    yield command.help or ""
    for parameter in command.params:
        yield parameter.help or ""
    for below in getattr(command, "commands", {}).values():
        yield from help_texts(below)


def test_every_help_text_is_written_in_both_languages() -> None:
    texts: dict[str, list[str]] = {}
    for chosen in get_args(Language):
        set_language(chosen)
        texts[chosen] = [text for name in COMMANDS for text in help_texts(load_command(name))]
    choose_language(None)
    pairs = list(zip(texts["de"], texts["en"], strict=True))
    assert len(pairs) > 200
    same = {de for de, en in pairs if de == en}
    assert same == {"Phase."}, "without an own text in both languages"
    assert not [text for pair in pairs for text in pair if BETWEEN_LANGUAGES in text]


def test_help_is_german_wherever_the_language_stands() -> None:
    for words in (["--lang", "de", "--help"], ["--help", "--lang=de"], ["--lang", "de"]):
        assert "Aufruf: spielleiter [OPTIONEN] BEFEHL" in CliRunner().invoke(app, words).output
    for words in (["games", "--lang", "de", "--help"], ["games", "--help", "--lang=de"]):
        assert "Aufruf: spielleiter games [OPTIONEN]" in CliRunner().invoke(app, words).output
    assert "Aufruf:" not in CliRunner().invoke(app, ["games", "--lang"], env=NO_LANGUAGE).output
    assert "Zu viele Argumente: --lang en" in german("games", "--", "--lang", "en")
    shown = german("match", "--help")
    assert "Das Spiel; " in shown
    assert "[Standard: 13050]" in shown
    assert not [word for word in ("Usage", "Options", "Arguments", "default", "Show this") if word in shown]


def test_after_german_comes_english_again() -> None:
    german("--help")
    assert "Usage: spielleiter [OPTIONS] COMMAND" in CliRunner().invoke(app, ["--lang", "en", "--help"]).output
    assert rich_utils.OPTIONS_PANEL_TITLE == "Options"


@pytest.mark.parametrize(
    ("environment", "is_german"),
    [
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, False),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT.UTF-8"}, True),
        ({"LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "de_CH"}, True),
        ({"LC_ALL": "de_DE.UTF-8", "SPIELLEITER_LANG": "en"}, False),
        ({"LC_ALL": "C", "SPIELLEITER_LANG": "de"}, True),
    ],
)
def test_the_environment_chooses_the_language(environment: dict[str, str], is_german: bool) -> None:
    shown = CliRunner().invoke(app, ["--help"], env=NO_LANGUAGE | environment).output
    assert ("Aufruf:" if is_german else "Usage:") in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["replya"], "Den Befehl 'replya' gibt es nicht. Meinst du 'replay', 'play'?"),
        (["xxxxxx"], "Den Befehl 'xxxxxx' gibt es nicht."),
        (["games", "--jsom"], "Die Option --jsom gibt es nicht. Meinst du --json?"),
        (["games", "-x"], "Die Option -x gibt es nicht."),
        (["serve", "--port"], "Die Option '--port' braucht einen Wert."),
        (["games", "--json=1"], "Die Option '--json' nimmt keinen Wert."),
        (["games", "x", "y"], "Zu viele Argumente: x y"),
        (["show"], "Es fehlt das Argument 'Stellung'."),
        (["serve", "--port", "x"], "Ungültiger Wert für '--port': Erwartet wird eine ganze Zahl."),
        (["serve", "--port", "9" * 5000], "Ungültiger Wert für '--port': Die Zahl ist zu lang."),
        (["serve", "--soft", "x"], "Ungültiger Wert für '--soft': Erwartet wird eine Zahl."),
        (["serve", "--port", "65536"], "Ungültiger Wert für '--port': Der Wert darf höchstens 65535 sein."),
        (["serve", "--port", "-1"], "Ungültiger Wert für '--port': Der Wert muss mindestens 0 sein."),
        (["serve", "--log", "x"], "Ungültiger Wert für '--log': 'x' gibt es hier nicht; möglich sind 'human', 'json'."),
        (["pack", "/none"], "Ungültiger Wert für 'Spieler': '/none' gibt es nicht."),
        (["perft", "--check", "/"], "Ungültiger Wert für '--check': '/' ist ein Ordner."),
        (["perft"], "Nenne eine Stellung oder den Schlüssel eines Spiels, oder --check DATEI."),
    ],
)
def test_an_error_of_the_input_is_german(words: list[str], sentence: str) -> None:
    assert sentence in " ".join(german(*words, columns=200).split())


def help_commands() -> list[tuple[str, ...]]:
    below = {name: getattr(load_command(name), "commands", {}) for name in COMMANDS}
    return [(name,) for name in COMMANDS] + [(name, other) for name in COMMANDS for other in below[name]]


@pytest.mark.slow
def test_no_help_page_has_an_english_word() -> None:
    names = {part for words in help_commands() for word in words for part in word.split("-")}
    for words in ((), *help_commands()):
        shown = german(*words, "--help", columns=200)
        found = english_words(shown) - names
        assert not found, f"{' '.join(words)}: {found}"
        labels = set(re.findall(r"<([\w ]+)>", shown))
        assert labels <= set(TYPES.values()), f"{' '.join(words)}: {labels}"


@pytest.mark.slow
def test_no_result_has_an_english_word(tmp_path: Path) -> None:
    record = Stage(tmp_path, games.load("piranhas-2026")).play(4).end("late")
    start = ("--game", "piranhas-2026", "--in-process", "--games", "2", "--no-report", "--out", str(tmp_path / "match"))
    results = [
        (words, german(*words, columns=60, SPIELLEITER_CONTEST_SEASON=str(tmp_path / "season.toml")))
        for words in (
            ("games",), ("engine", "--no-speed"), ("perft", "piranhas-2026", "1"), ("perft",),
            ("show", "blokus-2027"), ("show", "piranhas-2026", "-m", "A1 UP", "-m", "A9 UP"), ("show", "chess"),
            ("show", "ostseeschach-2022", "--moves"),
            ("play", "piranhas-2026", "--one", "random", "--two", "random", "--seed", "1"),
            ("match", "random", "greedy", *start), ("match", "random"), ("rate", str(tmp_path / "match")),
            ("coach", str(tmp_path / "match"), "--player", "random", "--seconds", "0.1"), ("rules", "piranhas-2026"),
            ("replay", "show", str(record)), ("replay", "verify", str(record)),
            ("replay", "analyse", str(record), "--nodes", "20"), ("replay", "show", "/none"),
            ("contest", "status"), ("contest", "init"), ("contest", "status"), ("contest", "schedule"),
            ("contest", "standings"), ("contest", "bracket"), ("contest", "programs", "Nullzeiger"),
            ("contest", "encounter", "M1-A1"), ("contest", "verify"), ("contest", "audit"), ("contest", "invite"),
            ("new", str(tmp_path / "mine")), ("new", str(tmp_path / "mine")), ("check", "/none"),
            ("pack", str(tmp_path / "mine"), "-o", str(tmp_path / "mine.zip"), "--no-check"),
        )
    ]  # fmt: skip
    assert [(words, shown) for words, shown in results if english_words(shown)] == []
    tables = [shown for words, shown in results if words in (("games",), ("contest", "standings"))]
    assert all(key in tables[0].split() for key in games.all_games()), "no key is cut"
    assert max(len(line) for shown in tables for line in shown.splitlines()) <= 60


def test_a_narrow_table_of_a_match_keeps_its_names(tmp_path: Path) -> None:
    shown = german(
        "match", "random", "greedy", "--game", "piranhas-2026", "--in-process", "--games", "2", "--no-report",
        "--out", str(tmp_path / "match"), columns=60,
    )  # fmt: skip
    table = [line for line in shown.splitlines() if re.match(r" (random|greedy)\s+\d", line)]
    assert len(table) == 2
    assert all(len(line) <= 60 for line in table)


def test_a_player_of_the_kit_explains_itself_in_german(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPIELLEITER_LANG", "de")
    for arguments, part in (
        (["--help"], "Spielt als eingebauter Spieler"),
        (["greedi"], "meinst du greedy?"),
        (["greedy", "--help"], "Aufruf: "),
        (["greedy", "--port"], "die Option -p/--port braucht einen Wert"),
        (["greedy", "--rejoin=1"], "die Option --rejoin nimmt keinen Wert"),
        (["greedy", "--port", "x"], "--port muss eine Zahl von 1 bis 65535 sein"),
        (["greedy", "--port", "1", "--new"], "Unbekannte Option, nicht beachtet: --new"),
    ):
        monkeypatch.setattr("sys.argv", ["hugo", *arguments])
        with suppress(SystemExit):
            builtin_player.main()
        out, err = capsys.readouterr()
        assert part in out + err
        assert not english_words(out + err), arguments


def test_the_log_of_a_player_is_german(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("SPIELLEITER_LANG", "de")
    caplog.set_level("INFO", "spielleiter.player")
    game = games.load("piranhas-2026")
    state = game.new_state(Random(1))

    def late(state: Any, seconds: float) -> Any:
        raise ValueError("1.5")

    def no_fallback(state: Any) -> Any:
        raise ValueError("2.5")

    runner = PlayerRunner(late, TimePolicy(limit=1e-9, fallback=no_fallback))
    runner.call_hook(GameReady(game, Team.ONE, ("Ada", "Ben")))
    runner.answer(ChooseMove(game, state, monotonic()))
    runner.call_hook(GameOver(PlayerResult(Team.ONE, Team.ONE, ((2, 1), (0, 1)), "Rundenlimit", True, state)))
    assert len(caplog.messages) == 6
    assert not english_words("\n".join(caplog.messages))
    assert re.search(r"Zug 0: \S+ in \d,\d{3} s", caplog.text)


@pytest.mark.sandbox
def test_a_player_of_the_kit_in_the_sandbox_knows_its_authors_language(tmp_path: Path) -> None:
    player = tmp_path / "silent.py"
    player.write_text("from spielleiter.client import play\nplay(lambda state, seconds: None)\n")
    shown = german("match", str(player), "random", "--games", "2", "--out", str(tmp_path / "out"), columns=200)
    assert "choose() hat None zurückgegeben" in shown
