"""THE COACH: what a player should mend first, read from its recorded games; and the drill that shows what it learnt."""
