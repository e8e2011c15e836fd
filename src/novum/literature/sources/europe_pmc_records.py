"""Records of Europe PMC: which are papers, and what is known of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from novum.core import Paper
from novum.literature.entry import Entry, Reference, clean_identifier
from novum.literature.identity import TITLE_LIMIT
from novum.literature.importing.cleaning import (
    LONGEST_NAME,
    LONGEST_TEXT,
    clean_count,
    clean_identifiers,
    clean_text,
    clean_year,
)
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.sources.json_responses import (
    author_names,
    certain_day,
    clean_title,
    nested_object,
    objects,
    plain_text,
)

_ARXIV_DOI = "10.48550/arxiv."
_FIELDS = 12
_NO_PAPERS = frozenset(
    {
        "addendum",
        "announcement",
        "article-commentary",
        "autobiography",
        "bibliography",
        "biography",
        "book-review",
        "calendar",
        "comment",
        "correction",
        "corrigendum",
        "editorial",
        "erratum",
        "expression of concern",
        "expression-of-concern",
        "interview",
        "letter",
        "news",
        "newspaper article",
        "obituary",
        "partial-retraction",
        "patient education handout",
        "peer review",
        "personal narrative",
        "portrait",
        "product-review",
        "published erratum",
        "reply",
        "retraction",
        "retraction of publication",
    }
)
"""Types of publications, as PubMed and the publishers' JATS files name them, that are about papers or people."""
_WITHDRAWN = frozenset({"retracted publication", "retracted-article", "withdrawn", "preprint-withdrawal"})
_BRIEF = frozenset({"article-commentary", "letter"})
"""Of these, those that may be short reports of research all the same."""
_RESEARCH = frozenset(
    {
        "clinical trial",
        "meta-analysis",
        "observational study",
        "randomized controlled trial",
        "research-article",
        "review",
        "review-article",
        "systematic review",
    }
)

RecordName = tuple[str, str]
"""Part of Europe PMC, and number there: ("MED", "25017039")."""


