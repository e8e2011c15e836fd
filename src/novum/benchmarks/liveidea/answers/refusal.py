"""Whether a model declined to have an idea: it says so at once, and in the first person."""

from __future__ import annotations

import re

OPENING = 200
"""Characters of an answer in which a refusal shows. Further on, «I cannot» is part of an idea."""

_I_AM = r"\bI(?:\s{1,3}am|['’]m)\s{1,3}"
_REFUSAL = re.compile(
    rf"{_I_AM}(?:\w{{1,12}}\s)?sorry\b|\bI\s{{1,3}}apologi[sz]e\b"
    r"|\bI\s{1,3}(?:cannot|can\snot|can['’]t)\b"
    rf"|{_I_AM}(?:unable|not\s+able)\s+to\b"
    # «As an AI module learns …» begins an idea; «As an AI, I …» speaks of itself.
    r"|\bas\s+an?\s+(?:AI|(?:AI\s+|large\s+)?language\s+model|AI\s+(?:model|assistant)|assistant)"
    r"(?![\w-]),?\s+(?:\w{1,12}\s){0,4}I\b",
    re.IGNORECASE,
)
_RELEASED = (
    "i'm sorry", "i am sorry", "i apologize",
    "as an ai", "as a language model", "as an assistant",
    "i cannot", "i can't",
    "i am unable to", "i'm unable to",
    "i am not able to", "i'm not able to",
)  # fmt: skip


def refuses(text: str) -> bool:
    """Whether one of the protocol's phrases opens the answer, as whole words (Supplementary Note 5)."""
    return _REFUSAL.search(text.lstrip()[:OPENING]) is not None


def refuses_as_released(text: str) -> bool:
    """The same phrases as the released code looks for them: anywhere, inside words too («AI cannot», «has an AI»)."""
    lower = text.lower()
    return any(phrase in lower for phrase in _RELEASED)
