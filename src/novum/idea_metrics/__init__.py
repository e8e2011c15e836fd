"""Scores of ideas without a language model, by metrics fitted to a library: the Creativity Index, the User Satisfaction
Score, and further measures."""
