"""Thinking ahead, for any game that fulfils the contract: alpha-beta and tree search, and the native engine."""

from spielleiter.search.alphabeta import AlphaBeta
from spielleiter.search.budget import Budget
from spielleiter.search.mcts import MonteCarlo
from spielleiter.search.quiet import quiet
from spielleiter.search.result import WIN, SearchResult, final_value

__all__ = ["WIN", "AlphaBeta", "Budget", "MonteCarlo", "SearchResult", "final_value", "quiet"]
