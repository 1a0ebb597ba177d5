"""``spielleiter serve`` as a real process: settings from everywhere, stopping, records, metrics, going on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from spielleiter.records.load import open_any
from spielleiter.records.verify import verify_record
from tests.support.minimal_client import MinimalClient, move_xml


class Server:
    """A running server process and what it prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._queue: Queue[str] = Queue()
        self.pump = Thread(target=self._pump, daemon=True)
        self.pump.start()

    def _pump(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._queue.put(line.rstrip("\n"))

    def wait_for(self, pattern: str, seconds: float = 60) -> re.Match[str]:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self.lines.append(self._queue.get(timeout=left))
            except Empty:
                break
            if found := re.search(pattern, self.lines[-1]):
                return found
        raise AssertionError(f"{pattern!r} did not come: {self.lines}")

    @property
    def address(self) -> tuple[str, int]:
        found = self.wait_for(r"serves .* on (.*):(\d+)")
        return found[1], int(found[2])

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def serving(folder: Path, *arguments: str, **environment: str) -> Iterator[Server]:
    command = [sys.executable, "-m", "spielleiter", "--lang", "en", "serve", *arguments]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SPIELLEITER")}
    with subprocess.Popen(
        command, cwd=folder, env={**clean, "COLUMNS": "200", **environment}, stderr=subprocess.PIPE, text=True
    ) as process:
        server = Server(process)
        try:
            yield server
        finally:
            process.kill()
            server.pump.join()  # Before its pipe is closed.


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_in_progress_gets_a_result_and_a_whole_record_when_the_server_stops(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path, "--port", "0", "--game", "ostseeschach-2022", "--records", "games") as server:
        address = server.address
        one, two = MinimalClient(*address), MinimalClient(*address)
        one.send("<join/>")
        one.wait_for("joined")
        two.send('<join gameType="swc_2022_ostseeschach"/>')
        one.wait_for("moverequest")
        two.wait_for("memento")
        assert server.stop(number) == 0
        for client in (one, two):
            client.wait_for("result")
            client.wait_for("left")
            assert list(client.messages()) == []
            client.close()
    [path] = (tmp_path / "games").glob("*.jsonl")
    record = open_any(path)
    assert record.result is not None
    assert "stopped" in record.result.reason.en
    assert verify_record(record).findings == ()


def test_kill_9_loses_at_most_the_last_line_of_a_record(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--game", "piranhas-2019", "--records", ".") as server:
        address = server.address
        one, two = MinimalClient(*address), MinimalClient(*address)
        one.send("<join/>")
        two.send("<join/>")
        request = one.wait_for("moverequest")
        one.send(f'<room roomId="{request.attrib["roomId"]}">{move_xml(2019, "0,1,UP")}</room>')
        two.wait_for("moverequest")
        server.stop(signal.SIGKILL)
        one.close()
        two.close()
    [path] = tmp_path.glob("*.jsonl")
    record = open_any(path)
    assert not record.is_finished
    assert [move.text for move in record.moves] == ["A1-A9"]


def test_administration_prepares_rooms_with_the_password_from_the_environment(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", SPIELLEITER_SERVE_PASSWORD="from outside") as server:
        admin = MinimalClient(*server.address)
        admin.send(
            '<authenticate password="from outside"/><prepare gameType="swc_2027_blokus" pause="false">'
            '<slot displayName="A" canTimeout="true" reserved="true"/>'
            '<slot displayName="B" canTimeout="true" reserved="true"/></prepare>'
        )
        assert len(list(admin.wait_for("prepared").iter("reservation"))) == 2
        admin.close()
        assert server.stop(signal.SIGINT) == 0
        assert not any("from outside" in line for line in server.lines)


def test_a_random_password_is_shown_where_none_is_set(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        address = server.address
        password = server.wait_for(r"administrator password: (\S+)")[1]
        admin = MinimalClient(*address)
        admin.send(f'<authenticate password="{password}"/><observe roomId="none"/>')
        assert "no room" in admin.wait_for("errorpacket").attrib["message"]
        admin.close()


def test_settings_come_from_a_toml_file_and_the_command_line_wins(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text('[serve]\nport = 0\ngame = "piranhas-2026"\nsoft = 1\nlog = "json"\n')
    with serving(tmp_path, "--config", "server.toml", "--game", "piranhas-2019") as server:
        assert json.loads(server.wait_for("listening")[0] and server.lines[-1])["level"] == "INFO"
        assert "piranhas-2019" in server.wait_for("serves .* on .*")[0]


def test_the_reference_servers_properties_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text("# comment\nport = 0\npassword=old\nlocal=true\nplugins=x\n")
    with serving(tmp_path) as server:
        admin = MinimalClient(*server.address)
        admin.send('<authenticate password="old"/><observe roomId="none"/>')
        assert "no room" in admin.wait_for("errorpacket").attrib["message"]
        admin.close()


@pytest.mark.parametrize(
    ("files", "arguments", "message"),
    [
        ({"s.toml": "port = 0\nsofd = 1"}, ("--config", "s.toml"), "line 2: 'sofd' is unknown here: did you mean soft"),
        ({"s.toml": "port = \n"}, ("--config", "s.toml"), "s.toml"),
        ({"server.properties": "port=many\n"}, (), "server.properties:1: expected a number"),
        ({"server.properties": "what is this\n"}, (), "server.properties:1: expected name=value"),
        ({}, ("--soft", "5", "--hard", "2"), "must not be below the soft limit"),
        ({}, ("--game", "blokus"), "there is no game called 'blokus'"),
        ({"x.jsonl": "garbage\n"}, ("--load", "x.jsonl"), "x.jsonl"),
        ({"taken": ""}, ("--records", "taken/below"), "taken/below: no record can be written here: Not a directory"),
        ({}, ("--host", "203.0.113.7"), "cannot listen on 203.0.113.7"),
    ],
)  # fmt: skip
def test_wrong_settings_are_one_line(
    tmp_path: Path, files: dict[str, str], arguments: tuple[str, ...], message: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "spielleiter", "serve", *arguments]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0") as server:
        port = server.address[1]
        command = [sys.executable, "-m", "spielleiter", "serve", "--port", str(port)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert result.returncode == 2
        assert f"cannot listen on 127.0.0.1:{port}" in result.stderr


def test_prometheus_can_read_the_metrics(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--metrics", "0") as server:
        client = MinimalClient(*server.address)
        client.send("<join/>")
        client.wait_for("joined")
        port = server.wait_for(r"metrics on port (\d+)")[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
            text = answer.read().decode()
        assert "\nspielleiter_connections 1\n" in text
        assert "spielleiter_answer_seconds_bucket" in text
        client.close()


def test_games_go_on_from_a_record(tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--game", "piranhas-2019", "--records", ".") as server:
        address = server.address
        one, two = MinimalClient(*address), MinimalClient(*address)
        one.send("<join/>")
        two.send("<join/>")
        request = one.wait_for("moverequest")
        one.send(f'<room roomId="{request.attrib["roomId"]}">{move_xml(2019, "0,1,UP")}</room>')
        two.wait_for("moverequest")
        server.stop()
        one.close()
        two.close()
    [path] = tmp_path.glob("*.jsonl")
    with serving(tmp_path, "--port", "0", "--load", path.name, "--turn", "1") as server:
        address = server.address
        one, two = MinimalClient(*address), MinimalClient(*address)
        one.send("<join/>")
        two.send("<join/>")
        state = one.wait_for("memento").find("data/state")
        assert state is not None
        assert state.attrib["turn"] == "1"
        two.wait_for("moverequest")
        one.close()
        two.close()
