"""Training: data sets of reviews and of preferences, reviewer models trained on them, and their reports."""
