"""``spielleiter web`` and ``spielleiter replay open`` as processes."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

httpx = pytest.importorskip("httpx")
pytest.importorskip("starlette", reason="the extra 'web' is not installed")

from tests.support.contest_small_season import season_text
from tests.support.terminal import Terminal

RECORD = (
    '{"event":"start","format":1,"game":"ostseeschach-2022","id":"x","start":"ostseeschach-2022 '
    'rmshhsmr/8/8/8/8/8/8/RMSHHSMR 0-0 0","names":["Ada","Grace"],"started":null,"limits":[null,null],"clock":null,'
    '"referee":"spielleiter","software":null}\n'
    '{"event":"move","ply":0,"turn":0,"team":"ONE","move":"b1-b2"}\n'
)


def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A process and the address that it tells."""
    environment = {**os.environ, "LANG": "en_GB.UTF-8", "DISPLAY": "", "COLUMNS": "300"}
    process = subprocess.Popen(
        [sys.executable, "-m", "spielleiter", *arguments], stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    raise AssertionError("no address was printed")


def stop(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert process.stderr is not None
    rest = process.stderr.read()
    process.stderr.close()
    assert "Traceback" not in rest


def test_web_serves_the_start_page_and_stops_cleanly(tmp_path: Path) -> None:
    process, address = started(
        "web", "--no-browser", "--port", "0", "--game-port", "0", "--records", str(tmp_path / "records")
    )
    try:
        assert "Fancy a game?" in httpx.get(address).text
    finally:
        stop(process)


def test_in_a_network_the_printed_address_has_a_key_and_without_it_nothing_opens(tmp_path: Path) -> None:
    process, address = started(
        "web", "--no-browser", "--host", "0.0.0.0", "--port", "0", "--game-port", "0", "--records", str(tmp_path)
    )
    try:
        assert "?key=" in address
        assert httpx.get(address.split("?")[0]).status_code == 403
        with httpx.Client(follow_redirects=True) as client:
            assert client.get(address).status_code == 200
            assert 'value="program"' in client.get(address.split("?")[0] + "tables/new").text
    finally:
        stop(process)


def test_an_invitation_made_in_the_terminal_opens_at_the_port_that_the_pages_have(terminal: Terminal) -> None:
    (terminal.folder / "season.toml").write_text(season_text(), encoding="utf-8")
    address = terminal.pages("--season season.toml").rstrip("/")
    link = terminal.run("spielleiter contest invite --organiser").split()[0]
    assert link.startswith(f"{address}/contest/invitation/")
    assert "organis" in httpx.get(link).text


@pytest.mark.parametrize("option", ["--port", "--game-port"])
def test_a_port_that_is_taken_is_refused_before_anything_else_starts(tmp_path: Path, option: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ports = {"--port": "0", "--game-port": "0", option: port}
        command = [sys.executable, "-m", "spielleiter", "web", "--no-browser", "--season", str(tmp_path / "none.toml")]
        command += [word for pair in ports.items() for word in pair]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    # The season file does not exist, but nobody has come to look for it.
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert f"for a free port: {option} 0" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_replay_open_shows_the_recorded_game(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(RECORD)
    process, address = started("replay", "open", str(record), "--no-browser", "--port", "0", "--game-port", "0")
    try:
        text = httpx.get(address).text
        assert "Ada – Grace" in text
        assert "b1-b2" in text
    finally:
        stop(process)
