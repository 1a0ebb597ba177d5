"""Recorded games: list, walk through, download, understand."""
