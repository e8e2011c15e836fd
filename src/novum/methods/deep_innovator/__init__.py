"""DeepInnovator: an idea from a research context, refined under comments. The episode is shared with its training."""

from novum.methods.deep_innovator.generator import deep_innovator

__all__ = ["deep_innovator"]
