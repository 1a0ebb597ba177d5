"""A season as it is played: what is next, games given out, results, rulings, proof."""
