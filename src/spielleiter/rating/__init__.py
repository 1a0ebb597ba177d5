"""Counting that fools nobody: pairs, Elo, SPRT, Bradley-Terry and the table of the contest, all as pure functions.

Each module stands for itself and is imported by name: ``pairs`` (the unit), ``elo``, ``sprt``, ``peeking`` (two
players), ``bradley_terry`` (many), ``table`` (the contest). docs/statistics.md tells what the numbers mean.
"""
