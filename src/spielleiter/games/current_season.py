"""The season that is played now: the one line that changes when a new one begins."""

CURRENT_SEASON = "blokus-2027"
