"""Training on preferences between ideas: the data set, the objectives, their measures, and the trainer."""
