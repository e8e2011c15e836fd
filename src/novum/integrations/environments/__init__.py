"""The environment of next-idea prediction for other trainers: verifiers and OpenEnv. Both drive the same session."""
