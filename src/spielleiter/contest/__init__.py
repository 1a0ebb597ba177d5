"""The contest: season, teams, phases, encounters, standings, and the store that keeps them safe."""
