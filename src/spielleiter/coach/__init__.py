"""THE COACH: what a player should improve first, read from its recorded games; and the drill that tests it."""
