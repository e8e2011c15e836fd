"""Parses NBIB, the format of PubMed's citation manager (MEDLINE tags)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from novum.core import Paper
from novum.literature.entry import Entry, Reject
from novum.literature.importing.cleaning import LONGEST_NAME
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.importing.reference_fields import given_first, identifiers_in, keywords, public_day, year_in
from novum.literature.importing.tagged_lines import TagForm, TaggedRecord, tagged_records
from novum.literature.sources.json_responses import author_names, clean_title, plain_text

_FORM = TagForm(re.compile(r"\ufeff?([A-Z]{2,4}) {0,2}- ?(.*)$"), start="PMID")
_COMPACT_DAY = re.compile(r"(\d{4})(\d{2})(\d{2})\b")
_NOTICES = frozenset({"published erratum", "retraction of publication", "retraction notice", "expression of concern"})


def read_nbib(text: str, file: str, scope: str) -> Iterator[Entry | Reject]:
    """An entry or a reject for every record. `scope` is not used: the numbers of PubMed are valid everywhere."""
    found = False
    for record in tagged_records(text, _FORM):
        found = True
        try:
            yield _entry(record)
        except UnusableRecord as reason:
            yield Reject(file=file, line=record.line, reason=str(reason))
    if not found:
        yield Reject(file=file, line=1, reason="no record: in NBIB each begins with a line like `PMID- 123456`")


def _entry(record: TaggedRecord) -> Entry:
    _refuse_what_is_no_paper(record)
    paper = Paper(
        title=clean_title(record.value("TI", "BTI", "TT").removesuffix(".")),
        authors=author_names(_names(record)),
        year=year_in(record.values("DP", "DEP")),
        date=public_day([*map(_spelled_day, record.values("DEP")), *record.values("DP")]),
        venue=plain_text(record.value("JT", "TA", "BTI", "PB"))[:LONGEST_NAME],
        ids=identifiers_in(_doi(record), f"PMID: {record.value('PMID')}", record.value("PMC")),
        abstract=checked_abstract(plain_text(record.value("AB"))),
        fields=keywords([*record.values("OT"), *record.values("MH")]),
    )
    return Entry(paper=dated_by_arxiv(paper), line=record.line)


def _names(record: TaggedRecord) -> list[str]:
    """Full names where there are some, else names with initials, else groups."""
    full = [given_first(name) for name in record.values("FAU")]
    return full or [_initials_first(name) for name in record.values("AU")] or record.values("CN")


def _initials_first(name: str) -> str:
    """`Byron AK` as `AK Byron`."""
    family, _, initials = name.strip().rpartition(" ")
    return f"{initials} {family}" if family and initials.isupper() else name


def _doi(record: TaggedRecord) -> str:
    """`LID - 10.1000/abc [doi]`, besides identifiers of other kinds."""
    return next((value for value in record.values("LID", "AID") if value.endswith("[doi]")), "")


def _spelled_day(text: str) -> str:
    """`20190512` as `2019-05-12`."""
    match = _COMPACT_DAY.match(text)
    return "-".join(match.groups()) if match else text


def _refuse_what_is_no_paper(record: TaggedRecord) -> None:
    kinds = {kind.lower() for kind in record.values("PT")}
    if "retracted publication" in kinds:
        raise UnusableRecord(f"withdrawn (PubMed {record.value('PMID')[:20]})")
    if notice := next(iter(kinds & _NOTICES), ""):
        raise UnusableRecord(f"no paper but a notice ({notice}) about another")
