"""A season for everybody, for members of its teams and for its organisers, and what these pages share."""
