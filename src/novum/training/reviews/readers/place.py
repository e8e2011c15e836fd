"""The place of a record, and the venue and year that file and folder names imply."""

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
"""Short names of venues by their lower-case forms."""
_WORD = re.compile(r"f1000|[A-Za-z]+", re.IGNORECASE)
_WORKSHOP = re.compile(r"\bworkshop\b(?: on|/)?[ _]*(?P<name>[^/]{0,40})", re.IGNORECASE)


@dataclass(frozen=True)
class VenueYear:
    """A venue's short name and year, as far as they are known."""

    venue: str = ""
    year: int | None = None


@dataclass(frozen=True)
class Place:
    """A file, its name for users, and the number of a record in it."""

    path: Path
    name: str
    line: int = 1

    @property
    def by_name(self) -> VenueYear:
        """Venue and year from the names of the file and of its nearest folders, such as `iclr2023.json`,
        `acl_2017/dev/reviews/` or `iclr/2023/`. A year counts only with a venue."""
        nearer: int | None = None
        path = self.path.absolute()  # independent of the working directory
        for name in (path.stem, *(folder.name for folder in list(path.parents)[:6])):
            named = venue_year(name, known_only=True)
            if named.venue:
                return VenueYear(named.venue, named.year or nearer)
            nearer = named.year
        return VenueYear()


def venue_year(text: str, *, known_only: bool = False) -> VenueYear:
    """Venue and year of texts such as `ICLR 2024 poster`, `NeurIPS.cc/2023/Conference` or `ARR-22`.

    An unknown venue keeps its name without the year, or is empty with `known_only`. A workshop of a known venue is a
    venue of its own, because it has its own form and scale.
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
