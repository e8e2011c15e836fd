"""Parses BibTeX. Entries that cannot be read are rejected with their line; the others are not affected."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Iterator

from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]

from novum.core import Paper
from novum.literature.entry import Entry, Reject, scoped_key
from novum.literature.importing.bibtex_blocks import BibtexBlock, BrokenBlock, blocks
from novum.literature.importing.cleaning import clean_identifiers, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord, checked_abstract, checked_title, dated_by_arxiv

_VENUES = ("booktitle", "journal", "journaltitle", "school", "institution", "publisher", "howpublished")
_BARE_PERCENT = re.compile(r"(?<!\\)%")
"""In BibTeX a percent sign is a percent sign; in LaTeX it would hide the rest of the line."""
_LONGEST_FIELD = 200_000
logging.getLogger("pylatexenc").setLevel(logging.ERROR)  # it would warn of every odd formula
_LATEX = LatexNodes2Text(math_mode="verbatim", keep_comments=True, strict_latex_spaces=False)


def read_bibtex(text: str, file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every block. `scope`: within which citation keys are valid."""
    for block in blocks(text):
        if isinstance(block, BrokenBlock):
            yield Reject(file=file, line=block.line, reason=block.reason)
            continue
        try:
            yield _entry(block, scope)
        except UnusableRecord as reason:
            yield Reject(file=file, line=block.line, reason=f"@{block.kind}{{{block.key}}}: {reason}")


def _entry(block: BibtexBlock, scope: str) -> Entry:
    fields = {name: plain(value) for name, value in block.fields.items() if name != "author"}
    paper = Paper(
        title=checked_title(fields.get("title", "")),
        authors=_authors(block.fields.get("author", "")),
        year=clean_year(fields.get("year") or fields.get("date")),
        date=_day(fields),
        venue=next((fields[name] for name in _VENUES if fields.get(name)), ""),
        ids=clean_identifiers(
            {"doi": fields.get("doi"), "arxiv": _arxiv(fields), "acl": _acl(fields), **_pubmed(fields)}
        ),
        abstract=checked_abstract(fields.get("abstract", "")),
    )
    key = scoped_key(block.key, scope) if block.key else ""
    return Entry(paper=dated_by_arxiv(paper), key=key, line=block.line)


def plain(latex: str) -> str:
    r"""LaTeX as plain text: `M{\"u}ller` is `Müller`, `{BERT}` is `BERT`; formulas stay as they are."""
    if len(latex) > _LONGEST_FIELD:
        raise UnusableRecord(f"a field of {len(latex):,} characters")
    if not any(char in latex for char in "\\{}~$"):
        return clean_text(latex.replace("--", "–"))
    try:
        text: str = _LATEX.latex_to_text(_BARE_PERCENT.sub(r"\\%", latex))
        return clean_text(text.replace("\u02c6", "^"))
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):  # its ways to say: this is no LaTeX
        return clean_text(re.sub(r"[{}\\]", "", latex))


def _authors(value: str) -> tuple[str, ...]:
    """Names as `Given Family`. Braces keep a name in one piece: `{DeepMind and friends}`."""
    if len(value) > _LONGEST_FIELD:
        raise UnusableRecord(f"a field of {len(value):,} characters")
    names = (_given_first(name) for name in _split_names(" ".join(value.split())))
    return tuple(name for name in names if name and name.lower() != "others")


def _split_names(value: str) -> Iterator[str]:
    start = depth = 0
    for match in re.finditer(r"[{}]| and ", value, re.IGNORECASE):
        if match.group() in "{}":
            depth += 1 if match.group() == "{" else -1
        elif depth == 0:
            yield value[start : match.start()]
            start = match.end()
    yield value[start:]


def _given_first(name: str) -> str:
    parts = [plain(part) for part in name.split(",")]
    if len(parts) == 1:
        return parts[0]
    family, *suffix, given = parts
    return " ".join(filter(None, (given, family, *suffix)))


def _day(fields: dict[str, str]) -> dt.date | None:
    """The day of a complete ISO `date`."""
    try:
        return dt.date.fromisoformat(fields.get("date", ""))
    except ValueError:
        return None


def _arxiv(fields: dict[str, str]) -> str | None:
    if fields.get("eprint") and fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower() == "arxiv":
        return fields["eprint"]
    match = re.search(r"arxiv(?:\.org/abs/|[:\s]+)(\d{4}\.\d{4,5})", " ".join(fields.get(n, "") for n in _PLACES), re.I)
    return match.group(1) if match else None


_PLACES = ("journal", "url", "note", "howpublished")


def _acl(fields: dict[str, str]) -> str | None:
    match = re.search(r"aclanthology\.org/([A-Za-z0-9.\-]+?)/?$", fields.get("url", ""))
    return match.group(1) if match else None


def _pubmed(fields: dict[str, str]) -> dict[str, object]:
    """The numbers of PubMed and PubMed Central, as reference managers and biblatex write them."""
    eprint = {fields.get("eprinttype", "").lower(): fields.get("eprint")}
    return {
        "pmid": fields.get("pmid") or eprint.get("pubmed"),
        "pmcid": fields.get("pmcid") or fields.get("pmc") or eprint.get("pmc"),
    }
