"""Commands about ideas: ideate, explore, review, filter, score, select."""
