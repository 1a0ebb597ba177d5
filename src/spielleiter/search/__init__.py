"""SEARCH: what a search is asked and what it answers, in Python or by the native engine."""

from spielleiter.search.result import Line, SearchLimits, SearchResult

__all__ = ["Line", "SearchLimits", "SearchResult"]
