"""Player programs are strangers' code: here they are locked up as well as the machine allows.

``levels.choose`` finds the best level by trying; ``start`` starts a program; ``Confined.stop`` leaves nothing behind.
"""

from spielleiter.programs.sandbox.files import ProgramFiles, pack, pack_files
from spielleiter.programs.sandbox.launch import LaunchSpec, start
from spielleiter.programs.sandbox.levels import Choice, choose
from spielleiter.programs.sandbox.limits import Breach, Level, ResourceLimits
from spielleiter.programs.sandbox.process import ExitStatus, SandboxedProcess

__all__ = [
    "Breach",
    "Choice",
    "ExitStatus",
    "LaunchSpec",
    "Level",
    "ProgramFiles",
    "ResourceLimits",
    "SandboxedProcess",
    "choose",
    "pack",
    "pack_files",
    "start",
]
