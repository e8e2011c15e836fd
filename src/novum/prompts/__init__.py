"""Every text that a model reads, one file each, and the loader that renders them."""

from novum.prompts.loader import Message, Prompt, PromptBook, Rendered, builtin_prompts
from novum.prompts.untrusted import FENCE, draw_fence

__all__ = ["FENCE", "Message", "Prompt", "PromptBook", "Rendered", "builtin_prompts", "draw_fence"]
