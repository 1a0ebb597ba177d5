"""A connection is known by the process that has its socket."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from spielleiter.programs.sandbox.kernel.sockets import owns_socket, unread_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the tables are those of Linux")


@pytest.mark.parametrize(
    ("listens", "connects", "family"),
    [
        ("127.0.0.1", "127.0.0.1", socket.AF_INET),
        ("127.0.0.1", "::ffff:127.0.0.1", socket.AF_INET6),
        ("::1", "::1", socket.AF_INET6),
        ("::", "127.0.0.1", socket.AF_INET),
    ],
)
def test_the_process_at_the_other_end_is_known(listens: str, connects: str, family: int) -> None:
    server_family = socket.AF_INET6 if ":" in listens else socket.AF_INET
    try:
        server = socket.create_server((listens, 0), family=server_family, dualstack_ipv6=listens == "::")
    except OSError:
        pytest.skip("there is no IPv6 here")
    with server, socket.socket(family) as client:
        client.connect((connects, server.getsockname()[1]))
        accepted, address = server.accept()
        with accepted:
            assert owns_socket([os.getpid()], address[:2])
            assert not owns_socket([1], address[:2])


def test_what_a_process_has_not_read_yet_is_known() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, address = server.accept()
        with accepted:
            assert unread_bytes([os.getpid()], address) == 0
            accepted.sendall(b"state")
            assert unread_bytes([os.getpid()], address) == 5
            assert client.recv(3) == b"sta"
            assert unread_bytes([os.getpid()], address) == 2
            assert client.recv(3) == b"te"
            assert unread_bytes([os.getpid()], address) == 0
        client.close()
        assert unread_bytes([os.getpid()], address) is None, "the duplicates are closed"
    assert unread_bytes([], address) is None
