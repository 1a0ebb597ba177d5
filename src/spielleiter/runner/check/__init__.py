"""THE CHECK of a player program before upload: ``check_program`` plays some games with it and lists what it finds."""

from spielleiter.runner.check.checking import CheckReport, CheckSettings, check_program
from spielleiter.runner.check.findings import Finding, Verdict

__all__ = ["CheckReport", "CheckSettings", "Finding", "Verdict", "check_program"]
