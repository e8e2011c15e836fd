"""Evaluate models on next-idea tasks: rubric, win rates, gains by step, and ratings by experts (section 5)."""
