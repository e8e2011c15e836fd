"""Train a policy by GRPO on next-idea tasks: recipes, rollouts, the watch, and the processes."""
