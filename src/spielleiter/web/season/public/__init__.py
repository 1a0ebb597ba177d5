"""Pages of the season for everybody."""
