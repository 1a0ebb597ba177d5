"""Where a server listens, the addresses under which others reach it, and which addresses of clients count as one."""

from __future__ import annotations

import ctypes
import ctypes.util
import socket
import sys
from ipaddress import ip_address, ip_network

from spielleiter.errors import SettingsError
from spielleiter.text import Text, system_error

_ANY = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}  # noqa: S104 - compared, not bound
_LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}


def bind(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket bound to the address; it does not listen yet. ``option`` is how people choose another port.

    Raises ``SettingsError`` with what to do.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        sock = socket.socket(family, kind, protocol)
        try:
            # On Windows this option would share a port that another program uses.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0 if sys.platform == "win32" else 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            _keep_alive(sock)
            sock.bind(address)
        except OSError:
            sock.close()
            raise
    except (OSError, UnicodeError) as problem:
        why = system_error(problem)
        raise SettingsError(
            f"Auf {host}:{port} lässt sich kein Server starten: {why.de}. Ein freier Port: {option} 0.",
            f"cannot listen on {host}:{port}: {why.en}; for a free port: {option} 0",
        ) from None
    return sock


def _keep_alive(sock: socket.socket) -> None:
    """Let the kernel notice within a minute that a client is asleep; connections inherit this from their listener."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if sys.platform == "linux":
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 20)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)


def reachable(host: str) -> list[str]:
    """The addresses under which a server that listens on ``host`` is reached, those for other machines first."""
    if host not in _ANY:
        return [host]
    # A socket on :: takes IPv4 as well: see ``bind``.
    families = [socket.AF_INET] if _ANY[host] == socket.AF_INET else [socket.AF_INET, socket.AF_INET6]
    return [*(address for family in families for address in network_addresses(family)), _LOOPBACK[_ANY[host]]]


def is_local(host: str) -> bool:
    """Whether this address has no meaning on any other machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "local")  # The second is what ``peer_address`` says.


def neighbourhood(address: str) -> str:
    """What counts as one address of clients: for IPv6 the network, since one household has many addresses."""
    try:
        found = ip_address(address)
    except ValueError:
        return address[:100]
    if found.version == 4 or found.is_loopback:
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped) if mapped is not None else str(ip_network((found, 64), strict=False))


def address_text(host: str, port: int) -> str:
    """``host:port``, with the brackets that an IPv6 address needs."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def player_from(address: str) -> Text:
    """What a player is called that has no name."""
    if address == "local":
        return Text("Spieler auf diesem Rechner", "Player on this machine")
    return Text(f"Spieler von {address}", f"Player from {address}")


def peer_address(sock: socket.socket) -> str:
    """Where the other end of a connection is: an address, or ``local`` for one without."""
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return "local"
    # On a socket for both, IPv4 comes in the form of IPv6.
    return str(sock.getpeername()[0]).removeprefix("::ffff:")


def network_addresses(family: int = socket.AF_INET) -> list[str]:
    """The addresses of this machine in its networks, without those that only it can use. Sends no packet."""
    try:
        found = _windows_addresses(family) if sys.platform == "win32" else _interface_addresses(family)
    except OSError:
        return []
    usable = (
        address for address in found if not (ip_address(address).is_loopback or ip_address(address).is_link_local)
    )
    return list(dict.fromkeys(usable))


def _windows_addresses(family: int) -> list[str]:
    # Windows answers for its own name by itself.
    return [str(entry[4][0]).partition("%")[0] for entry in socket.getaddrinfo(socket.gethostname(), None, family)]


class _SocketAddress(ctypes.Structure):
    _fields_ = (("family", ctypes.c_uint8 * 2), ("data", ctypes.c_uint8 * 26))


class _Interface(ctypes.Structure):
    """``struct ifaddrs``; what comes behind the address is not needed."""


_Interface._fields_ = (
    ("next", ctypes.POINTER(_Interface)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.POINTER(_SocketAddress)),
)

_IFF_UP = 1
_OFFSET = {socket.AF_INET: (2, 6), socket.AF_INET6: (6, 22)}
"""Where the address is in ``sockaddr_in`` and ``sockaddr_in6``, counted from behind the family."""


def _interface_addresses(family: int) -> list[str]:
    """What ``getifaddrs`` of the C library knows."""
    library = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    first = ctypes.POINTER(_Interface)()
    if library.getifaddrs(ctypes.byref(first)) != 0:
        raise OSError(ctypes.get_errno(), "getifaddrs")
    try:
        found, entry = [], first
        begin, end = _OFFSET[socket.AddressFamily(family)]
        while entry:  # type: ignore[truthy-bool]
            interface = entry.contents
            if interface.flags & _IFF_UP and interface.address:
                raw = interface.address.contents
                # BSD has the length in the first byte and the family in the second; Linux has two bytes of family.
                number = raw.family[1] if sys.platform == "darwin" else int.from_bytes(bytes(raw.family), sys.byteorder)
                if number == family:
                    found.append(socket.inet_ntop(family, bytes(raw.data)[begin:end]))
            entry = interface.next
        return found
    finally:
        library.freeifaddrs(first)
