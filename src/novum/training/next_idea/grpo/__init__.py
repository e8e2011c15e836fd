"""Train a policy by GRPO in the environment of next-idea prediction: recipes, rollouts, the watch, and the processes."""
