"""Messages to bytes: what an error repeats of the request that it is about."""

from __future__ import annotations

import pytest

from spielleiter.game.element import Element
from spielleiter.wire import encode
from spielleiter.wire.messages import ErrorPacket, RoomError
from spielleiter.wire.writer import MAX_ECHO, abridged, markup

LARGE = [
    Element("a", {}, tuple(Element("b") for _ in range(500))),
    Element("a", {f"b{number}": "c" for number in range(500)}),
    Element("a", {"b": '"' * 60_000}),
    Element("a", {"b" * 60_000: ""}),
    Element("a", text="x" * 60_000),
    Element("a", {"b": "ä" * 1000}),
]


@pytest.mark.parametrize("element", LARGE)
def test_an_error_repeats_at_most_a_kilobyte_of_what_was_wrong(element: Element) -> None:
    assert len(encode(ErrorPacket("why", element))) < MAX_ECHO + 200
    assert len(encode(RoomError("room", "why", element, "originalMessage"))) < MAX_ECHO + 200
    assert b"..." in encode(ErrorPacket("why", element))


def test_a_long_message_is_repeated_by_its_first_attributes() -> None:
    element = Element("originalRequest", {"class": "room", "roomId": "7", "more": "x" * 2000}, (Element("data"),))
    assert markup(abridged(element), 0) == '\n<originalRequest class="room" roomId="7">...</originalRequest>'


def test_a_short_message_is_repeated_whole() -> None:
    element = Element("a", {"b": "c"}, (Element("d", text="e"),))
    assert abridged(element) is element
