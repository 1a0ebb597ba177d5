"""Records of games: write, read, replay and verify them."""
