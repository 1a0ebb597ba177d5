"""Options and exit codes of a player program; whole games are played in tests/e2e."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from spielleiter.client import commandline, play
from spielleiter.client.commandline import _parse, _program_name, _settings
from spielleiter.client.session import PlayerResult
from spielleiter.client.settings import ClientSettings
from spielleiter.errors import NoServer, PlayerFailed, ServerLeft, ServerRefused, SettingsError, UnknownGame
from spielleiter.game import Team
from spielleiter.wire.messages import Join, JoinPrepared, JoinRoom


def settings(*argv: str, game: str | None = None) -> ClientSettings:
    return _settings(_parse(argv, game, "Ada"), ClientSettings())


@pytest.mark.parametrize(
    "argv",
    [
        ("-h", "host7", "-p", "14000", "-r", "code"),
        ("--host", "host7", "--port", "14000", "--reservation", "code"),
        ("--reservation=code", "--port=14000", "--host=host7"),
        ("-rcode", "-p14000", "-hhost7"),
        ("-r", "code", "--host=host7", "-p", "14000"),
        ("--new-thing", "-h", "host7", "--speed=3", "-p", "14000", "more", "-x", "-r", "code"),
    ],
)
def test_options_come_in_any_form_and_order(argv: tuple[str, ...]) -> None:
    found = settings(*argv)
    assert (found.host, found.port, found.reservation) == ("host7", 14000, "code")


def test_without_options_it_plays_on_this_machine() -> None:
    found = settings()
    assert (found.host, found.port, found.reservation, found.game) == ("localhost", 13050, None, None)


def test_unknown_options_are_remembered_for_a_warning() -> None:
    assert _parse(["--speed", "3", "-h", "a"], None, "Ada").unknown == ["--speed", "3"]


def test_the_join_follows_from_the_options() -> None:
    def join(*argv: str) -> Any:
        return settings(*argv).new_session()._join

    assert join() == Join(None, "Ada")
    assert join("--game", "blokus-2027") == Join("swc_2027_blokus", "Ada")
    assert join("--room", "r1", "--game", "blokus-2027") == JoinRoom("r1", "Ada")
    assert join("--room", "r1", "-r", "code") == JoinPrepared("code", "Ada")
    assert join("--reservation=") == Join(None, "Ada")


def test_the_game_of_the_file_can_be_changed_by_an_option() -> None:
    assert str(settings(game="blokus-2027").game) == "blokus-2027"
    assert str(settings("--game=piranhas-2026", game="blokus-2027").game) == "piranhas-2026"


@pytest.mark.parametrize(
    "argv",
    [("--port", "x"), ("-p", "0"), ("--port=70000"), ("-h",), ("--margin", "soon"), ("--limit=-1"), ("--limit=nan",)],
)
def test_options_that_make_no_sense_are_refused(argv: tuple[str, ...] | str) -> None:
    with pytest.raises(SettingsError):
        settings(*([argv] if isinstance(argv, str) else argv))


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match="did you mean blokus-2027"):
        settings("--game", "blokus-2072")


def choose(state: Any, seconds: float) -> Any:
    return state.legal_moves()[0]


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (["--help"], 0, "--reservation"),
        (["-p", "x"], 2, "--port must be a number"),
        (["-h"], 2, "--help"),
        (["--game", "chess"], 2, "expected one of blokus-2021"),
        (["--log", "/nowhere/at/all.log"], 2, "cannot be written"),
        (["-h", "no such host..", "-p", "1"], 3, "no game master at no such host..:1"),
    ],
)
def test_a_player_that_cannot_play_says_why_and_exits(
    argv: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        play(choose, argv=argv)
    assert (end.value.code or 0) == code
    out, err = capsys.readouterr()
    assert said in out + err
    assert "Traceback" not in err


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        port: int = sock.getsockname()[1]
        return port


def test_a_server_that_is_not_there_is_reported_with_how_to_start_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    port = str(free_port())
    log = tmp_path / "player.log"
    for language, said in (("C.UTF-8", "there is no game master"), ("de_DE.UTF-8", "kein Spielleiter")):
        monkeypatch.setenv("LC_ALL", language)
        with pytest.raises(SystemExit) as end:
            play(choose, argv=["-h", "127.0.0.1", "-p", port, "--log", str(log), "--unheard-of"])
        assert end.value.code == 3
        err = capsys.readouterr().err
        assert said in err
        assert f"spielleiter serve --port {port}" in err
        assert len(err.splitlines()) == 1
    assert "unknown option --unheard-of" in log.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("says", "code", "said"),
    [
        (b"", 4, "closed the connection before it let us join: is this the port of the game master?"),
        (b'<protocol><errorpacket message="no"/>', 4, "refuses (join): no"),
        (b"HTTP/1.1 400 Bad Request", 5, "a web server answers there"),
        (b"<protocol/>", 4, "before it let us join"),
    ],
)
def test_a_server_of_another_kind_is_reported(
    says: bytes, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from threading import Thread

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            sock, _ = listener.accept()
            with sock:
                sock.sendall(says)
                sock.shutdown(socket.SHUT_WR)
                while sock.recv(4096):
                    pass

        thread = Thread(target=serve)
        thread.start()
        with pytest.raises(SystemExit) as end:
            play(choose, argv=["-h", "127.0.0.1", "-p", str(listener.getsockname()[1])])
        thread.join()
    assert end.value.code == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("program", "name"), [("bots/ada/player.py", "ada"), ("bots/ada/main.py", "ada"), ("bots/clever.py", "clever")]
)
def test_a_player_is_called_like_its_file_or_folder(program: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [program])
    assert _program_name() == name


def test_with_rejoin_a_refusal_ends_the_player_and_a_lost_server_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    won = PlayerResult(Team.ONE, Team.ONE, ((2,), (0,)), "the larger swarm", True, None)
    answers: list[Any] = [
        NoServer("weg", "gone"),
        (won, None),
        ServerLeft("zu", "closed"),
        PlayerFailed("Fehler", "my mistake"),
        (won, None),
        ServerRefused("nein", "not you"),
    ]

    def play_game(runner: Any, given: ClientSettings) -> Any:
        assert given.reservation == "code"
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(commandline, "play_game", play_game)
    monkeypatch.setattr(commandline, "_RETRY_SECONDS", 0)
    with pytest.raises(SystemExit) as ended:
        play(lambda state, seconds: None, argv=["--rejoin", "--reservation", "code"])
    assert ended.value.code == 4
    assert not answers
    said = capsys.readouterr().err
    assert said.count("the larger swarm") == 2
    assert "my mistake" in said


def test_with_rejoin_a_player_ends_well_when_the_server_is_gone_after_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = PlayerResult(Team.ONE, Team.TWO, ((0,), (2,)), "", True, None)
    answers = [(lost, None)]

    def play_game(runner: Any, given: ClientSettings) -> Any:
        if not answers:
            raise NoServer("weg", "gone")
        return answers.pop()

    monkeypatch.setattr(commandline, "play_game", play_game)
    monkeypatch.setattr(commandline, "_RETRY_SECONDS", 0)
    monkeypatch.setattr(commandline, "_GONE_SECONDS", 0)
    assert play(lambda state, seconds: None, argv=["--rejoin"]) is lost


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("", True),
        ("raise ValueError(3)", False),
        ("raise SystemExit('no book')\nplay(choose)", False),
        ("play(choose, argv=['--help'])", False),
    ],
    ids=["forgotten", "failed before", "ended before", "called"],
)
def test_a_player_that_never_calls_play_is_told_so(end: str, says: bool, tmp_path: Path) -> None:
    file = tmp_path / "player.py"
    file.write_text(f"from spielleiter.client import play\n\ndef choose(state, seconds): ...\n\n{end}\n")
    for arguments in (["--host", "localhost", "--port", "1", "--reservation", "r"], []):
        command = [sys.executable, str(file), *arguments]
        english = {**os.environ, "SPIELLEITER_LANG": "en"}
        ran = subprocess.run(command, env=english, capture_output=True, text=True, timeout=60)
        assert ("player.py: play(...) was never called" in ran.stderr) is (says and bool(arguments)), ran.stderr
