"""The report of a match: one page that opens anywhere without a network, and tables for further work."""

from spielleiter.pages.match_report.report import write_report

__all__ = ["write_report"]
