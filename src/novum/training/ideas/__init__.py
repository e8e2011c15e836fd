"""Training data of idea models, and what is trained on them in rounds: ideas on topics, their scores, new pairs."""
