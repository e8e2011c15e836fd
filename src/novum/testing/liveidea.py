"""A script for the model server that knows LiveIdeaBench: ideas for keywords, scores for ideas, letters for pairs.

Nothing it says is sensible, and all of it is a pure function of the request. Ideas of a model whose name ends in a
digit are the better the higher the digit is, so that a leaderboard has an order to find; judges read it off the idea.
"""

from __future__ import annotations

import json
import random
import re

from novum.testing.plausible import plausible_answer, without_random_words
from novum.testing.server import ReceivedRequest

_KEYWORD = re.compile(r'Your keyword: "([^"]*)"')
_LEVEL = re.compile(r"reaches level (\d)")


def ideas_and_scores(request: ReceivedRequest) -> str | None:
    """What the model says; None for a question of another kind."""
    text = without_random_words(request.text)
    rng = random.Random(f"{request.model} {request.body.get('seed')} {text}")  # noqa: S311
    if keyword := _KEYWORD.search(text):
        return _idea(request, keyword[1])
    if "How alike are they" in text:
        return rng.choice("AABBBC")
    if '"originality"' in text:
        return _scores(rng, text)
    return None


def _idea(request: ReceivedRequest, keyword: str) -> str:
    level = request.model[-1:] if request.model[-1:].isdigit() else "5"
    seed = int(request.body.get("seed") or 0)
    filling = " ".join(
        plausible_answer([*request.messages, {"content": request.model}], None, seed + part) for part in range(4)
    )
    return f"A study of {keyword} reaches level {level}. {filling}"


def _scores(rng: random.Random, text: str) -> str:
    level = _LEVEL.search(text)
    middle = 3 + (int(level[1]) if level else 5) * 0.5
    scores = {name: min(10, max(1, round(rng.gauss(middle, 1)))) for name in ("originality", "feasibility", "clarity")}
    return f"The idea is told briefly; its test is left open.\n\n```json\n{json.dumps(scores)}\n```"
