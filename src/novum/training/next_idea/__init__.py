"""Next-idea prediction (DeepInnovator): data sets, the environment with its rewards, GRPO training, and evaluation.

`data/` turns papers into tasks; the episode itself is in `novum.methods.deep_innovator`.
"""
