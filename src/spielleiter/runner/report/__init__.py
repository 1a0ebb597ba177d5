"""The report of a match: one page that opens anywhere without a network, and tables for further work."""

from spielleiter.runner.report.writing import write_report

__all__ = ["write_report"]
