"""``spielleiter contest``: the commands of a season."""
