"""Measurements; see the module of each. Run from the top folder: ``python -m bench.rules``."""
