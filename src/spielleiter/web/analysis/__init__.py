"""The engine beside every board: the analysis board, its editor, and the reports of games."""
