"""Items of Zotero as entries of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from novum.core import Paper
from novum.literature.entry import Entry
from novum.literature.importing.cleaning import LONGEST_NAME, clean_text
from novum.literature.importing.record import UnusableRecord, checked_abstract, dated_by_arxiv
from novum.literature.importing.reference_fields import identifiers_in, keywords, public_day, year_in
from novum.literature.sources.json_responses import author_names, clean_title, nested_object, objects, plain_text

PAPER_TYPES = frozenset({
    "book", "bookSection", "conferencePaper", "document", "encyclopediaArticle", "journalArticle", "manuscript",
    "preprint", "report", "thesis",
})  # fmt: skip
_PARTS = frozenset({"annotation", "attachment", "note"})
"""Items that belong to others, or to nothing: neither papers nor worth a line in the list of what was left out."""
_VENUES = (
    "publicationTitle", "proceedingsTitle", "bookTitle", "encyclopediaTitle", "conferenceName", "repository",
    "university", "institution", "publisher",
)  # fmt: skip
_LABELLED = re.compile(r"^\s*(?:DOI|arXiv|PMID|PMCID|tex\.eprint)\s*:.*$", re.IGNORECASE | re.MULTILINE)
"""Lines of `extra` that hold identifiers. Its other lines may name other works."""
_LIBRARIES = {"user": "users", "group": "groups"}


def is_part(item: Mapping[str, object]) -> bool:
    """Whether an item is a note, an attachment or an annotation."""
    return nested_object(item, "data").get("itemType") in _PARTS


def item_entry(item: Mapping[str, object], line: int = 0) -> Entry:
    """The entry of an item. Its key, `zotero:users/12/ABCD2345`, is valid everywhere. Raises UnusableRecord."""
    data, meta = nested_object(item, "data"), nested_object(item, "meta")
    kind = clean_text(data.get("itemType"))
    if kind not in PAPER_TYPES:
        raise UnusableRecord(f"{plain_text(data.get('title'))[:80]!r}: no paper, of type {kind[:40] or 'unknown'}")
    dates = [clean_text(meta.get("parsedDate")), clean_text(data.get("date"))]
    paper = Paper(
        title=clean_title(data.get("title")),
        authors=author_names(_people(data)),
        year=year_in(dates),
        date=public_day(dates),
        venue=next((name for each in _VENUES if (name := plain_text(data.get(each)))), "")[:LONGEST_NAME],
        ids=identifiers_in(clean_text(data.get("DOI")), *_places(data)),
        abstract=checked_abstract(plain_text(data.get("abstractNote"))),
        fields=keywords(clean_text(tag.get("tag")) for tag in objects(data.get("tags")) if tag.get("type") == 1),
    )
    return Entry(paper=dated_by_arxiv(paper), key=item_key(item), line=line)


def item_key(item: Mapping[str, object]) -> str:
    """`zotero:users/12/ABCD2345`, from the item alone, so that both APIs agree; empty when it is incomplete."""
    library = nested_object(item, "library")
    owner, number, key = _LIBRARIES.get(str(library.get("type"))), library.get("id"), item.get("key")
    return f"zotero:{owner}/{number}/{key}" if owner and type(number) is int and isinstance(key, str) else ""


def _people(data: Mapping[str, object]) -> list[str]:
    """Authors; where there are none, editors and others."""
    people = list(objects(data.get("creators")))
    authors = [one for one in people if one.get("creatorType") == "author"]
    return [_name(one) for one in authors or people]


def _name(person: Mapping[str, object]) -> str:
    parts = (person.get("firstName"), person.get("lastName"))
    return " ".join(filter(None, map(clean_text, parts))) or clean_text(person.get("name"))


def _places(data: Mapping[str, object]) -> Iterator[str]:
    """Where identifiers stand besides `DOI`."""
    extra = data.get("extra")
    yield from _LABELLED.findall(extra[:20_000]) if isinstance(extra, str) else ()
    archive = clean_text(data.get("archiveID"))
    is_arxiv = "arxiv" in clean_text(data.get("repository") or data.get("libraryCatalog")).lower()
    yield f"arXiv:{archive}" if is_arxiv and archive[:1].isdigit() else archive
    yield clean_text(data.get("url"))
    yield clean_text(data.get("publicationTitle"))
