"""The words that the positions of all games share."""

from __future__ import annotations

import pytest

from spielleiter.errors import NotationError
from spielleiter.game import Text
from spielleiter.game.notation import TURN, Word, read_position_words, read_turn

NAMES = (Text("Spielfeld", "the board"), TURN)


def test_a_position_is_its_key_and_the_words_behind_it_wherever_they_stand() -> None:
    assert read_position_words("  toy  ab\t7\n", "toy", NAMES) == [Word("ab", 7), Word("7", 10)]


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("", 0, "expected the key of the game, the board, the turn, but found 0 words"),
        ("toy", 3, "found 1 word"),
        ("toy ab 7 8", 9, "found 4 words"),
        ("toys ab 7", 0, "expected toy, the key of the game, found toys"),
    ],
)
def test_other_words_are_refused_with_their_place(text: str, at: int, problem: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_position_words(text, "toy", NAMES)
    assert refused.value.at == at
    assert problem in refused.value.problem.en


@pytest.mark.parametrize("word", ["61", "-1", "07", "²", "٣", "", "7.0", "1" * 5000])
def test_a_turn_is_a_plain_number_up_to_its_limit(word: str) -> None:
    with pytest.raises(NotationError, match="expected the turn, 0 to 60"):
        read_turn("...", Word(word, 0), 60)
    assert read_turn("...", Word("60", 0), 60) == 60
