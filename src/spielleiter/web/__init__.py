"""THE PAGES: watch, play and understand games in the browser."""
