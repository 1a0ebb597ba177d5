"""Learning a game: its rules, and exercises on a board."""