def record_entry(record: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of a record with its core metadata. Raises UnusableRecord: patents, notices about other papers, letters
    and editorials, and withdrawn articles are no papers."""
    _refuse_what_is_no_paper(record)
    paper = Paper(
        title=_title(record),
        authors=author_names(_authors(record)),
        year=clean_year(record.get("pubYear")),
        date=certain_day(record.get("firstPublicationDate")),
        venue=_venue(record),
        ids=clean_identifiers(_identifiers(record)),
        abstract=checked_abstract(_abstract(record.get("abstractText"))),
        fields=_fields(record),
        citation_count=clean_count(record.get("citedByCount")),
    )
    name = record_name(record)
    return Entry(paper=dated_by_arxiv(paper), key=_key(name) if name else "", line=line)


def record_name(record: Mapping[str, object]) -> RecordName | None:
    """The name of a record; None for a reference that Europe PMC did not recognise."""
    part, number = clean_text(record.get("source")), clean_text(record.get("id"))
    return (part, number) if _PART.fullmatch(part) and _NUMBER.fullmatch(number) else None


_PART, _NUMBER = re.compile(r"[A-Z]{3}"), re.compile(r"[A-Za-z0-9]{1,30}")


def _key(name: RecordName) -> str:
    return f"europepmc:{'/'.join(name)}"


def reference_to(name: RecordName) -> Reference:
    """A reference to a record, by a number that other services know, where there is one."""
    part, number = name
    scheme = {"MED": "pmid", "PMC": "pmcid"}.get(part, "")
    value = clean_identifier(scheme, number) if scheme else ""
    return Reference(scheme=scheme, value=value) if value else Reference(scheme="key", value=_key(name))


def cited_references(found: Sequence[Mapping[str, object]]) -> Iterator[Reference]:
    """The references in a list, by number or DOI; works that Europe PMC did not recognise by title, or by the citation
    as it stands."""
    for one in found:
        doi = clean_identifier("doi", clean_text(one.get("doi")))
        title = plain_text(one.get("title") or one.get("unstructuredInformation")).rstrip(".")
        if name := record_name(one):
            yield reference_to(name)
        elif doi.startswith("10."):
            yield Reference(scheme="doi", value=doi)
        elif title:
            yield Reference(scheme="title", value=title[:TITLE_LIMIT])


def _refuse_what_is_no_paper(record: Mapping[str, object]) -> None:
    name = " ".join(record_name(record) or ("a record",))
    if record.get("source") == "PAT":
        raise UnusableRecord(f"{name}: no paper but a patent")
    kinds = _kinds(record)
    changes = objects(nested_object(record, "commentCorrectionList").get("commentCorrection"))
    taken_back = any(clean_text(one.get("type")).lower().startswith("retraction in") for one in changes)
    if taken_back or not _WITHDRAWN.isdisjoint(kinds):
        raise UnusableRecord(f"{name}: withdrawn")
    brief = _BRIEF if not _RESEARCH.isdisjoint(kinds) else frozenset()
    if found := [kind for kind in kinds if kind in _NO_PAPERS - brief]:
        raise UnusableRecord(f"{name}: no paper, of type {found[0]}")


def _kinds(record: Mapping[str, object]) -> list[str]:
    """Types of publication in lower case: a list, or in short records one text."""
    listed = nested_object(record, "pubTypeList").get("pubType") or record.get("pubType")
    names = listed.split(";") if isinstance(listed, str) else listed if isinstance(listed, list) else []
    return [clean_text(name).lower() for name in names]


def _title(record: Mapping[str, object]) -> str:
    """Without the final stop of PubMed, and without the brackets around a translated title."""
    title = clean_title(record.get("title")).removesuffix(".")
    translated = title.startswith("[") and title.endswith("]") and "]" not in title[:-1]
    return title[1:-1].removesuffix(".") if translated and len(title) > len("[]") else title


def _authors(record: Mapping[str, object]) -> list[str]:
    """From the list of authors; short records have their names in one text."""
    people = list(objects(nested_object(record, "authorList").get("author")))
    if people:
        return list(map(_person, people))
    names = clean_text(record.get("authorString")).removesuffix(".")[:LONGEST_TEXT]
    return list(map(_given_first, names.split(", ")))


def _person(person: Mapping[str, object]) -> str:
    """`Given Family`, or the name of a group."""
    given, family = clean_text(person.get("firstName")), clean_text(person.get("lastName"))
    full = clean_text(person.get("fullName"))
    return f"{given} {family}" if given and family else _given_first(full) or clean_text(person.get("collectiveName"))


def _given_first(name: str) -> str:
    """PubMed writes initials last: `Nunez ZA` is `ZA Nunez`."""
    initials = _INITIALS.fullmatch(name)
    return f"{initials[2]} {initials[1]}" if initials else name


_INITIALS = re.compile(r"(\S.{0,100}) ([A-Z]{1,4})")


def _venue(record: Mapping[str, object]) -> str:
    """Journal, else the publisher of a book or the server of a preprint."""
    journal = nested_object(record, "journalInfo", "journal").get("title") or record.get("journalTitle")
    return plain_text(journal or nested_object(record, "bookOrReportDetails").get("publisher"))[:LONGEST_NAME]


def _identifiers(record: Mapping[str, object]) -> dict[str, object]:
    _, arxiv, number = clean_text(record.get("doi")).lower().partition(_ARXIV_DOI)
    pmid = record.get("pmid") or (record.get("id") if record.get("source") == "MED" else None)
    found = {"doi": record.get("doi"), "pmid": pmid, "pmcid": record.get("pmcid")}
    return {**found, "arxiv": number if arxiv else None}


def _abstract(value: object) -> str:
    """The abstract without markup. Its own headings become `Methods:`; one that says `Abstract` is dropped."""
    if not isinstance(value, str):
        return ""
    return plain_text(_HEADING.sub(r" \1: ", _OWN_HEADING.sub(" ", value)))


_OWN_HEADING = re.compile(r"<h4>\s*(?:abstract|summary)\s*[:.]?\s*</h4>", re.IGNORECASE)
_HEADING = re.compile(r"<h4>\s*([^<>]{1,80}?)\s*[:.]?\s*</h4>", re.IGNORECASE)


def _fields(record: Mapping[str, object]) -> tuple[str, ...]:
    """The subject headings that an article is mainly about."""
    headings = objects(nested_object(record, "meshHeadingList").get("meshHeading"))
    names = (plain_text(one.get("descriptorName")) for one in headings if one.get("majorTopic_YN") == "Y")
    return tuple(filter(None, dict.fromkeys(names)))[:_FIELDS]
