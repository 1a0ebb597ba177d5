"""Where servers listen, and what other machines type to reach them."""

from __future__ import annotations

import socket
import sys
from ipaddress import ip_address

import pytest

from spielleiter.errors import SettingsError
from spielleiter.server import addresses
from spielleiter.server.addresses import address_text, bind, is_local, neighbourhood, network_addresses, reachable


def test_a_port_that_somebody_listens_on_is_refused_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"127.0.0.1:{port}: .*in use; for a free port: --game-port 0"):
            bind("127.0.0.1", port, "--game-port")


@pytest.mark.parametrize("host", ["203.0.113.7", "no.such.host.invalid", "a" * 70, ".."])
def test_an_address_that_is_not_ours_is_refused(host: str) -> None:
    with pytest.raises(SettingsError, match="cannot listen on"):
        bind(host, 0)


def test_a_server_on_all_ipv6_addresses_takes_ipv4_too() -> None:
    try:
        listener = bind("::", 0)
    except SettingsError:
        pytest.skip("there is no IPv6 here")
    with listener:
        listener.listen()
        with socket.create_connection(("127.0.0.1", listener.getsockname()[1]), timeout=60):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="compares with what Linux says")
def test_the_addresses_are_those_of_the_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    # Loopback is there on every machine; in the network it would not be shown.
    assert "127.0.0.1" in addresses._interface_addresses(socket.AF_INET)
    monkeypatch.setattr(
        addresses, "_interface_addresses", lambda _: ["127.0.0.1", "192.168.1.5", "169.254.3.4", "192.168.1.5"]
    )
    assert network_addresses() == ["192.168.1.5"]
    assert reachable("0.0.0.0") == ["192.168.1.5", "127.0.0.1"]


def test_addresses_are_found_without_a_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_socket(*_: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    for family in (socket.AF_INET, socket.AF_INET6):
        for address in network_addresses(family):
            assert not ip_address(address).is_loopback


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("box", False)]
)
def test_only_loopback_is_local(host: str, local: bool) -> None:
    assert is_local(host) is local
    if not host.startswith("0"):
        assert reachable(host) == [host]


def test_an_ipv6_address_has_brackets_before_its_port() -> None:
    assert address_text("fd00::2", 13050) == "[fd00::2]:13050"
    assert address_text("192.168.1.5", 13050) == "192.168.1.5:13050"


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::1", "::1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_all_addresses_of_a_household_count_as_one(address: str, counts_as: str) -> None:
    assert neighbourhood(address) == counts_as
