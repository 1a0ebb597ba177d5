"""The whole Software-Challenge in one package; start at ``spielleiter.games``."""

__version__ = "1.0.0"
