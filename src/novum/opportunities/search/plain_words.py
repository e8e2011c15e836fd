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
"""Last words of many names, without a plural s. Names are not similar because they share one of these."""
VAGUE_WORDS = frozenset({
    "algorithm", "application", "approach", "behavior", "class", "condition", "cost", "degradation", "design", "draft",
    "framework", "function", "gain", "idea", "limitation", "mechanism", "method", "methodology", "number",
    "paper", "paradigm", "performance", "pipeline", "problem", "procedure", "process", "processe", "property",
    "proposal", "quality", "reader", "sample", "scheme", "setting", "strategy", "study", "system", "task", "team",
    "technique", "technology", "theory", "thought", "tool", "word", "work", "writing",
})  # fmt: skip
"""Words of research prose. A name that ends in one of these is vague."""
_COMMON_ADJECTIVES = frozenset({
    "base", "better", "complex", "efficient", "effective", "fast", "general", "good", "hard", "high", "large",
    "learned", "low", "network", "new", "novel", "open", "real", "robust", "simple", "small", "standard", "strong",
    "superior",
})  # fmt: skip
"""Words that do not make a generic name specific (base models, large samples)."""
_GENERIC = VAGUE_WORDS | GENERIC_ENDINGS | _COMMON_ADJECTIVES
_NO_PLURAL = ("ss", "us", "is")


def stems(name: str) -> Iterator[str]:
    """The words of a name without a plural s."""
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
    if all(word in _GENERIC for word in stems(name)):
        return True
    words = list(stems(name)) if " " not in name else ()
    return len(words) == 1 and words[0].endswith(("ed", "able"))
