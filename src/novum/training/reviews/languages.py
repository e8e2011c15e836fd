"""A rough test whether a text is English, by its script and its most frequent words.

It only has to find reviews that are clearly in another language.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
_EXAMINED = 2_000
"""Characters of a text that are examined."""
_FEWEST = 15
"""Least number of words for a decision."""
_QUICK_CHARACTERS, _QUICK_WORDS = 600, 6
"""A text with this many different frequent English words in its first characters is English."""
_ENGLISH = frozenset({
    "the", "of", "and", "to", "is", "in", "a", "that", "it", "for", "this", "are", "be", "not", "with", "as", "on",
    "paper", "but", "have", "we",
})  # fmt: skip
_OTHERS = {
    "German": "der die das und ist nicht ein eine mit von zu es für dass wir unser unsere auf den dem sich wird werden "
    "durch bei zeigen",
    "French": "le la les des et est une dans pour que pas sur sont nous notre par avec qui montrent",
    "Spanish": "el la los las de que y en un una es por para se del con nuestro muestran",
    "Italian": "il la che di un una per non della con sono è gli nostro dei",
    "Portuguese": "o os as de que em um uma é não para com do por nosso mostram",
    "Dutch": "de het een en van is dat niet op voor met zijn te wij onze",
}  # fmt: skip
_OTHER_WORDS = {name: frozenset(words.split()) for name, words in _OTHERS.items()}
_SENTENCE = re.compile(r"[.!?\n]+")
_FEWEST_TELLING, _TELLING = 5, 2
"""Least number of different words of a sentence, and of frequent words of another language in it, to assign it to that
language. It must have no frequent English word."""
_SCRIPTS = re.compile(
    "[\u0400-\u052f\u0590-\u07ff\u0900-\u0fff\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}"
)
_PLAIN_FROM, _LEAST_ENGLISH = 30, 0.03
"""A text of at least this many words with a smaller share of frequent English words is in another language. The
smallest share among 17,000 real reviews and abstracts is 0.09."""
_MARGIN = 2
"""Least ratio of the frequent words of another language to the English ones."""


def other_language(text: str) -> str:
    """The language of a text that is clearly not English, or `another script`; empty otherwise."""
    if len(_ENGLISH & set(text[:_QUICK_CHARACTERS].lower().split())) >= _QUICK_WORDS:
        return ""
    words = [word.lower() for word in _WORD.findall(text[:_EXAMINED])]
    letters = sum(map(len, words))
    if letters and sum(len(word) for word in words if not _is_latin(word)) > letters / 2:
        return "another script"
    if len(words) < _FEWEST:
        return ""
    english = sum(word in _ENGLISH for word in words)
    counts = {name: sum(word in small for word in words) for name, small in _OTHER_WORDS.items()}
    best = max(counts, key=lambda name: counts[name])
    if counts[best] > _MARGIN * english and counts[best] * 10 > len(words):
        return best
    return "another language" if len(words) >= _PLAIN_FROM and english < _LEAST_ENGLISH * len(words) else ""


def mixes_languages(text: str, original: str) -> bool:
    """Whether an English text has a sentence in another language, or words in another script that `original` does not
    have. Rules and English readers would miss leaks there."""
    return any(run not in original for run in _SCRIPTS.findall(text)) or any(map(_is_foreign, _SENTENCE.split(text)))


def _is_foreign(sentence: str) -> bool:
    words = {word.lower() for word in _WORD.findall(sentence)}
    return (
        len(words) >= _FEWEST_TELLING
        and not words & _ENGLISH
        and any(len(words & small) >= _TELLING for small in _OTHER_WORDS.values())
    )


def _is_latin(word: str) -> bool:
    return word.isascii() or ord(max(word)) < 0x250 or 0x1E00 <= ord(max(word)) < 0x1F00
