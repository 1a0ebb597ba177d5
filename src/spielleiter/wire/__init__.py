"""THE PROTOCOL, sans I/O.

Bytes to elements (``framing``), elements to messages (``reading``), messages to bytes (``writing``), and the two sides
of a connection (``connection``). It knows no game: what depends on one is in that game's codec.
"""

from spielleiter.wire.connection import ClientConnection, ServerConnection
from spielleiter.wire.framing import FrameLimits
from spielleiter.wire.writer import encode

__all__ = ["ClientConnection", "FrameLimits", "ServerConnection", "encode"]
