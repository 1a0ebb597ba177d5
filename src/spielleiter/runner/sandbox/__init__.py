"""Player programs are strangers' code: here they are locked up as well as the machine allows.

``levels.choose`` finds the best level by trying; ``start`` starts a program; ``Confined.stop`` leaves nothing behind.
"""

from spielleiter.runner.sandbox.allowance import Allowance, Breach, Level
from spielleiter.runner.sandbox.confined import Confined, Ending
from spielleiter.runner.sandbox.levels import Choice, choose
from spielleiter.runner.sandbox.parcel import Parcel, pack, pack_files
from spielleiter.runner.sandbox.starting import Order, start

__all__ = [
    "Allowance",
    "Breach",
    "Choice",
    "Confined",
    "Ending",
    "Level",
    "Order",
    "Parcel",
    "choose",
    "pack",
    "pack_files",
    "start",
]
