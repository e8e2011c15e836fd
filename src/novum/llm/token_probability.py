"""How probable an answer was to the model that gave it: the geometric mean of the probabilities of its tokens, which
is the probability of the sequence normalised by its length."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any

_ROUNDING = 1e-3
"""Logarithms may exceed zero by so much: servers compute in single precision or less."""
_LEAST = -9999.0
"""What servers write for an unknown value, or for minus infinity. A sampled token is never so improbable."""
_REASONING_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)


def token_probability(logprobs: Any) -> float | None:
    """From the `logprobs` of a chat answer's choice: exp of the mean over tokens, 0 to 1.

    Tokens of reasoning before the answer, up to its closing mark, do not count. None where there are no tokens, or one
    of them has no logarithm of a probability.
    """
    tokens = _logarithms(logprobs)
    if not tokens or not all(map(_is_logarithm, tokens)):
        return None
    return min(math.exp(math.fsum(tokens) / len(tokens)), 1.0)


def _logarithms(logprobs: Any) -> list[Any]:
    """Of the form of OpenAI, or of the older one that some servers still send."""
    if not isinstance(logprobs, Mapping):
        return []
    content, older = logprobs.get("content"), logprobs.get("token_logprobs")
    if isinstance(content, list) and content:
        tokens = [each if isinstance(each, Mapping) else {} for each in content]
        return _after_reasoning([each.get("token") for each in tokens], [each.get("logprob") for each in tokens])
    return _after_reasoning(logprobs.get("tokens"), older) if isinstance(older, list) else []


def _after_reasoning(tokens: Any, logarithms: list[Any]) -> list[Any]:
    """The logarithms of the answer itself. The mark may be one token or several, and may occur in the answer again:
    reasoning ends at the first."""
    if not isinstance(tokens, list) or len(tokens) != len(logarithms):
        return logarithms
    words = [each if isinstance(each, str) else "" for each in tokens]
    ends = list(accumulate(map(len, words)))
    if (mark := _REASONING_END.search("".join(words))) is None:
        return logarithms
    return logarithms[bisect_left(ends, mark.end()) + 1 :]


def _is_logarithm(logarithm: Any) -> bool:
    return isinstance(logarithm, int | float) and not isinstance(logarithm, bool) and _LEAST < logarithm <= _ROUNDING


def geometric_mean(parts: Iterable[tuple[float | None, int | None]]) -> float | None:
    """Of an answer that consists of several, each with its probability and its number of tokens. None where one is
    unknown."""
    known = list(parts)
    tokens = sum(count or 0 for _, count in known)
    if not tokens or any(probability is None or not count for probability, count in known):
        return None
    if any(probability == 0 for probability, _ in known):
        return 0.0
    return math.exp(math.fsum((count or 0) * math.log(probability or 1.0) for probability, count in known) / tokens)
