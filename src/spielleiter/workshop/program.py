"""The text in the editor as a player: read, run once, and its ``choose`` found."""

from __future__ import annotations

import io
import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from spielleiter import client
from spielleiter.errors import CodeRefused
from spielleiter.text import Text
from spielleiter.workshop.problems import FILE, Problem, error_problem, syntax_problem
from spielleiter.workshop.watch import OnLine, OnReturn, Watch

MAX_CODE = 256 * 1024
"""Characters of a program. A good player has a tenth of that."""
MAX_PRINTED = 4000
"""Characters that are shown of what a program prints for one move."""
START_SECONDS = 2.0
"""Time limit for the top level of a program."""
_MODULE = "player"


class Printed(io.TextIOBase):
    """Takes what a program prints, up to a limit."""

    def __init__(self) -> None:
        self.text = ""
        self.is_cut = False

    def write(self, text: str) -> int:
        """Keep ``text`` as far as there is room."""
        room = MAX_PRINTED - len(self.text)
        self.text += text[:room]
        self.is_cut |= len(text) > room
        return len(text)

    def writable(self) -> bool:
        return True

    def __str__(self) -> str:
        return f"{self.text} …" if self.is_cut else self.text


@contextmanager
def printing_to(printed: Printed) -> Iterator[None]:
    """What the block prints goes there, and nothing else."""
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class Listener(Protocol):
    """Hears when the program runs: it may never come back, and then others know where it was."""

    on_line: OnLine | None
    """Gets each line that is reached, once a call; ``None``: nobody asks."""

    def begins(self, seconds: float) -> None:
        """The program runs now, for so many seconds at most."""

    def ends(self) -> None:
        """It does not run now."""


class _Nobody:
    on_line: OnLine | None = None

    def begins(self, seconds: float) -> None:
        pass

    def ends(self) -> None:
        pass


class Program:
    """A player's code that could be run. ``new_player`` makes a player for each game."""

    def __init__(self, source: str, listener: Listener | None = None) -> None:
        """Run ``source`` once. Raises ``CodeRefused``."""
        self._listener = listener or _Nobody()
        if len(source) > MAX_CODE:
            raise CodeRefused(
                Problem(
                    "code",
                    Text(
                        f"Das sind mehr als {MAX_CODE // 1024} KiB Code.",
                        f"This is more than {MAX_CODE // 1024} KiB of code.",
                    ),
                    Text("Ein Spieler passt in einen Bruchteil davon.", "A player fits into a fraction of that."),
                )
            )
        linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
        try:
            code = compile(source, FILE, "exec")
        except SyntaxError as error:
            raise CodeRefused(syntax_problem(error)) from None
        except (ValueError, RecursionError, MemoryError) as error:  # Null bytes, and brackets that are too deep.
            raise CodeRefused(_unreadable(error)) from None
        self._watch = Watch(code)
        self.printed = Printed()
        self.names: dict[str, Any] = {"__name__": _MODULE, "__file__": FILE, "__builtins__": __builtins__}
        module = type(sys)(_MODULE)
        module.__dict__.update(self.names)
        self.names = module.__dict__
        sys.modules[_MODULE] = module  # Where dataclasses and pickle look for it.
        self._handed_over: list[Any] = []
        with _play_replaced(self._handed_over.append):
            self.run(START_SECONDS, lambda: exec(code, self.names), self.printed)  # noqa: S102 - that is the workshop's trade
        self._choose_of = self._find_player()

    def run(
        self,
        seconds: float,
        call: Callable[[], Any],
        printed: Printed,
        on_return: OnReturn | None = None,
    ) -> Any:
        """What a call into the program returns. Raises ``CodeRefused`` with what it did wrong."""
        self._listener.begins(seconds)
        try:
            with printing_to(printed), self._watch.watching(seconds, on_return, self._listener.on_line):
                return call()
        except CodeRefused:
            raise
        except BaseException as error:
            raise CodeRefused(error_problem(error, self.names)) from error
        finally:
            self._listener.ends()

    @property
    def answer_line(self) -> int | None:
        """Where ``choose`` has returned last."""
        return self._watch.answer_line

    def new_player(self) -> Any:
        """The function or the object that plays one game. Raises ``CodeRefused``."""
        return self.run(START_SECONDS, self._choose_of, self.printed)

    def _find_player(self) -> Callable[[], Any]:
        """What makes a player: of what was given to ``play``, of a function ``choose``, or of a class that has it."""
        if self._handed_over:
            handed = self._handed_over[-1]
            return lambda: handed
        own = [value for value in self.names.values() if getattr(value, "__module__", "") == _MODULE]
        if callable(choose := self.names.get("choose")):
            return lambda: choose
        classes = [value for value in own if isinstance(value, type) and callable(getattr(value, "choose", None))]
        if classes:
            return classes[-1]
        raise CodeRefused(
            Problem(
                "code",
                Text("Deinem Spieler fehlt die Funktion choose.", "Your player lacks the function choose."),
                Text(
                    "Sie heißt def choose(state, seconds): und gibt einen Zug zurück.",
                    "It is called def choose(state, seconds): and returns a move.",
                ),
            )
        )


def _unreadable(error: Exception) -> Problem:
    return Problem("syntax", Text(f"Python kann das nicht lesen: {error}", f"Python cannot read this: {error}"))


@contextmanager
def _play_replaced(take: Callable[[Any], None]) -> Iterator[None]:
    """Inside the block ``play(player)`` does not look for a server, but hands the player over."""

    def hand_over(player: Any, **settings: Any) -> None:
        take(player)

    before = client.play
    client.play = hand_over  # type: ignore[assignment]
    try:
        yield
    finally:
        client.play = before
