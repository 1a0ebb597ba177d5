"""Coverage-guided fuzzing of everything that reads what strangers send: ``make fuzz``."""
