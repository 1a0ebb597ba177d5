"""``spielleiter coach`` and ``spielleiter drill``: what a player should mend first, and whether it has learnt."""
