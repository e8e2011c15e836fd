"""Words that names of concepts end in without saying much by it, in any field."""

from __future__ import annotations

from collections.abc import Iterator

MANY_END_IN = frozenset({
    "algorithm", "analysis", "application", "approach", "architecture", "condition", "data", "dataset", "design",
    "estimation", "framework", "function", "learning", "material", "measurement", "mechanism", "method", "methodology",
    "model", "modeling", "modelling", "network", "neural", "paradigm", "pipeline", "prediction", "problem", "procedure",
    "process", "processe", "property", "propertie", "scheme", "setting", "strategy", "strategie", "structure", "study",
    "studie", "system", "task", "technique", "technology", "technologie", "theory", "theorie", "tool", "training",
})  # fmt: skip
"""Without a plural s. Two names that share one of these are not alike by it."""
VAGUE = frozenset({
    "algorithm", "application", "approach", "condition", "design", "framework", "function", "mechanism", "method",
    "methodology", "paradigm", "pipeline", "problem", "procedure", "process", "processe", "property", "propertie",
    "scheme", "setting", "strategy", "strategie", "study", "studie", "system", "task", "technique", "technology",
    "technologie", "theory", "theorie", "tool", "idea", "object", "paper", "front", "word", "draft", "thought", "team",
    "contact", "energy", "gene", "material", "message", "budget", "diversity", "connectivity",
    "power", "clas", "violation", "heterogeneity", "concentration", "equivalence", "policy", "detection",
})  # fmt: skip
"""A name that ends in one of these, or is made of nothing but such as many end in, is a name of many things."""


def stems(name: str) -> Iterator[str]:
    """Its words, plural aside."""
    for word in name.replace("-", " ").split():
        yield word.removesuffix("s")


def vague(name: str) -> bool:
    """Whether it is a name of many things."""
    words = list(stems(name))
    adjective = len(words) == 1 and words[0].endswith(("ed", "able"))
    return adjective or words[-1] in VAGUE or MANY_END_IN.issuperset(words)
