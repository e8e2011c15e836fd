"""Where a record stands, and what that alone tells of its venue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from novum.literature.importing.cleaning import clean_year

_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_SHORT_YEAR = re.compile(r"(?<=[A-Za-z-])(\d\d)$")
_NAMES = {
    "neurips": "NeurIPS", "nips": "NeurIPS", "iclr": "ICLR", "icml": "ICML", "colm": "COLM", "colmweb": "COLM",
    "tmlr": "TMLR", "acl": "ACL", "arr": "ARR", "emnlp": "EMNLP", "naacl": "NAACL", "eacl": "EACL", "conll": "CONLL",
    "coling": "COLING", "f1000": "F1000", "corl": "CoRL", "uai": "UAI", "aistats": "AISTATS", "midl": "MIDL",
    "elife": "eLife", "plos": "PLOS", "aaai": "AAAI", "cvpr": "CVPR", "iccv": "ICCV", "eccv": "ECCV",
}  # fmt: skip
"""Short names of venues as people write them, by the lower case."""
_WORD = re.compile(r"f1000|[A-Za-z]+", re.IGNORECASE)
_WORKSHOP = re.compile(r"\bworkshop\b(?: on|/)?[ _]*(?P<name>[^/]{0,40})", re.IGNORECASE)


@dataclass(frozen=True)
class VenueYear:
    """A venue's short name and year, as far as they are told."""

    venue: str = ""
    year: int | None = None


@dataclass(frozen=True)
class Place:
    """A file, as it is called to people, and the number of a record in it."""

    path: Path
    name: str
    line: int = 1

    @property
    def by_name(self) -> VenueYear:
        """From the names of the file and of its nearest folders: `iclr2023.json`, `acl_2017/dev/reviews/`,
        `iclr/2023/`. A year counts only with a venue: folders bear years of many things."""
        nearer: int | None = None
        path = self.path.absolute()  # the same, however the file was called
        for name in (path.stem, *(folder.name for folder in list(path.parents)[:6])):
            told = venue_year(name, known_only=True)
            if told.venue:
                return VenueYear(told.venue, told.year or nearer)
            nearer = told.year
        return VenueYear()


def venue_year(text: str, *, known_only: bool = False) -> VenueYear:
    """Of `ICLR 2024 poster`, `NeurIPS.cc/2023/Conference`, `ARR-22`, `ICLR 2017 conference submission`.

    A venue that nobody knows keeps the name that it has, without its year; `known_only`: it has none. So does a
    workshop of a known one, which has a form and a scale of its own.
    """
    year = _YEAR.search(text)
    short = _SHORT_YEAR.search(text.strip()) if not year else None
    words = [_NAMES[word.lower()] for word in _WORD.findall(text) if word.lower() in _NAMES]
    known = "ARR" if "ARR" in words else words[0] if words else ""  # which stands under ACL in OpenReview's groups
    number = clean_year(year.group(1)) if year else 2000 + int(short.group(1)) if short and known else None
    if known and (workshop := _WORKSHOP.search(text)):
        return VenueYear(" ".join(f"{known} Workshop {_YEAR.sub(' ', workshop['name'])}".split())[:60], number)
    group, slash, _ = text.partition("/")
    other = "" if known_only else " ".join(_YEAR.sub(" ", group.partition(".")[0] if slash else group).split())[:60]
    return VenueYear(known or other, number)
