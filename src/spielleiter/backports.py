"""What the player kit uses of Python 3.11, for players that are packed for Python 3.10."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Any, NoReturn

if sys.version_info >= (3, 11):
    from enum import StrEnum
    from typing import Self, assert_never
else:

    class StrEnum(str, Enum):
        """Constants that are strings."""

        __str__ = str.__str__
        __format__ = str.__format__

    if TYPE_CHECKING:
        from typing_extensions import Self, assert_never
    else:
        Self = Any

        def assert_never(value: Any) -> NoReturn:
            """Is never called."""
            raise AssertionError(f"unexpected {value!r}")


def add_note(error: BaseException, note: str) -> None:
    """Show ``note`` below the error, where this Python can do that."""
    if sys.version_info >= (3, 11):
        error.add_note(note)


__all__ = ["Self", "StrEnum", "add_note", "assert_never"]
