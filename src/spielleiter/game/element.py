"""An XML element as a plain value: what the wire hands to a game, and how a game reads it.

Reading never trusts: each reader says what it expected and what came, as a ``MessageError``. A value may stand
in an attribute or in a child element of that name, because the servers of all seasons took both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from spielleiter.errors import MessageError

T = TypeVar("T")

_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_SHOWN = 60
"""How much of what a peer sent an error message repeats."""


def shown(text: str) -> str:
    """``text`` in quotes, cut if it is long: for error messages."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


@dataclass(frozen=True, slots=True)
class Element:
    """An element with its attributes, its child elements and the text between them."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Element, ...] = ()
    text: str = ""

    def find(self, name: str) -> Element | None:
        """The first child called ``name``, or ``None``."""
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> Iterator[Element]:
        """The children called ``name``, in order."""
        return (child for child in self.children if child.name == name)

    def child(self, name: str) -> Element:
        """The first child called ``name``."""
        found = self.find(name)
        if found is None:
            raise MessageError(
                f"<{self.name}> braucht ein Element <{name}>, es fehlt",
                f"<{self.name}> needs a <{name}>, it is missing",
            )
        return found

    def get(self, name: str) -> str | None:
        """The attribute ``name``, or the text of the child of that name, or ``None``."""
        value = self.attributes.get(name)
        if value is not None or not self.children:
            return value
        found = self.find(name)
        return None if found is None else found.text.strip()

    def value(self, name: str) -> str:
        """The attribute ``name``, or the text of the child of that name."""
        found = self.get(name)
        if found is None:
            raise MessageError(f"<{self.name}> braucht {name}, es fehlt", f"<{self.name}> needs {name}, it is missing")
        return found

    def one_of(self, *kinds: str) -> str:
        """Which of ``kinds`` the class of this element is: its last word, in small letters, without the package."""
        named = self.get("class")
        kind = (named or "").rpartition(".")[2].lower()
        if kind not in kinds:
            came, known = "None" if named is None else shown(named), ", ".join(kinds)
            raise MessageError(
                f"<{self.name}> muss die Klasse {known} haben, nicht {came}",
                f"<{self.name}> must have the class {known}, not {came}",
            )
        return kind

    def integer(self, name: str) -> int:
        """The value called ``name``, a whole number."""
        return _integer(self.value(name), f"{name} in <{self.name}>")

    def choice(self, name: str, choices: Mapping[str, T]) -> T:
        """What ``choices`` says for the value called ``name``."""
        return _choice(self.value(name), choices, f"{name} in <{self.name}>")

    def boolean(self, name: str, default: bool | None = None) -> bool:
        """The value called ``name``, ``true`` or ``false``; ``default`` if it is missing and there is one."""
        if default is not None and self.get(name) is None:
            return default
        return self.choice(name, _BOOLEANS)

    def own_integer(self) -> int:
        """The text of this element, a whole number."""
        return _integer(self.text.strip(), f"<{self.name}>")

    def own_choice(self, choices: Mapping[str, T]) -> T:
        """What ``choices`` says for the text of this element."""
        return _choice(self.text.strip(), choices, f"<{self.name}>")


_BOOLEANS = {"true": True, "false": False, "TRUE": True, "FALSE": False, "True": True, "False": False}


def _integer(text: str, where: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise MessageError(
            f"{where} muss eine ganze Zahl sein, nicht {shown(text)}",
            f"{where} must be a whole number, not {shown(text)}",
        )
    return int(text)


def _choice(text: str, choices: Mapping[str, T], where: str) -> T:
    if text not in choices:
        known = ", ".join(choices)
        raise MessageError(
            f"{where} muss eins von {known} sein, nicht {shown(text)}",
            f"{where} must be one of {known}, not {shown(text)}",
        )
    return choices[text]
