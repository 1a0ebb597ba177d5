"""The guesses of a class."""

from __future__ import annotations

from spielleiter.web.watch.show import MAX_BROWSERS, MAX_QUESTIONS, Guesses


def test_a_browser_has_one_guess_and_may_change_its_mind() -> None:
    guesses = Guesses()
    assert guesses.guess("M1-A1", "ada", 0)
    assert guesses.guess("M1-A1", "bob", 1)
    assert guesses.guess("M1-A1", "ada", 1)
    assert guesses.counts("M1-A1") == (0, 2)
    assert guesses.of("ada") == {"M1-A1": 1}
    assert guesses.counts("M1-A2") == (0, 0)


def test_memory_is_bounded_however_many_guess() -> None:
    guesses = Guesses()
    for number in range(MAX_BROWSERS):
        assert guesses.guess("full", str(number), 0)
    assert not guesses.guess("full", "one more", 1)
    assert guesses.guess("full", "7", 1)
    assert guesses.counts("full") == (MAX_BROWSERS - 1, 1)
    for number in range(MAX_QUESTIONS):
        guesses.guess(f"question {number}", "ada", 0)
    assert guesses.counts("full") == (0, 0)
