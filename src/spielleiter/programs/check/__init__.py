"""THE CHECK of a player program before upload: ``check_program`` plays some games and lists what it finds."""

from spielleiter.programs.check.findings import Finding, Mark
from spielleiter.programs.check.run import CheckReport, CheckSettings, FirstVerdict, check_program

__all__ = ["CheckReport", "CheckSettings", "Finding", "FirstVerdict", "Mark", "check_program"]
