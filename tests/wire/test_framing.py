"""Bytes to elements: any cut, any limit, any nonsense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import RemoteProtocolError
from spielleiter.game import Element
from spielleiter.wire.framing import FrameLimits, Framer

JOIN = Element("join", {"gameType": "x"})


def elements(*pieces: bytes, limits: FrameLimits | None = None) -> list[Element]:
    framer = Framer(limits)
    found = []
    for piece in pieces:
        framer.feed(piece)
        while (element := framer.next()) is not None:
            found.append(element)
    return found


def problem(*pieces: bytes, limits: FrameLimits | None = None) -> str:
    with pytest.raises(RemoteProtocolError) as raised:
        elements(*pieces, limits=limits)
    return raised.value.text.en


def test_an_element_has_attributes_children_and_text() -> None:
    [found] = elements(b'<protocol><room roomId="1"><data class="move"><direction>UP</direction></data>\n</room>')
    assert found.attributes == {"roomId": "1"}
    assert found.child("data").child("direction").text == "UP"


@pytest.mark.parametrize(
    "stream",
    [
        b'<protocol><join gameType="x"/>',
        b"<protocol><join gameType='x'></join>",
        b'\xef\xbb\xbf<protocol><join gameType="x"/>',
        b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<protocol>\n<join\tgameType = "x" />',
        b'<object-stream>hello <!-- a > comment --><join gameType="&#120;"/>',
        b'<protocol version="1"><?php ?><join gameType="x"/></protocol>',
        b'\r\n <?xml version="1.0"?><protocol><join gameType="x"/>',
        b'<protocol>\0<join gameType="x"/>\0\0<!-- \x1b -->\0',
    ],
)
def test_what_plays_on_the_reference_servers_is_taken_in_any_cut(stream: bytes) -> None:
    assert elements(stream) == [JOIN]
    assert elements(*(bytes([byte]) for byte in stream)) == [JOIN]
    for cut in range(1, len(stream)):
        assert elements(stream[:cut], stream[cut:]) == [JOIN]


def test_an_element_is_there_with_its_last_byte_and_not_before() -> None:
    framer = Framer()
    framer.feed(b'<protocol><room><data class="move"/></room')
    assert framer.next() is None
    framer.feed(b">")
    assert framer.next() is not None


def test_two_equal_messages_in_one_piece_are_two() -> None:
    assert elements(b'<protocol><join gameType="x"/><join gameType="x"/>') == [JOIN, JOIN]


def test_bytes_that_are_not_utf8_become_replacement_characters() -> None:
    assert elements(b'<protocol><a b="gr\xf6\xdfe \xc3', b'\xbc"/>') == [Element("a", {"b": "gr\ufffd\ufffde ü"})]


def test_control_characters_inside_a_message_become_blanks() -> None:
    assert elements(b'<protocol><a b="one\0two">\x07</a>') == [Element("a", {"b": "one two"}, (), " ")]


def test_the_end_of_the_root_is_the_end() -> None:
    framer = Framer()
    framer.feed(b"<protocol><a/></protocol> and more <nonsense")
    framer.feed(b"<<<<>")
    assert framer.closed
    assert framer.next() == Element("a")
    assert framer.next() is None


def test_what_was_whole_before_a_mistake_is_not_lost() -> None:
    framer = Framer()
    with pytest.raises(RemoteProtocolError):
        framer.feed(b'<protocol><join gameType="x"/><join></jion>')
    assert framer.next() == JOIN
    assert framer.next() is None
    with pytest.raises(RemoteProtocolError):
        framer.feed(b"<a/>")


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        (b"hello <a>", "line 1, column 1"),
        (b"GET / HTTP/1.0\r\n", "for browsers the pages have their own"),
        (b"\x16\x03\x01\x02\x00", "for browsers the pages have their own"),
        (b"HTTP/1.1 400 Bad Request\r\n", "a web server answers there"),
        (b"<protocol>\n<join gameType=x/>", "line 2, column 16"),
        (b"<protocol><a>&e;</a>", "undefined entity"),
        (b"<protocol><a b='1' b='2'/>", "duplicate attribute"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><protocol><a>&a;</a>", "DOCTYPE"),
        (b"<!DOCTYPE protocol><protocol><a/>", "DOCTYPE"),
    ],
)
def test_nonsense_is_refused_with_a_reason(stream: bytes, expected: str) -> None:
    assert expected in problem(stream)


@pytest.mark.parametrize(
    "stream", [b"<protocol><a b='%s'/>", b"<protocol>%s<a/>", b"<protocol><a>%s</a>", b"<protocol><!--%s-->"]
)
def test_a_message_beyond_the_size_limit_is_refused_however_it_comes(stream: bytes) -> None:
    large = stream % (b"x" * 3000)
    limits = FrameLimits(size=2000)
    assert "larger than 2000" in problem(large, limits=limits)
    assert "larger than 2000" in problem(*(large[i : i + 7] for i in range(0, len(large), 7)), limits=limits)


def test_the_size_limit_is_for_each_message_not_for_the_stream() -> None:
    messages = b'<join gameType="x"/>\n' * 10_000
    assert len(elements(b"<protocol>" + messages, limits=FrameLimits(size=500))) == 10_000


def test_deep_nesting_is_refused() -> None:
    assert "inside one another" in problem(b"<protocol>" + b"<a>" * 30)
    assert elements(b"<protocol>" + b"<a>" * 23 + b"</a>" * 23)


def test_endlessly_new_names_are_refused_before_they_fill_the_memory() -> None:
    many = b"".join(b"<a%d/>" % i for i in range(3000))
    assert "names" in problem(b"<protocol>" + many)


def test_a_large_token_in_tiny_pieces_is_refused_before_it_costs_time() -> None:
    """A closing bracket in each piece makes an old parser look at the whole token again and again."""
    stream = b"<protocol><a b='" + b">" * 60_000
    assert "pieces" in problem(*(stream[i : i + 1] for i in range(len(stream))))


def test_a_long_message_byte_by_byte_is_not_an_attack() -> None:
    stream = b"<protocol><a b='" + b"x" * 20_000 + b"'>" + b"<c>d</c>" * 250 + b"</a>"
    [found] = elements(*(stream[i : i + 1] for i in range(len(stream))))
    assert len(found.children) == 250


def test_a_message_of_thousands_of_small_elements_or_attributes_is_refused_before_it_costs_time() -> None:
    for inside in (b"<c/>" * 15_000, b"<c " + b"".join(b"a%d='' " % i for i in range(1500)) + b"/>"):
        assert "more than 256 elements and attributes" in problem(b"<protocol><a>" + inside + b"</a>")
    assert len(elements(b"<protocol>" + b"<a><c d='e'/></a>" * 1000)) == 1000  # in each message, not in all


@given(st.binary(max_size=300), st.integers(1, 40))
def test_random_bytes_never_raise_anything_else(data: bytes, width: int) -> None:
    framer = Framer(FrameLimits(size=100, depth=5, names=10))
    try:
        for piece in (b"<protocol>", *(data[i : i + width] for i in range(0, len(data), width))):
            framer.feed(piece)
    except RemoteProtocolError:
        pass


names = st.from_regex(r"[a-zA-Z][a-zA-Z.]{0,5}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["C"]), max_size=20)


def trees(depth: int) -> st.SearchStrategy[Element]:
    children = st.lists(trees(depth - 1), max_size=3).map(tuple) if depth else st.just(())
    # Text between child elements means nothing in this protocol, so an element has either.
    return st.builds(
        lambda name, attributes, inside, text: Element(name, attributes, inside, "" if inside else text.strip()),
        names,
        st.dictionaries(names, texts, max_size=3),
        children,
        texts,
    )


@pytest.mark.slow
@given(trees(3), st.integers(1, 9))
def test_what_is_written_is_read_back_in_any_cut(element: Element, width: int) -> None:
    from spielleiter.wire.writer import markup

    stream = b"<protocol>" + markup(element, 1).encode()
    [found] = elements(*(stream[i : i + width] for i in range(0, len(stream), width)))
    assert stripped(found) == element


def stripped(element: Element) -> Element:
    return Element(element.name, element.attributes, tuple(map(stripped, element.children)), element.text.strip())
