"""The places for which ``pack`` makes ZIPs: what runs programs there, what is there, and how large a ZIP may be.

The organisers offer several images and name them on the upload page; their Python kit is made for these two.
"""

from __future__ import annotations

from dataclasses import dataclass

from spielleiter.errors import SettingsError
from spielleiter.game import Text
from spielleiter.programs.archive import MAX_ZIP
from spielleiter.programs.runtimes import PythonNeed, PythonVersion
from spielleiter.text import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An image of the contest."""

    name: str
    python: PythonVersion
    platforms: tuple[str, ...]
    """The tags of wheels that run there, as pip writes them."""
    image: Text
    """What to choose on the upload page."""
    provides: tuple[str, ...] = ()
    """Packages that are there beside Python's own."""
    max_size: int = MAX_ZIP
    """Bytes of the ZIP: the organisers name no limit, ours is that of our own contests."""

    @property
    def need(self) -> PythonNeed:
        """The Python that a ZIP for this target needs."""
        return PythonNeed(self.python, Text(f"gepackt für {self.name}", f"packed for {self.name}"), bare=True)


def _python(minor: int) -> Target:
    return Target(
        name=f"contest-python-3.{minor}",
        python=PythonVersion(3, minor),
        # What the documentation of the organisers' kit says for the images.
        platforms=("manylinux2014_x86_64",),
        image=Text(f"Python 3.{minor}", f"Python 3.{minor}"),
    )


TARGETS = {target.name: target for target in (_python(10), _python(12))}


def load(name: str) -> Target:
    """The target of that name. Raises ``SettingsError``."""
    if name not in TARGETS:
        hint = did_you_mean(name, TARGETS)
        raise SettingsError(f"Ein Ziel {name!r} gibt es nicht: {hint.de}.", f"there is no target {name!r}: {hint.en}")
    return TARGETS[name]
