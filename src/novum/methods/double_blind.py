"""What a text gives away about the paper that it was taken from: who wrote it, what it is called, how it came out.

Rules, not a model: they find what must not be there by its form, now and then also something harmless. What they find
is to be left out, and reported where it remains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from novum.core import Paper, normal_title, shorten

_SHOWN = 120
_LONGEST_NAME = 5
"""Words of a name that a paper gives to what it made."""
_SHORTEST_TITLE = 3
"""Words from which on a title is looked for: a shorter one is a phrase that anybody may use."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_SHORTEST_UNSPACED = 8
"""Characters of a title in a script that puts no spaces between words, which has none to be counted."""
_MOST_NAMES = 100
"""Most names that are searched for. No real paper has more, but a manipulated text may."""


@dataclass(frozen=True)
class IdentityLeak:
    """One passage that gives the paper away."""

    kind: str
    words: str

    def __str__(self) -> str:
        return f"{self.kind}: «{self.words}»"


@dataclass(frozen=True)
class IdentifyingDetails:
    """What must not be revealed about a paper, in addition to its results."""

    title: str
    authors: tuple[str, ...]
    names: tuple[str, ...]
    venue: str


def identifying_details(paper: Paper, text: str, told_names: Iterable[str], allowed: str) -> IdentifyingDetails:
    """Authors, published names and venue of `paper`. `told_names`: what a reader says that the paper calls its own;
    names that occur in `allowed` may be used.
    """
    free = normal_title(allowed)
    names = dict.fromkeys(
        name.strip(" .,:;\"'«»“”") for name in (*_title_names(paper, text), *told_names, *_coined(text))
    )
    own = [name for name in names if _is_name(name) and f" {normal_title(name)} " not in f" {free} "][:_MOST_NAMES]
    return IdentifyingDetails(
        paper.title, tuple(dict.fromkeys(_surnames(paper.authors))), tuple(own), paper.venue.strip()
    )


def find_leaks(texts: Sequence[str], secrets: IdentifyingDetails) -> list[IdentityLeak]:
    """Everything in `texts` that gives the paper away, each passage once."""
    leaks: list[IdentityLeak] = []
    for text in filter(None, map(_bare, texts)):
        leaks += _identity(text, secrets)
        leaks += [IdentityLeak("result", words) for words in _results(text)]
        leaks += [IdentityLeak("address", shorten(match[0], _SHOWN)) for match in _ADDRESS.finditer(text)]
        leaks += [IdentityLeak("paper", shorten(match[0], _SHOWN)) for match in _RETOLD.finditer(text)]
    return list(dict.fromkeys(leaks))


def _identity(text: str, secrets: IdentifyingDetails) -> Iterator[IdentityLeak]:
    if _holds_title(normal_title(text), normal_title(secrets.title)):
        yield IdentityLeak("title", shorten(secrets.title, _SHOWN))
    for kind, names in (("author", secrets.authors), ("name", secrets.names), ("venue", (secrets.venue,))):
        for name in names:
            if len(name) > 1 and re.search(rf"(?<!\w){re.escape(_bare(name))}(?!\w)", text):
                yield IdentityLeak(kind, name)


def _holds_title(text: str, title: str) -> bool:
    if _UNSPACED.search(title):
        return len(title) >= _SHORTEST_UNSPACED and title in text
    return len(title.split()) >= _SHORTEST_TITLE and f" {title} " in f" {text} "


def _bare(text: str) -> str:
    """Without accents, which are not always spelled."""
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _surnames(authors: Iterable[str]) -> Iterator[str]:
    """`Ada Smith` and `Smith, Ada` alike; of one or two letters they would be found everywhere."""
    for author in authors:
        words = author.partition(",")[0].split()
        if words and len(words[-1]) > 2:
            yield words[-1]


# Names


_COINED = re.compile(
    r"\b(?:call(?:ed)?(?: it| this| them)?|named?|dubbed|termed|coined|(?:introduce|present|propose)s?(?: a| an| the)?)"
    r" [\"'“]?(?P<name>[A-Z][\w-]*[A-Z0-9][\w-]*)"
)
"""A name with a second capital or a digit, where the text gives it."""


def _coined(text: str) -> Iterator[str]:
    return (match["name"].rstrip("-") for match in _COINED.finditer(text))


def _title_names(paper: Paper, text: str) -> Iterator[str]:
    """What stands before the colon, if it reads like a name: an inner capital or digit, several words with capitals, or
    a word that the text never has in small letters."""
    head, colon, _ = paper.title.partition(":")
    words = head.split()
    if not colon or len(words) > _LONGEST_NAME:
        return
    coined = any(re.search(r"[A-Z0-9]", word[1:]) for word in words)
    proper = sum(word[0].isupper() for word in words) > 1
    alone = len(words) == 1 and head.strip().lower() not in text.split()
    if coined or proper or alone:
        yield head.strip()


