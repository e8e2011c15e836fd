"""Decides whether two descriptions are the same paper. A wrong merge is worse than a duplicate."""

from __future__ import annotations

import hashlib
import re
from difflib import SequenceMatcher

from novum.core import Paper, normal_title

TITLE_LIMIT = 1000
"""Characters; longer text is no title."""


def squeezed(title: str) -> str:
    """The normal title without spaces: `Pre-training` and `Pretraining` agree."""
    return normal_title(title).replace(" ", "")


def title_key(title: str) -> int:
    """A signed 64-bit hash of the squeezed title, small enough to index by the million."""
    return key_of_squeezed(squeezed(title))


def key_of_squeezed(title: str) -> int:
    """The same for a squeezed title."""
    digest = hashlib.blake2b(title.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def names_of(authors: tuple[str, ...]) -> frozenset[str]:
    """The words of all names, without initials: `Müller, J.` and `Jan Müller` share one."""
    return frozenset(word for name in authors for word in normal_title(name).split() if len(word) > 1 and word != "al")


def share_an_author(one: Paper, other: Paper) -> bool | None:
    """Whether any name occurs on both; None when one of them has no authors."""
    mine, theirs = names_of(one.authors), names_of(other.authors)
    return bool(mine & theirs) if mine and theirs else None


def same_first_author(one: Paper, other: Paper) -> bool:
    """Whether the first authors share a word of their names."""
    return bool(names_of(one.authors[:1]) & names_of(other.authors[:1]))


def same_by_title(one: Paper, other: Paper) -> bool:
    """Whether two papers with equal titles are the same.

    The same year suffices unless the authors are strangers; a preprint and its publication may lie a year apart when
    the first author agrees; with a year missing, an author must agree.
    """
    if one.year == other.year:
        return share_an_author(one, other) is not False
    if one.year is None or other.year is None:
        return share_an_author(one, other) is True
    return abs(one.year - other.year) == 1 and same_first_author(one, other)


def same_by_identifier(one: Paper, other: Paper) -> bool:
    """Whether two papers with a common identifier are the same. Not when titles and authors both disagree: the entries
    of a volume often have the DOI of the volume."""
    return nearly_same_title(one.title, other.title) or share_an_author(one, other) is not False


def nearly_same_title(one: str, other: str) -> bool:
    """Whether titles are equal apart from misspellings, spacing and short words. Different words or numbers are not
    equal."""
    mine, theirs = normal_title(one).split(), normal_title(other).split()
    if not mine or not theirs or _NUMBER.findall(" ".join(mine)) != _NUMBER.findall(" ".join(theirs)):
        return False
    steps = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    return all(
        step == "equal" or _harmless(mine[start:end], theirs[other_start:other_end])
        for step, start, end, other_start, other_end in steps
    )


_NUMBER = re.compile(r"\d+")
_LITTLE = frozenset(
    (
        "a",
        "an",
        "and",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "on",
        "or",
        "the",
        "to",
        "towards",
        "toward",
        "via",
        "with",
    )
)
_SIMILAR = 0.8


def _harmless(mine: list[str], theirs: list[str]) -> bool:
    """Whether two different passages mean the same: `pre training` / `pretraining`, `behaviour` / `behavior`."""
    left = "".join(word for word in mine if word not in _LITTLE)
    right = "".join(word for word in theirs if word not in _LITTLE)
    if left == right:
        return True
    short, long = sorted((left, right), key=len)
    if not short or long.endswith(short):  # supervised / unsupervised, symmetric / asymmetric
        return False
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    bounds = matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio  # each at least what follows, and cheaper
    return all(bound() >= _SIMILAR for bound in bounds)


def main_title(title: str) -> str:
    """The normal title up to its colon, the whole when there is none: `BERT: Pre-training of …` is `bert`."""
    head = title.partition(":")[0]
    return normal_title(head) or normal_title(title)
