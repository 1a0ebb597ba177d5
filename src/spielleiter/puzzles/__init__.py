"""Positions with exactly one winning move: those that the games bring in their folders, and attempts to solve them."""

from spielleiter.puzzles.attempt import Attempt, Progress
from spielleiter.puzzles.puzzle import Difficulty, Puzzle, all_puzzles, daily_puzzle, find_puzzle

__all__ = ["Attempt", "Difficulty", "Progress", "Puzzle", "all_puzzles", "daily_puzzle", "find_puzzle"]
