"""The native engine for Python code: positions at native speed, and many games at once (see docs/rl.md).

``load(key)`` is a ``Game`` whose states are native; ``Batch`` plays many games in numpy arrays, ``self_play`` makes
training data (these need numpy, the extra ``rl``). Everything here raises ``EngineMissing`` where the engine was not
built; its search is ``spielleiter.search.engine``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from spielleiter.native.positions import NativeEncoding, load, position

if TYPE_CHECKING:
    from spielleiter._engine import Position
    from spielleiter.native.batch import NO_ACTION, Batch, Targets
    from spielleiter.native.trajectories import Trajectories, read, self_play

__all__ = [
    "NO_ACTION",
    "Batch",
    "NativeEncoding",
    "Position",
    "Targets",
    "Trajectories",
    "load",
    "position",
    "read",
    "self_play",
]

_LATER = {
    "Position": "spielleiter._engine",
    **dict.fromkeys(("NO_ACTION", "Batch", "Targets"), "spielleiter.native.batch"),
    **dict.fromkeys(("Trajectories", "read", "self_play"), "spielleiter.native.trajectories"),
}
"""What needs numpy or the built engine is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_LATER[name]), name)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        raise ModuleNotFoundError(
            f"spielleiter.native.{name} needs numpy: install the extra with pip install 'spielleiter[rl]'", name="numpy"
        ) from missing
