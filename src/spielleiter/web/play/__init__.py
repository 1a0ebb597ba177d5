"""Play in the browser: start a game, play by hand."""
