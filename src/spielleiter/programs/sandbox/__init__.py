"""Player programs are untrusted code: here they are isolated as well as the machine allows.

``choose`` finds the best level by trying; ``start`` starts a program; ``SandboxedProcess.stop`` leaves nothing behind.
"""

from spielleiter.programs.sandbox.files import ProgramFile, ProgramFiles, files_in
from spielleiter.programs.sandbox.kernel.cgroup import available as has_cgroups
from spielleiter.programs.sandbox.launch import JAVA, PYTHON, SYSTEM_PATH, LaunchSpec, Runtime, package_path, start
from spielleiter.programs.sandbox.levels import AUTO, Choice, choose
from spielleiter.programs.sandbox.limits import Breach, Level, ResourceLimits
from spielleiter.programs.sandbox.process import ExitStatus, SandboxedProcess

__all__ = [
    "AUTO",
    "JAVA",
    "PYTHON",
    "SYSTEM_PATH",
    "Breach",
    "Choice",
    "ExitStatus",
    "LaunchSpec",
    "Level",
    "ProgramFile",
    "ProgramFiles",
    "ResourceLimits",
    "Runtime",
    "SandboxedProcess",
    "choose",
    "files_in",
    "has_cgroups",
    "package_path",
    "start",
]
