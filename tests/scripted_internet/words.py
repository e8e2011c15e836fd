"""Words as search engines index them, and the made-up names of the invented literature."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def listed(text: str, sign: str | None = None) -> tuple[str, ...]:
    """The members of a list that is written as one text."""
    return tuple(text.split(sign))


STOP_WORDS = frozenset(
    listed(
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they "
        "this "
        "to was will with"
    )
)
_TOKEN = re.compile(r"[^\W_]+")
_SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "or")]
_ENDINGS = ("ite", "ane", "ol", "ix", "eth", "um", "ar", "is")
_GIVEN = listed(
    "Amina Bence Chiara Dmitri Eun Fatou Goran Hana Iker Jelena Kwame Lucia Mateus Noor Otto Priya Quirin Rosa Sven "
    "Tala Ulf Vera Wen Ximena Yusuf Zofia Anders Bilal Carmen Desta Elif Farid Greta Hiro Ines Jonas Keiko Liam Maja "
    "Nils"
)


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """A word without the ending of a plural, folded."""
    word = "".join(
        letter for letter in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(letter)
    )
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def stems(text: str) -> list[str]:
    """The stems of a text in order, without stop words; a hyphen separates words."""
    return [stem(word) for word in _TOKEN.findall(text) if word.lower() not in STOP_WORDS]


def coined(number: int) -> str:
    """A term that no two numbers share: what a paper calls its own finding."""
    count = len(_SYLLABLES)
    rest, ending = divmod(number * 7919 % 5_000_011, len(_ENDINGS))  # scattered: neighbours look different
    rest, third = divmod(rest, count)
    first, second = divmod(rest, count)
    return (_SYLLABLES[first % count] + _SYLLABLES[second] + _SYLLABLES[third] + _ENDINGS[ending]).capitalize()


def surname(number: int) -> str:
    """One of 400 family names."""
    first, second = divmod(number % 400, 20)
    starts = listed("Ald Bren Cors Dav Eng Fors Gal Hol Isb Jan Kov Lind Mor Nag Ols Pet Ros Sato Tak Val")
    ends = listed("berg sen ova ini ez ko man well ström ard eri ulu off quist ado enko aki ana ier ley")
    return starts[first] + ends[second]


def given_name(number: int) -> str:
    """One of forty given names."""
    return _GIVEN[number % len(_GIVEN)]
