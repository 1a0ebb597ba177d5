"""A connection is known by the process that has its socket."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from spielleiter.programs.sandbox.kernel.sockets import owns_socket

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
