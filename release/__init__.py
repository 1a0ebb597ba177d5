"""Building, installing and trying out what is released."""
