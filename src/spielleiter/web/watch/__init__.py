"""Watch running games."""
