"""The public pages of a season: what they tell, how it is drawn, and the site that needs no server."""
