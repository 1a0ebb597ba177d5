"""A class or an evening: seats for people by a join code, tasks, rounds of games, and a tournament of their players."""
