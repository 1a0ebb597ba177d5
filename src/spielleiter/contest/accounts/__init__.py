"""Who may log in, and how often a visitor may try."""
