"""Pages for the members of a team."""
