"""The codec of every rule set: what it writes it reads back, and it reads nothing but what makes sense."""

import re
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.errors import MessageError
from spielleiter.game import AnyGame, Element, random_game
from spielleiter.wire.framing import SERVER_FRAMES, Framer
from spielleiter.wire.writer import markup
from tests.support.rule_sets import each_game


def parse(xml: str) -> Element:
    framer = Framer(SERVER_FRAMES)
    framer.feed(b"<protocol>" + xml.encode())
    element = framer.next()
    assert element is not None
    return element


@each_game
def test_the_states_of_a_game_come_back_from_the_wire(game: AnyGame) -> None:
    rng = Random(5)
    write = game.codec.state_writer(("Alice & <Bob>", ""))
    for state in random_game(game.new_state(rng), rng):
        read = game.codec.read_state(parse(write(state, ())))
        assert read == state
        assert read.last_move == state.last_move
        assert read.legal_moves() == state.legal_moves()


@each_game
def test_a_writer_writes_any_state_as_a_new_one_does(game: AnyGame) -> None:
    """Only the order of a map may depend on what was written before."""
    rng = Random(6)
    states = [*random_game(game.new_state(rng), rng)]
    write = game.codec.state_writer(("a", "b"))
    for state in (*states, *reversed(states), *rng.sample(states, 10)):
        assert sorted(write(state, ()).split("\n")) == sorted(
            game.codec.state_writer(("a", "b"))(state, ()).split("\n")
        )


@each_game
def test_every_move_comes_back_from_the_wire_also_one_off_the_board(game: AnyGame) -> None:
    rng = Random(7)
    moves = [game.garbage_move(rng) for _ in range(200)]
    for state in random_game(game.new_state(rng), rng):
        moves += rng.sample(state.legal_moves(), min(3, len(state.legal_moves())))
    for move in moves:
        xml = game.codec.write_move(move)
        read = game.codec.read_move(parse(xml))
        assert read == move
        assert game.codec.write_move(read) == xml


@each_game
def test_moves_are_formatted_as_the_wire_formats_elements(game: AnyGame) -> None:
    xml = game.codec.write_move(game.new_state(Random(8)).legal_moves()[0])
    assert xml == markup(parse(xml), 2)


@each_game
def test_states_are_formatted_as_the_wire_formats_elements(game: AnyGame) -> None:
    *_, state = random_game(game.new_state(Random(9)), Random(9))
    xml = game.codec.state_writer(("Alice", "Bob"))(state, ())
    assert xml == markup(parse(xml), 3)


@each_game
def test_unknown_attributes_and_children_of_a_move_are_ignored(game: AnyGame) -> None:
    move = game.new_state(Random(8)).legal_moves()[0]
    data = parse(game.codec.write_move(move))
    hint = Element("hint", {"content": "I like this one"})
    more = Element(data.name, {**data.attributes, "mood": "good"}, (hint, *data.children, hint), "text")
    assert game.codec.read_move(more) == move


@each_game
def test_class_names_are_taken_with_and_without_their_package(game: AnyGame) -> None:
    move = game.new_state(Random(8)).legal_moves()[0]
    xml = game.codec.write_move(move)
    [name] = re.findall(r'class="(?:sc\.plugin\d+\.)?(\w+)"', xml)
    for spelling in (name, name.lower(), f"sc.plugin{game.year}.{name.capitalize()}"):
        assert game.codec.read_move(parse(re.sub(r'class="[\w.]+"', f'class="{spelling}"', xml))) == move


@each_game
def test_only_the_game_with_hints_repeats_them(game: AnyGame) -> None:
    state = game.new_state(Random(8))
    state = state.play(state.legal_moves()[0])
    xml = game.codec.state_writer(("", ""))(state, ["a < b"])
    assert ('<hint content="a &lt; b"/>' in xml) == (game.year == 2019)
    assert game.codec.read_state(parse(xml)) == state


# --- nonsense ---------------------------------------------------------------------------------------------------------

WORDS = """
    move setmove SkipMove sc.plugin2027.SetMove 0 -1 7 99999999999 1.5 true false UP DOWN_LEFT BLUE RED MONO PENTO_I
    NONE MIRROR ONE TWO EMPTY SQUID ONE_L Robbe Moewe 3 20 turn ٣ １
"""
TAGS = """
    data state from to direction piece position color x y class board fields field row pieces entry coordinates count
    type team ambers int lastMove lastMoveMono boolean validColors blueShapes yellowShapes redShapes greenShapes shape
    turn startPiece content isFlipped rotation kind firstUnion hint
"""
words = st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=5))
tags = st.sampled_from(TAGS.split())


def nonsense(depth: int) -> st.SearchStrategy[Element]:
    children = st.lists(nonsense(depth - 1), max_size=4).map(tuple) if depth else st.just(())
    return st.builds(Element, tags, st.dictionaries(tags, words, max_size=5), children, words)


@pytest.mark.slow
@each_game
@given(element=nonsense(3))
def test_nonsense_raises_nothing_but_message_errors(game: AnyGame, element: Element) -> None:
    for read in (game.codec.read_move, game.codec.read_state):
        with suppress(MessageError):
            assert read(element) is not None


@each_game
@given(data=st.data())
def test_a_damaged_message_raises_nothing_but_message_errors(game: AnyGame, data: st.DataObject) -> None:
    """One place of a real message is exchanged, which gets deeper than pure nonsense; a judge must survive the move."""
    state = game.new_state(Random(4))
    for read, xml in (
        (game.codec.read_move, game.codec.write_move(state.legal_moves()[0])),
        (game.codec.read_state, game.codec.state_writer(("", ""))(state, ())),
    ):
        places = [match.span(1) for match in re.finditer(r'"([^"]*)"|(?<=>)(\w+)(?=<)', xml) if match[1] is not None]
        start, stop = data.draw(st.sampled_from(places))
        word = data.draw(words)
        try:
            found = read(parse(markup(replaced(parse(xml), xml[start:stop], word), 0)))
        except MessageError:
            continue
        if read == game.codec.read_move:
            state.violation(found)


def replaced(element: Element, old: str, new: str) -> Element:
    attributes = {key: new if value == old else value for key, value in element.attributes.items()}
    text = new if element.text == old else element.text
    return Element(element.name, attributes, tuple(replaced(child, old, new) for child in element.children), text)
