"""Who wins? The guesses of a class: one for each browser and encounter, in bounded memory, and nowhere else."""

from __future__ import annotations

from collections import OrderedDict

MAX_QUESTIONS = 100
MAX_BROWSERS = 5000
"""For each question."""


class Guesses:
    """What was guessed; the oldest questions are forgotten."""

    def __init__(self) -> None:
        self._questions: OrderedDict[str, dict[str, int]] = OrderedDict()

    def guess(self, question: str, browser: str, side: int) -> bool:
        """Remember that ``browser`` now believes in ``side`` (0 or 1); ``False`` if too many have guessed."""
        answers = self._questions.setdefault(question, {})
        self._questions.move_to_end(question)
        while len(self._questions) > MAX_QUESTIONS:
            self._questions.popitem(last=False)
        if browser not in answers and len(answers) >= MAX_BROWSERS:
            return False
        answers[browser] = side
        return True

    def counts(self, question: str) -> tuple[int, int]:
        """How many believe in each side."""
        answers = self._questions.get(question, {}).values()
        second = sum(answers)
        return len(answers) - second, second

    def of(self, browser: str) -> dict[str, int]:
        """What this browser has guessed, by question."""
        return {question: answers[browser] for question, answers in self._questions.items() if browser in answers}
