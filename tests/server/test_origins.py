"""Where clients come from: places for each origin, and patience with it."""

from __future__ import annotations

import socket

from spielleiter.server.origins import MISCHIEF_WAIT, Origins


def test_each_address_has_its_own_places_and_this_machine_has_more() -> None:
    origins = Origins(max_connections=10, max_per_address=2, max_from_here=3)
    with socket.socket() as listener:
        here, there, other = (origins.of(listener, host) for host in ("127.0.0.1", "192.0.2.7", "192.0.2.8"))
        assert [origins.admit(here) for _ in range(4)] == [True, True, True, False]
        assert [origins.admit(there) for _ in range(3)] == [True, True, False]
        assert origins.admit(other)
        for _ in range(2):
            origins.left(there)
        assert origins.admit(there)


def test_refused_clients_take_no_place() -> None:
    origins = Origins(max_connections=5, max_per_address=2, max_from_here=3)
    with socket.socket() as listener:
        one, two, three = (origins.of(listener, f"192.0.2.{number}") for number in (1, 2, 3))
        assert [origins.admit(one) for _ in range(100)].count(True) == 2
        assert [origins.admit(two) for _ in range(100)].count(True) == 2
        assert [origins.admit(three) for _ in range(2)] == [True, False], "the last place of all"
        origins.left(one)
        assert origins.admit(three)


def test_one_network_of_ipv6_is_one_origin() -> None:
    origins = Origins(max_connections=10, max_per_address=2, max_from_here=3)
    with socket.socket() as listener:
        assert origins.of(listener, "2001:db8::1") == origins.of(listener, "2001:db8::ffff:2")
        assert origins.of(listener, "2001:db8::1") != origins.of(listener, "2001:db8:0:1::1")


def test_what_comes_by_a_listener_with_a_limit_counts_by_itself_until_it_is_closed() -> None:
    origins = Origins(max_connections=10, max_per_address=2, max_from_here=3)
    with socket.socket() as one, socket.socket() as two:
        for listener in (one, two):
            origins.limit(listener, 1)
        assert origins.admit(origins.of(one, "127.0.0.1"))
        assert not origins.admit(origins.of(one, "127.0.0.1"))
        assert origins.admit(origins.of(two, "127.0.0.1"))
        origins.forget(one)
        assert origins.admit(origins.of(one, "127.0.0.1"))


def test_patience_ends_with_mischief_and_comes_back_with_time() -> None:
    origins = Origins(max_connections=10, max_per_address=2, max_from_here=3)
    with socket.socket() as listener:
        bad, good = origins.of(listener, "192.0.2.7"), origins.of(listener, "192.0.2.8")
        for _ in range(100):
            origins.broke_protocol(bad, 0.0)
        assert (origins.wait(bad, 0.0), origins.wait(good, 0.0)) == (MISCHIEF_WAIT, 0.0)
        assert origins.wait(bad, 1.0) == 0.0
