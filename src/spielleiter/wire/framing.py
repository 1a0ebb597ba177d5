"""Bytes to elements: one XML document that never ends, cut into the elements below its root.

Laws:

* An element is there as soon as the ``>`` that closes it has been fed, however the bytes were cut.
* Nothing is stored of an element that has been taken, and nothing of an unfinished one beyond the limits.
* No byte sequence takes more than linear time, gets more memory than the limits allow, or raises anything
  but ``RemoteProtocolError``. After that the stream is dead.

Any root name will do, and so will a byte order mark, an XML declaration, comments, text between the elements, and
bytes that are no UTF-8 (they become U+FFFD): all of these play on the reference servers. Control characters become
whitespace: programs in C send the zero byte of their strings. Whitespace may come first. A DOCTYPE is refused.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections import deque
from dataclasses import dataclass
from xml.parsers import expat

from spielleiter.errors import RemoteProtocolError
from spielleiter.game.element import Element, shown

_SLICE = 16 * 1024
"""Bytes parsed between two checks of the limits."""
_CLEANED = bytes(32 if byte < 32 and byte not in b"\t\n\r" else byte for byte in range(256))
"""What each byte becomes: XML has no place for control characters, not even escaped."""
_HTTP_REQUESTS = (b"GET ", b"HEAD ", b"POST ", b"OPTIONS ", b"\x16\x03")
"""How those of browsers begin; the last one is that of https."""
_HTTP_ANSWER = b"HTTP/"


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """How large a single message may be."""

    size: int = 64 * 1024
    """Bytes of one message, with everything before it since the last one."""
    depth: int = 24
    """Elements inside elements, the root included."""
    nodes: int = 256
    """Elements and attributes of one message: each costs some 2 µs, however small it is. A move has at most 20."""
    names: int = 2000
    """Different names of elements and attributes in the whole stream; the parser never forgets one."""


SERVER_FRAMES = FrameLimits(size=1 << 20, nodes=20_000)
"""What a server may send: it is trusted with more, because it sends whole boards (at most 285 elements so far)."""


class Framer:
    """Cuts a stream of bytes into elements; give it all bytes with ``feed``, take the elements with ``next``."""

    def __init__(self, limits: FrameLimits | None = None) -> None:
        self.root: str | None = None
        """The name of the root element, once it is open."""
        self.closed = False
        """Whether the root element is closed."""
        self.nodes = 0
        """Elements and attributes so far."""
        self._limits = limits or FrameLimits()
        self._done: deque[Element] = deque()
        self._open: list[tuple[str, dict[str, str], list[Element], list[str]]] = []
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._held = bytearray()
        self._fed = 0
        self._end_of_last = 0
        self._nodes_of_last = 0
        self._rescanned = 0
        self._error: RemoteProtocolError | None = None
        self._names: dict[str, str] = {}
        self._parser = self._new_parser()

    def next(self) -> Element | None:
        """The next finished element, or ``None`` until more bytes come."""
        return self._done.popleft() if self._done else None

    def feed(self, data: bytes) -> None:
        """Take in the next bytes. Raises ``RemoteProtocolError`` if they make no sense; finished elements stay."""
        if self._error is not None:
            raise self._error
        if self.closed:
            return
        try:
            self._take(data)
        except RemoteProtocolError as error:
            self._error = error
            self._open.clear()
            raise

    def _take(self, data: bytes) -> None:
        if not self._fed:
            _refuse_http(data)
        if not data.isascii() or self._decoder.getstate()[0]:
            data = self._decoder.decode(data).encode()
        data = data.translate(_CLEANED)
        if not self._fed:
            data = data.lstrip()  # Or an XML declaration would not stand at the beginning.
        self._held += data
        # Nothing can be finished without a ">". Holding back what has none saves the parser from looking at the
        # beginning of a long token again with each byte. Before the root all is parsed at once: it may be nonsense.
        if self.root is not None and b">" not in data and len(self._held) <= self._limits.size:
            return
        held, self._held = bytes(self._held), bytearray()
        for at in range(0, len(held), _SLICE):
            self._parse(held[at : at + _SLICE])

    def _parse(self, data: bytes) -> None:
        self._fed += len(data)
        try:
            self._parser.Parse(data, False)
        except expat.ExpatError as error:
            if self.closed:  # What follows the end of the document does not matter.
                return
            problem = expat.ErrorString(error.code)
            raise RemoteProtocolError(
                f"kein wohlgeformtes XML in Zeile {error.lineno}, Spalte {error.offset + 1}: {problem}",
                f"not well-formed XML in line {error.lineno}, column {error.offset + 1}: {problem}",
            ) from None
        if self.closed:
            return
        self._check_size(self._fed)
        # An unfinished token is looked at again with each new piece. Tiny pieces of a large token are an attack.
        self._rescanned += self._fed - max(self._parser.CurrentByteIndex, 0)
        if self._rescanned > 16 * self._limits.size:
            raise RemoteProtocolError("eine Nachricht kommt in zu vielen Stücken", "a message comes in too many pieces")

    def _check_size(self, end: int) -> None:
        size = self._limits.size
        if end - self._end_of_last > size:
            raise RemoteProtocolError(
                f"eine Nachricht ist größer als {size} Bytes", f"a message is larger than {size} bytes"
            )

    def _new_parser(self) -> expat.XMLParserType:
        # The encoding is fixed: what the document declares does not count, so there is only one way to read it.
        parser = expat.ParserCreate("UTF-8", intern=self._names)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        if hasattr(parser, "SetReparseDeferralEnabled"):
            # From 2.6 on expat may hold a finished element back until more bytes come: a player would wait forever.
            parser.SetReparseDeferralEnabled(False)
        return parser

    # --- what the parser calls ---------------------------------------------------------------------------------------

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self.root is None:
            self.root = name
            self._end_of_last = self._parser.CurrentByteIndex
            return
        self.nodes += 1 + len(attributes)
        if self.nodes - self._nodes_of_last > self._limits.nodes:
            nodes = self._limits.nodes
            raise RemoteProtocolError(
                f"eine Nachricht hat mehr als {nodes} Elemente und Attribute",
                f"a message has more than {nodes} elements and attributes",
            )
        if len(self._open) + 2 > self._limits.depth:
            depth = self._limits.depth
            raise RemoteProtocolError(
                f"mehr als {depth} Elemente ineinander bei <{shown(name)[1:-1]}>",
                f"more than {depth} elements inside one another at <{shown(name)[1:-1]}>",
            )
        self._open.append((name, attributes, [], []))

    def _end(self, name: str) -> None:
        if not self._open:
            self.closed = True
            return
        name, attributes, children, texts = self._open.pop()
        # Text between child elements means nothing in this protocol.
        element = Element(name, attributes, tuple(children), "" if children else "".join(texts))
        if self._open:
            self._open[-1][2].append(element)
            return
        end = self._parser.CurrentByteIndex
        self._check_size(end)
        self._end_of_last = end
        self._nodes_of_last = self.nodes
        self._rescanned = 0
        if len(self._names) > self._limits.names:
            raise RemoteProtocolError("zu viele verschiedene Namen", "too many different names")
        self._done.append(element)

    def _text(self, text: str) -> None:
        if self._open:
            self._open[-1][3].append(text)

    def _doctype(self, *_: object) -> None:
        raise RemoteProtocolError("ein DOCTYPE ist nicht erlaubt", "a DOCTYPE is not allowed")


def _refuse_http(beginning: bytes) -> None:
    """Say to a browser, or to a player who has come to a web server, that it has the wrong port."""
    if beginning.startswith(_HTTP_REQUESTS):
        raise RemoteProtocolError(
            "das ist HTTP: hier ist der Port für Spielerprogramme, für Browser haben die Seiten einen eigenen",
            "this is HTTP: here is the port for player programs, for browsers the pages have their own",
        )
    if beginning.startswith(_HTTP_ANSWER):
        raise RemoteProtocolError(
            "dort antwortet ein Webserver: der Spielleiter hat einen anderen Port",
            "a web server answers there: the game master has another port",
        )


def parse_element(xml: str) -> Element:
    """The one element that ``xml`` is, as a codec writes it."""
    framer = Framer(SERVER_FRAMES)
    framer.feed(f"<protocol>{xml}".encode())
    element = framer.next()
    assert element is not None, "half an element"
    return element
