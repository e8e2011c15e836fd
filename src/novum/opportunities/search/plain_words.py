"""Generic words of concept names, in any field."""

from __future__ import annotations

from collections.abc import Iterator

GENERIC_ENDINGS = frozenset({
    "algorithm", "analysis", "application", "approach", "architecture", "classification", "condition", "data",
    "dataset", "design", "detection", "estimation", "framework", "function", "inference", "learning",
    "material", "measurement", "mechanism", "method", "methodology", "model", "modeling", "modelling", "network",
    "neural", "optimisation", "optimization", "paradigm", "pipeline", "prediction", "problem", "procedure", "process",
    "processe", "property", "recognition", "scheme", "setting", "strategy", "structure", "study", "system", "task",
    "technique", "technology", "theory", "tool", "training",
})  # fmt: skip
"""Without a plural s. Two names that share one of these are not alike by it."""
VAGUE_WORDS = frozenset({
    "algorithm", "application", "approach", "behavior", "class", "condition", "cost", "degradation", "design", "draft",
    "framework", "function", "gain", "idea", "limitation", "mechanism", "method", "methodology", "number",
    "paper", "paradigm", "performance", "pipeline", "problem", "procedure", "process", "processe", "property",
    "proposal", "quality", "reader", "sample", "scheme", "setting", "strategy", "study", "system", "task", "team",
    "technique", "technology", "theory", "thought", "tool", "word", "work", "writing",
})  # fmt: skip
"""Words of research prose. A name that ends in one, or is made of nothing but such as many end in, is a name of many
things."""
_SAID_OF_MANY = frozenset({
    "base", "better", "complex", "efficient", "effective", "fast", "general", "good", "hard", "high", "large",
    "learned", "low", "network", "new", "novel", "open", "real", "robust", "simple", "small", "standard", "strong",
    "superior",
})  # fmt: skip
"""Words that make no particular name of one that is of many things (base models, large samples)."""
_SAYING_NOTHING = VAGUE_WORDS | GENERIC_ENDINGS | _SAID_OF_MANY
_NO_PLURAL = ("ss", "us", "is")


def stems(name: str) -> Iterator[str]:
    """Its words, plural aside."""
    for word in name.replace("-", " ").split():
        if len(word) > 4 and word.endswith("ies"):
            yield word[:-3] + "y"
        else:
            yield word if word.endswith(_NO_PLURAL) else word.removesuffix("s")


def is_vague(name: str) -> bool:
    """Whether a name can mean many things."""
    words = list(stems(name))
    return words[-1] in VAGUE_WORDS or is_generic(name)


def is_generic(name: str) -> bool:
    """Whether a name is made of generic words only, or is a single adjective."""
    if all(word in _SAYING_NOTHING for word in stems(name)):
        return True
    words = list(stems(name)) if " " not in name else ()
    return len(words) == 1 and words[0].endswith(("ed", "able"))
