"""How good reviewers are, to be read: ratings, decisions, agreement and texts, beside plain baselines and real
reviewers."""
