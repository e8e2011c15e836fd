"""Pages of next-idea prediction: a task with its graph, a training, an evaluation. They render records alone."""
