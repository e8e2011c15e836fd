"""The environment of next-idea prediction: rewards and returns, and sessions that drive an episode with models."""
