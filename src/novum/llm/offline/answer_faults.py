"""What makes an answer of a very small model unusable: no words, an empty phrase, or something it was not told.

Such a model may write `<c1234f8d0>` as a title, "The title of the paper is as follows", a gain of 95 % that nobody
measured, or a baseline that does not exist. It knows no more than the text it is shown, so names and figures that are
not in that text are invented.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]{3,}")
_MARKUP = re.compile(r"[<>{}|\\]")
_FENCE = re.compile(r"<[^<>]*>")
"""The marks around foreign text in a prompt."""
_CODE = re.compile(r"\b(?=\w*[a-z])(?=(?:\w*\d){2})\w{6,}\b", re.IGNORECASE)
"""Words of letters and digits that no one would say."""
_LOOP = 5
"""Words in a row that no good answer of two sentences has twice."""
_EMPTY = re.compile(
    r"^(?:sure|certainly|of course|here (?:is|are)|the following|as an ai|i am (?:not )?sure|i'm (?:not )?sure)\b"
    r"|\b(?:is|are) as follows\b|^the (?:title|name|topic) of (?:the|this|a|your)\b|\b(?:insert|your) \w+ here\b"
    r"|\blorem ipsum\b|\binspired by (?:the work of )?(?:dr|prof)\b|\bdr\. dr\b|\bclear and concise description\b",
    re.IGNORECASE,
)
_STOCK = frozenset(
    """
    answer approach approaches could data experiment experiments idea ideas important make method methods model models
    new novel paper papers problem problems proposed question questions research researchers result results should study
    studies test tests that this title topic understand understanding use used useful using which with work would
    """.split()  # noqa: SIM905  a list of words is easier to read so
)
"""Words that any answer to any question may have."""
_FIGURE = re.compile(r"\d+(?:[.,]\d+)?\s?(?:%|percent\b)")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b(?:[A-Z][A-Za-z-]*[A-Z0-9][\w-]*|[A-Z][a-z]{2,}[\w-]*)\b")
"""A name or an abbreviation, except the first word of a sentence."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FACTUAL = frozenset({"baselines", "datasets"})
"""Fields that say what exists."""
_TITLE_WORDS = 2


def answer_fault(field: str, answer: str, shown: str) -> str:
    """Why an answer cannot be used, in a few words; empty if it can. `shown`: all text that the model was given."""
    if _MARKUP.search(answer) or not _is_shown(_CODE, answer, _FENCE.sub(" ", shown)):
        return "it holds marks that are no words"
    words = [word.lower() for word in _WORD.findall(answer)]
    if field == "title" and len(words) < _TITLE_WORDS:
        return "a title of hardly any words"
    if _EMPTY.search(answer.strip()) or not set(words) - _STOCK:
        return "an empty phrase"
    if _has_loop(words):
        return "it says the same again"
    if not _is_shown(_FIGURE, answer, shown):
        return "a figure that it was not told"
    if field in _FACTUAL and not (_is_shown(_NAME, answer, shown) and _is_shown(_YEAR, answer, shown)):
        return "a name or year that it was not told"
    return ""


def _has_loop(words: list[str]) -> bool:
    """Whether some words in a row are there twice."""
    rows = [tuple(words[at : at + _LOOP]) for at in range(len(words) - _LOOP + 1)]
    return len(set(rows)) < len(rows)


def _is_shown(pattern: re.Pattern[str], answer: str, shown: str) -> bool:
    """Whether the text that was shown has everything in the answer that matches."""
    known = shown.lower()
    return all(found[0].lower() in known for found in pattern.finditer(answer))
