"""THE PAGES: watch, play and understand games in the browser; needs the extra ``web``."""
