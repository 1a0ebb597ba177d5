"""What a program finds in a bubblewrap sandbox when it looks things up."""

from __future__ import annotations

import os
import sys
import tempfile

import pytest

from spielleiter.programs.sandbox import Level, system_paths
from tests.support.hostile import ISOLATING, run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is made of Linux")


@pytest.mark.parametrize("level", ISOLATING, ids=lambda level: level.value)
def test_localhost_has_an_address(level: Level) -> None:
    source = """
        import socket
        print(socket.gethostbyname("localhost"))
    """
    assert run(source, level).out == "127.0.0.1\n"


def test_localhost_and_its_own_name_lead_to_the_game_master_only() -> None:
    source = """
        import socket, sys
        for name in ("localhost", socket.gethostname()):
            print({found[4] for found in socket.getaddrinfo(name, sys.argv[2], type=socket.SOCK_STREAM)})
    """
    assert run(source, Level.BUBBLEWRAP).out == "{('127.0.0.1', 13050)}\n" * 2


def test_other_names_are_unknown() -> None:
    source = """
        import socket
        try:
            socket.getaddrinfo("example.org", 80)
        except socket.gaierror as problem:
            print(problem.errno == socket.EAI_NONAME)
    """
    assert run(source, Level.BUBBLEWRAP).out == "True\n"


def test_a_program_has_a_user_with_a_name_and_its_folder_as_home() -> None:
    source = """
        import grp, os, pwd
        user = pwd.getpwuid(os.getuid())
        print(user.pw_name, user.pw_dir == os.path.expanduser("~") == os.getcwd(), grp.getgrgid(os.getgid()).gr_name)
    """
    assert run(source, Level.BUBBLEWRAP).out == "player True player\n"


@pytest.mark.skipif(not os.path.exists("/etc/localtime"), reason="this machine has no time zone")
def test_the_time_zone_is_that_of_the_machine() -> None:
    source = "import os, time; print(os.path.realpath('/etc/localtime'), time.localtime(0).tm_gmtoff)"
    assert run(source, Level.BUBBLEWRAP).out == run(source, Level.NONE).out


def test_texts_are_utf_8() -> None:
    source = """
        import locale, sys
        print(locale.setlocale(locale.LC_ALL, ""), locale.getencoding(), sys.stdout.encoding, "Zuschauer: Jürgen 🐟")
    """
    assert run(source, Level.BUBBLEWRAP).out == "C.UTF-8 UTF-8 utf-8 Zuschauer: Jürgen 🐟\n"


@pytest.mark.skipif(not os.path.exists("/etc/ssl/certs/ca-certificates.crt"), reason="there are no certificates here")
def test_certificates_are_there() -> None:
    source = """
        import ssl
        context = ssl.create_default_context(cafile="/etc/ssl/certs/ca-certificates.crt")
        print(len(context.get_ca_certs()) > 0)
    """
    assert run(source, Level.BUBBLEWRAP).out == "True\n"


def test_nothing_else_of_the_machine_s_etc_is_seen() -> None:
    source = """
        import os
        print(os.path.exists("/etc/shadow"), os.path.exists("/etc/machine-id"), len(open("/etc/passwd").readlines()))
    """
    assert run(source, Level.BUBBLEWRAP).out == "False False 2\n"


def test_the_folder_tmp_can_be_written_to_also_where_something_readable_lies_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = "open('/tmp/note', 'w').close(); print('written')"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        paths = (*system_paths.readable(), folder)
        monkeypatch.setattr(system_paths, "readable", lambda more=(): paths)
        assert run(source, Level.BUBBLEWRAP).out == "written\n"
