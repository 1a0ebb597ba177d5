"""``spielleiter match``: the command, and how a running match is shown."""
