"""A season as pure values: its file, schedule, bracket and encounters."""
