"""Who may log in, and how often somebody may try."""
