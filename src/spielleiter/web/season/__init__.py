"""The public pages of a running season."""
