"""Idea texts without a model: the sentences that tell no result are kept as they stand, the others dropped."""

from __future__ import annotations

import re

from novum.training.reviews.leaks import leaks_anything, sentence_spans

_GAPS = re.compile(r"\n{3,}")


def idea_by_rules(text: str) -> str:
    """Extractive, and no more than that: it drops sentences, so that what remains may miss a link that they had."""
    kept: list[str] = []
    end = 0
    for start, stop in sentence_spans(text):
        if not leaks_anything(text[start:stop]):
            gap = text[end:start]
            kept.append(("\n\n" if gap.count("\n") > 1 else "\n" if "\n" in gap else " ") + text[start:stop])
        end = stop
    return _GAPS.sub("\n\n", "".join(kept)).strip()
