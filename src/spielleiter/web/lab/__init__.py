"""The laboratory: a queue of tests of players, and their ratings."""
