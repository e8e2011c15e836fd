"""How good reviewers are: what they say of later papers, held against what became of these."""
