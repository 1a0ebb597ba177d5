"""The shipped files for servers on the internet, as they are: what they start and pass on fits together."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from configparser import ConfigParser
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

httpx = pytest.importorskip("httpx")

from spielleiter.cli.app import load_command
from spielleiter.web.guard import MAX_UPLOAD
from tests.support.contest_site import PASSWORD, open_season
from tests.web.conftest import Site

DEPLOY = Path(__file__).parents[2] / "deploy"
SERVICE = DEPLOY / "spielleiter-web.service"
NGINX, CADDY = ((DEPLOY / name).read_text(encoding="utf-8") for name in ("nginx.conf", "Caddyfile"))


def options(command: str) -> dict[str, Any]:
    """What ``spielleiter web`` is told by a command line."""
    words = shlex.split(command)
    assert words[1] == "web"
    found: dict[str, Any] = load_command("web").make_context("web", words[2:]).params
    return found


def started_by_systemd() -> dict[str, Any]:
    unit = ConfigParser(interpolation=None, strict=False)
    unit.read(SERVICE, encoding="utf-8")
    return options(unit["Service"]["ExecStart"])


def nginx(directive: str) -> str:
    """The argument of a directive that is there once."""
    (found,) = re.findall(rf"^\s*{directive}\s+(.*?);", NGINX, re.MULTILINE)
    return str(found)


def test_every_proxy_file_fits_to_the_service() -> None:
    service = started_by_systemd()
    host = urlsplit(service["public_url"]).hostname
    pages = f"{service['host']}:{service['port']}"
    assert nginx("proxy_pass") == f"http://{pages}"
    assert re.findall(r"reverse_proxy (\S+)", CADDY) == [pages]
    assert nginx("server_name") == host
    assert f"\n{host} {{" in CADDY
    assert int(nginx("client_max_body_size").removesuffix("m")) << 20 > MAX_UPLOAD
    assert int(re.findall(r"max_size (\d+)MB", CADDY)[0]) * 10**6 > MAX_UPLOAD
    # Whoever connects to loopback comes from there.
    assert any(ip_address(service["host"]) in ip_network(proxy) for proxy in service["trusted_proxy"] or ())


def test_the_commands_beside_the_proxies_are_those_of_the_service() -> None:
    service = started_by_systemd()
    for text in (NGINX, CADDY):
        (command,) = re.findall(r"^#\s+(spielleiter web .*)$", text, re.MULTILINE)
        for name in ("season", "public_url", "trusted_proxy", "host", "port"):
            assert options(command)[name] == service[name]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", SERVICE], capture_output=True, text=True, timeout=60, check=False
    )
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert [line for line in said if SERVICE.name in line] == []


def as_nginx_says(visitor: str) -> dict[str, str]:
    """The headers that the pages get of a visitor."""
    values = {"$http_host": "contest.example", "$remote_addr": visitor, "$scheme": "https", '""': "close"}
    return {name: values[value] for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", NGINX)}


def log_in(site: Site, visitor: str, *logins: tuple[str, str]) -> list[int]:
    """What a visitor gets who tries these names and passwords."""
    headers, address = as_nginx_says(visitor), f"{site.base}/contest/login"
    page = httpx.get(address, headers=headers)
    headers["cookie"] = page.headers["set-cookie"].partition(";")[0]
    token = re.findall(r'name="token" value="([^"]+)"', page.text)[0]
    with httpx.Client(headers=headers) as client:
        forms = [{"name": name, "password": password, "token": token} for name, password in logins]
        return [client.post(address, data=form).status_code for form in forms]


def test_wrong_log_ins_of_one_visitor_lock_nobody_else_out(tmp_path: Path, serve: Callable[..., Site]) -> None:
    service = started_by_systemd()
    proxies = tuple(str(ip_network(proxy)) for proxy in service["trusted_proxy"] or ())
    with open_season(tmp_path, in_process=True) as season:
        site = serve(contest=season, public_url=service["public_url"], trusted_proxies=proxies)
        guesses = [(f"nobody{number}", "wrong") for number in range(41)]
        assert log_in(site, "203.0.113.5", *guesses)[-2:] == [401, 429]
        assert log_in(site, "198.51.100.7", ("ada", PASSWORD)) == [303]


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1/32",)], ids=["unknown proxy", "named proxy"])
def test_a_proxy_that_nobody_named_is_warned_of_once(
    serve: Callable[..., Site], caplog: pytest.LogCaptureFixture, proxies: tuple[str, ...]
) -> None:
    site = serve(public_url="https://contest.example", trusted_proxies=proxies)
    httpx.get(f"{site.base}/learn")  # From this machine, past the proxy.
    assert "--trusted-proxy" not in caplog.text
    for visitor in ("203.0.113.5", "198.51.100.7"):
        httpx.get(f"{site.base}/learn", headers=as_nginx_says(visitor))
    assert caplog.text.count("--trusted-proxy 127.0.0.1") == (0 if proxies else 1)
