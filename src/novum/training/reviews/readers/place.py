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
        """From the names of the file and of its nearest folders: `iclr2023.json`, `acl_2017/dev/reviews/`."""
        found = VenueYear()
        for name in (self.path.stem, *(folder.name for folder in list(self.path.parents)[:6])):
            told = venue_year(name, known_only=True)
            found = VenueYear(found.venue or told.venue, found.year or told.year)
            if found.venue and found.year:
                break
        return found


def venue_year(text: str, *, known_only: bool = False) -> VenueYear:
    """Of `ICLR 2024 poster`, `NeurIPS.cc/2023/Conference`, `ARR-22`, `ICLR 2017 conference submission`.

    A venue that nobody knows keeps the name that it has, without its year; `known_only`: it has none.
    """
    year = _YEAR.search(text)
    short = _SHORT_YEAR.search(text.strip()) if not year else None
    known = next((_NAMES[word.lower()] for word in _WORD.findall(text) if word.lower() in _NAMES), "")
    other = "" if known_only else " ".join(_YEAR.sub(" ", text.partition("/")[0]).split())[:60]
    number = clean_year(year.group(1)) if year else 2000 + int(short.group(1)) if short and known else None
    return VenueYear(known or other, number)
