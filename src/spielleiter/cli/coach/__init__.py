"""``spielleiter coach`` and ``spielleiter drill``: what a player should improve first, and whether it has learnt."""
