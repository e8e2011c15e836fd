"""Foresight: ideas from before a day, held against what was published after it."""