def _is_name(name: str) -> bool:
    return (
        len(name) > 1 and len(name.split()) <= _LONGEST_NAME and any(char.isupper() or char.isdigit() for char in name)
    )


# Results


_METRIC = (
    r"(?:accuracy|precision|recall|f1|bleu|rouge(?:-\w+)?|meteor|auc|auroc|ndcg|mrr|rmse|mae|mse|fid|psnr|ssim|wer|"
    r"perplexity|pass@\d+|r2|error(?: rate)?|success rate|win rate|hit rate|correlation|speed-?up|sensitivity|"
    r"specificity|kappa|score)"
)
_UNIT = r"(?:\s?%|\s?per ?cent|\s?(?:percentage )?points?\b|[\s-]?(?:x|times|fold)\b)"
_IN_WORDS = (
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]{3,5})?)"
)
_NUMBER = rf"(?:(?<!\d)[-+~≈]?\d{{1,12}}(?:[.,]\d{{1,12}})?|{_IN_WORDS}){_UNIT}"
_CHANGE = (
    r"(?:improv\w+|increas\w+|decreas\w+|reduc\w+|gain\w*|rais\w+|lower\w*|"
    r"boost\w*|cut(?:s|ting)?|dropp?\w*|outperform\w*|surpass\w*|exceed\w*)"
)
_BETTER = (
    r"(?:improvement|increase|gain|reduction|decrease|drop|faster|slower|better|worse|higher|lower|fewer|more|less)"
)
_FIGURES = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_METRIC}\b(?:\s[a-z]+){{0,4}}?[\s,:=(]+(?:{_NUMBER}|[-+]?\d*\.\d+)",
        rf"\b{_METRIC} of \d+",
        rf"{_NUMBER}\s(?:\w+\s){{0,2}}{_METRIC}\b",
        rf"\b{_CHANGE}\b[^.;!?]{{0,60}}?{_NUMBER}",
        rf"{_NUMBER}\s(?:\w+\s){{0,2}}{_BETTER}\b",
        r"\bp\s?[<=]\s?0?\.\d+",
    )
]
_CLAIMS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:we|our (?:\w+ )?(?:method|model|approach|system|results?|experiments?))\s(?:\w+\s){0,2}?"
        r"(?:achiev\w+(?! (?:this|that|it)\b)|outperform\w*|obtain\w*|attain\w*|surpass\w*|beats?|found that|find that|"
        r"show(?:s|ed)? that|demonstrat\w+ that|report(?:s|ed)?|observ\w+)\b",
        r"\b(?:experiments?|results?|evaluations?|ablations?)\s(?:\w+\s)?"
        r"(?:shows?|showed|demonstrat\w+|indicat\w+|confirm\w*|reveal\w*)\b",
        r"\b(?:achiev\w+|sets?|reach\w+|establish\w+)\s(?:a\s|the\s|new\s){0,2}state[- ]of[- ]the[- ]art\b",
        r"\b(?:significantly|substantially|consistently|greatly)\s(?:outperform|surpass|improve|exceed|reduce)(?:s|d|ed)\b",
    )
]
_OPEN = re.compile(
    r"\b(?:would|should|could|might|if|whether|expect\w*|suppos\w+|predict\w*|hypothes\w+)\b", re.IGNORECASE
)
"""A sentence that speaks of what may come out claims nothing, unless it has figures."""
_ADDRESS = re.compile(
    r"(?:https?://|www\.|github\.com|huggingface\.co)\S*"
    r"|\bcode (?:and data )?(?:is|are|will be)\s(?:\w+\s){0,2}available",
    re.IGNORECASE,
)
_RETOLD = re.compile(
    r"\b(?:(?:the|this|our) (?:paper|article|abstract|manuscript)|this text)(?:'s)? (?:also |itself |only )?"
    r"(?:propos|say|said|tell|name[sd]?\b|naming|report|describ|present|mention|stat(?:e|ing)|giv|introduc)\w*"
    r"|\b(?:the|this) (?:paper|article|abstract|manuscript) does not"
    r"|\bthe (?:original )?authors(?:'|\b)",
    re.IGNORECASE,
)
"""A plan that speaks of a paper, or of its authors, has been taken from one."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def _results(text: str) -> Iterator[str]:
    """Passages that report results."""
    for sentence in _SENTENCE.split(text):
        for pattern in _FIGURES if _OPEN.search(sentence) else (*_FIGURES, *_CLAIMS):
            if match := pattern.search(sentence):
                yield shorten(match[0].strip(), _SHOWN)
                break
