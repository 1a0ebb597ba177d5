"""Reads a season out of its store, for everything that shows it."""
