"""Whether a text is English, by its script and its smallest words. Rough, and meant to be: it only has to find reviews
that are plainly written in another language."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT = 2_000
"""Characters."""
_FEWEST = 15
"""Words with which anything can be said."""
_GLANCE, _PLAINLY = 600, 6
"""Characters, and how many different small English words among them make a closer look needless."""
_ENGLISH = frozenset({
    "the", "of", "and", "to", "is", "in", "a", "that", "it", "for", "this", "are", "be", "not", "with", "as", "on",
    "paper", "but", "have", "we",
})  # fmt: skip
_OTHERS = {
    "German": frozenset({"der", "die", "das", "und", "ist", "nicht", "ein", "eine", "mit", "von", "zu", "es", "für"}),
    "French": frozenset({"le", "la", "les", "des", "et", "est", "une", "dans", "pour", "que", "pas", "sur", "sont"}),
    "Spanish": frozenset({"el", "la", "los", "las", "de", "que", "y", "en", "un", "una", "es", "por", "para", "se"}),
    "Italian": frozenset({"il", "la", "che", "di", "un", "una", "per", "non", "della", "con", "sono", "è", "gli"}),
    "Portuguese": frozenset({"o", "os", "as", "de", "que", "em", "um", "uma", "é", "não", "para", "com", "do", "por"}),
    "Dutch": frozenset({"de", "het", "een", "en", "van", "is", "dat", "niet", "op", "voor", "met", "zijn", "te"}),
}  # fmt: skip
_MARGIN = 2
"""How many times the small words of another language must outnumber the English ones."""


def other_language(text: str) -> str:
    """The language of a text that is plainly not English, or `another script`; empty otherwise."""
    if len(_ENGLISH & set(text[:_GLANCE].lower().split())) >= _PLAINLY:
        return ""
    words = [word.lower() for word in _WORD.findall(text[:_LOOKED_AT])]
    letters = sum(map(len, words))
    if letters and sum(len(word) for word in words if not _is_latin(word)) > letters / 2:
        return "another script"
    if len(words) < _FEWEST:
        return ""
    english = sum(word in _ENGLISH for word in words)
    counts = {name: sum(word in small for word in words) for name, small in _OTHERS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > _MARGIN * english and counts[best] * 10 > len(words) else ""


def _is_latin(word: str) -> bool:
    return word.isascii() or ord(max(word)) < 0x250 or 0x1E00 <= ord(max(word)) < 0x1F00
