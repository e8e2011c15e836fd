"""Fields of references as reference managers write them: names, days, and identifiers anywhere in a text."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable
from itertools import islice

from novum.core import Identifiers
from novum.literature.importing.cleaning import clean_identifiers, clean_text, clean_year
from novum.literature.sources.json_responses import certain_day, plain_text

MOST_KEYWORDS, _MOST_LOOKED_AT = 20, 500
_LONGEST_NAME, _LONGEST_KEYWORD = 200, 100
_LONGEST_SEARCHED = 20_000
"""Characters of a text in which identifiers are looked for."""
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^\[\]]{1,200}")
_ARXIV = re.compile(r"\barxiv(?:\.org/\w{2,6}/|[:\s.]{1,3})(\d{4}\.\d{4,5}|[a-z][a-z.\-]{1,15}/\d{7})", re.IGNORECASE)
_NAMED = {
    "acl": re.compile(r"aclanthology\.org/([A-Za-z0-9.\-]{3,60}?)(?:\.pdf|/|\s|$)"),
    "openalex": re.compile(r"openalex\.org/(?:works/)?(W\d{1,20})"),
    "openreview": re.compile(r"openreview\.net/(?:forum|pdf)\?id=([\w\-]{4,40})"),
    "s2": re.compile(r"semanticscholar\.org/paper/(?:[^/\s]{1,300}/)?([0-9a-f]{40})"),
    "pmid": re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/|\bPMID:?\s{0,3})(\d{1,9})\b"),
    "pmcid": re.compile(r"\b(PMC\d{4,9})\b"),
    "dblp": re.compile(r"dblp\.(?:org|uni-trier\.de)/rec/((?:conf|journals|books|phd|series)/[\w/\-]{2,100})"),
}
_INITIALS_LAST = re.compile(r"([^,]*[^\s,.]) ((?:[^\W\d_]\.[- ]?){1,6})")
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_NUMBERS = re.compile(r"\s*(\d{4})[/\-](\d{1,2})[/\-](\d{1,2})(?!\d)")
_YEAR_MONTH_DAY = re.compile(r"\s*(\d{4})\s+([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2})\s*$")
_DAY_MONTH_YEAR = re.compile(r"\s*(\d{1,2})\s+([A-Za-z]{3})[a-z]*\.?,?\s+(\d{4})\s*$")
_MONTH_DAY_YEAR = re.compile(r"\s*([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})\s*$")


def given_first(name: str) -> str:
    """`Family, Given, Suffix` and `Family G.S.` as `Given Family Suffix`; another name without comma as it is."""
    name = clean_text(name)[:_LONGEST_NAME]
    if match := _INITIALS_LAST.fullmatch(name):
        return f"{match[2]} {match[1]}"
    family, *rest = (part.strip() for part in name.split(","))
    return " ".join(filter(None, (*rest[:1], family, *rest[1:])))


def public_day(texts: Iterable[str]) -> dt.date | None:
    """The earliest day that one of these dates gives in full.

    The first of a month often stands for the whole month: it becomes the month's last day, and the first of January
    becomes None, which leaves it to the year. So no paper counts as public too early.
    """
    days = (_day_in(text) for text in texts)
    return min((day for day in days if day), default=None)


def year_in(texts: Iterable[str]) -> int | None:
    """The year of the first of these dates that has one."""
    return next((year for text in texts if (year := clean_year(text))), None)


def doi_in(text: str) -> str | None:
    """The first DOI in a text, without what closes a sentence or a bracket after it."""
    match = _DOI.search(text[:_LONGEST_SEARCHED])
    if not match:
        return None
    doi = match.group().rstrip(".,;:'")
    return doi.rstrip(")") if doi.count("(") < doi.count(")") else doi


def arxiv_in(text: str) -> str | None:
    """The first arXiv id in a text, as in `arXiv:2101.00001 [cs]` or an address."""
    match = _ARXIV.search(text[:_LONGEST_SEARCHED])
    return match.group(1) if match else None


def identifiers_in(doi: str, *places: str) -> Identifiers:
    """The identifiers of a reference: its `doi` field, then what stands in other places, such as its address."""
    text = "\n".join(clean_text(place)[:_LONGEST_SEARCHED] for place in places)
    found: dict[str, object] = {scheme: _group(pattern, text) for scheme, pattern in _NAMED.items()}
    found |= {"doi": doi_in(clean_text(doi)) or doi_in(text), "arxiv": arxiv_in(clean_text(doi)) or arxiv_in(text)}
    return clean_identifiers(found)


def keywords(values: Iterable[str]) -> tuple[str, ...]:
    """The first keywords, each once, without the star of a major subject heading."""
    cleaned = (plain_text(value).lstrip("*").strip()[:_LONGEST_KEYWORD] for value in islice(values, _MOST_LOOKED_AT))
    return tuple(dict.fromkeys(filter(None, cleaned)))[:MOST_KEYWORDS]


def _group(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match.group(1) if match else None


def _day_in(text: str) -> dt.date | None:
    if match := _NUMBERS.match(text):
        year, month, day = map(int, match.groups())
    elif match := _YEAR_MONTH_DAY.match(text):
        year, month, day = int(match[1]), _MONTHS.get(match[2].lower(), 0), int(match[3])
    elif match := _DAY_MONTH_YEAR.match(text):
        year, month, day = int(match[3]), _MONTHS.get(match[2].lower(), 0), int(match[1])
    elif match := _MONTH_DAY_YEAR.match(text):
        year, month, day = int(match[3]), _MONTHS.get(match[1].lower(), 0), int(match[2])
    else:
        return None
    return certain_day(f"{year:04}-{month:02}-{day:02}") if clean_year(year) else None
