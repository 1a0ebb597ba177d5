"""The pages of a season that everybody may read: what they tell, how it is drawn, and the site that needs no server."""
