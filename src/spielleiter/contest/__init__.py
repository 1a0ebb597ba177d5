"""The contest: season, teams, phases, encounters, standings, and the store of all of it."""
