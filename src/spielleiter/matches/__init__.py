"""Matches: plan, pairings, openings, the arena, executors, results and their summary."""
