"""Puzzles in the browser: a stream by game and difficulty, one for each day, and moves that are answered at once."""
