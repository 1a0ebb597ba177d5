"""The pages of a contest behind the log-in: for the members of teams, and for organisers."""
