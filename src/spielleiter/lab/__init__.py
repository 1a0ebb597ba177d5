"""The laboratory around matches: opening books, ratings over several matches, tuning, commits against each other."""
