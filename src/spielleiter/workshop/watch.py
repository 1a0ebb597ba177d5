"""Watches a player's own code while it runs: its time, the lines that it reaches, and what its functions return.

Only code of the editor is watched, so everything that it calls in this package runs at full speed. Python 3.12 and
newer do that by ``sys.monitoring``, as in the browser; Python 3.11 by its slower ``sys.settrace``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from spielleiter.errors import CodeRefused
from spielleiter.workshop.problems import FILE, time_problem

OnReturn = Callable[[FrameType, Any], None]
OnLine = Callable[[int], None]


class _TimeIsUp(BaseException):
    """Raised inside a player's code when its time is up; ``except Exception`` does not catch it."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Watch:
    """The watch of one program."""

    def __init__(self, code: CodeType) -> None:
        self._codes = list(_all_codes(code))
        self._deadline = float("inf")
        self._on_return: OnReturn | None = None
        self._on_line: OnLine | None = None
        self.answer_line: int | None = None
        """Where ``choose`` has returned last."""

    @contextmanager
    def watching(
        self, seconds: float, on_return: OnReturn | None = None, on_line: OnLine | None = None
    ) -> Iterator[None]:
        """Stop the program after so many seconds of processor time. Raises ``CodeRefused``.

        ``on_line`` gets each line once.
        """
        self._deadline = time.process_time() + seconds
        self._on_return, self._on_line = on_return, on_line
        self.answer_line = None
        try:
            with _monitored(self) if hasattr(sys, "monitoring") else _traced(self):
                yield
        except _TimeIsUp as up:
            raise CodeRefused(time_problem(seconds, up.line)) from None

    def _check(self, frame: FrameType) -> None:
        if time.process_time() > self._deadline:
            raise _TimeIsUp(frame.f_lineno)

    def _returned(self, frame: FrameType, value: Any) -> None:
        if frame.f_code.co_name == _CHOOSE:
            self.answer_line = frame.f_lineno
        if self._on_return is not None:
            self._on_return(frame, value)


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _all_codes(constant)


_CHOOSE = "choose"
_TOOL = 4
"""A number that no debugger, profiler or coverage uses."""


@contextmanager
def _monitored(watch: Watch) -> Iterator[None]:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore] # There from Python 3.12 on.
    events = monitoring.events

    def reached(code: CodeType, *place: int) -> None:
        watch._check(sys._getframe(1))

    def returned(code: CodeType, offset: int, value: Any) -> None:
        watch._returned(sys._getframe(1), value)

    def line_reached(code: CodeType, line: int) -> Any:
        if watch._on_line is not None:
            watch._on_line(line)
        return monitoring.DISABLE

    always = events.JUMP | events.PY_START | (events.LINE if watch._on_line is not None else 0)
    callbacks = {events.JUMP: reached, events.PY_START: reached, events.PY_RETURN: returned, events.LINE: line_reached}
    monitoring.use_tool_id(_TOOL, "workshop")
    try:
        for event, callback in callbacks.items():
            monitoring.register_callback(_TOOL, event, callback)
        for code in watch._codes:
            wants_return = watch._on_return is not None or code.co_name == _CHOOSE
            monitoring.set_local_events(_TOOL, code, always | (events.PY_RETURN if wants_return else 0))
        monitoring.restart_events()
        yield
    finally:
        for code in watch._codes:
            monitoring.set_local_events(_TOOL, code, 0)
        for event in callbacks:
            monitoring.register_callback(_TOOL, event, None)
        monitoring.free_tool_id(_TOOL)


@contextmanager
def _traced(watch: Watch) -> Iterator[None]:
    seen: set[int] = set()

    def enter(frame: FrameType, event: str, value: Any) -> Any:
        if frame.f_code.co_filename != FILE:
            return None
        frame.f_trace_opcodes = True  # Of a loop in one line there is no other event.
        return inside

    def inside(frame: FrameType, event: str, value: Any) -> Any:
        if event == "line" and watch._on_line is not None and frame.f_lineno not in seen:
            seen.add(frame.f_lineno)
            watch._on_line(frame.f_lineno)
        if event == "return":
            watch._returned(frame, value)
        else:
            watch._check(frame)
        return inside

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)
