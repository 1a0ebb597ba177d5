"""Honest statistics as pure functions: pairs, Elo, SPRT, Bradley-Terry and the standings of a contest.

Import the modules by name: ``pairs`` (the unit), ``elo``, ``sprt``, ``optional_stopping`` (two players),
``bradley_terry`` (many), ``standings`` (the contest). docs/statistics.md explains what the numbers mean.
"""
