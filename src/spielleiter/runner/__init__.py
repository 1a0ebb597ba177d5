"""Matches: pairings, player processes and their sandbox, limits, executors."""
