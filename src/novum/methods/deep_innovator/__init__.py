"""DeepInnovator: an idea from a research context, refined under comments. The episode is shared with its training."""
