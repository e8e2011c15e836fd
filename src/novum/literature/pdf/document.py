"""A PDF as a paper, and the paper as an entry of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from novum.core import Identifiers, Paper, Value
from novum.literature.entry import Entry, Reference, clean_identifier
from novum.literature.identity import TITLE_LIMIT
from novum.literature.importing.cleaning import LONGEST_TEXT, clean_text, clean_year
from novum.literature.importing.record import dated_by_arxiv
from novum.literature.pdf.bibliography import split_entries
from novum.literature.pdf.front import is_title, names_in
from novum.literature.pdf.hyphenation import Vocabulary
from novum.literature.pdf.layout import PageLayout, lay_out
from novum.literature.pdf.references import CitedWork, read_entry
from novum.literature.pdf.spans import PdfText
from novum.literature.pdf.structure import PdfSection, structure_of

MOST_REFERENCES = 5_000
_STAMP = re.compile(r"^\s*arXiv:(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
_DOI = re.compile(r"(?:doi(?:\.org/|:|\s)\s*|^\s*)(10\.\d{4,9}/[^\s\"<>,;]+)", re.IGNORECASE)
_ACL_NAME = re.compile(r"([A-Z]\d{2}-\d{4}|(\d{4})\.[a-z0-9_]+-[a-z0-9]+\.\d+)(?:v\d+)?", re.IGNORECASE)
_ARXIV_NAME = re.compile(r"(\d{4}\.\d{4,5})(?:v\d+)?")
_ISSUE = re.compile(
    r"proceedings|conference|workshop|journal|transactions|findings|symposium|published|volume|vol\.|©|copyright|\bc 20"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)
_VENUE = re.compile(
    r"(?:in )?((?:proceedings|findings|transactions) of .+?)(?:,? pages?\b|,? pp\b|, vol|$)", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)((?:19[6-9]|20[0-9])\d)(?!\d)")


class PdfDocument(Value):
    """The content of a PDF. What was not found is empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    ids: Identifiers = Identifiers()
    abstract: str = ""
    sections: tuple[PdfSection, ...] = ()
    references: tuple[CitedWork, ...] = ()
    remarks: tuple[str, ...] = ()
    """Notes for the reader, such as that only the first pages were read."""

    @property
    def text(self) -> str:
        """All of it as Markdown: headings as `##` and deeper, references as a list."""
        parts = [f"# {self.title}", ", ".join(self.authors)]
        parts += ["## Abstract", self.abstract] if self.abstract else []
        for section in self.sections:
            heading = f"{section.number} {section.heading}".strip()
            parts += [f"{'#' * min(section.level + 1, 6)} {heading}" if heading else "", section.text]
        parts += ["## References", "\n".join(f"- {work.raw}" for work in self.references)] if self.references else []
        parts += [f"({remark})" for remark in self.remarks]
        return "\n\n".join(part for part in parts if part)


def read_document(text: PdfText, name: str = "") -> PdfDocument:
    """The document of a PDF. `name`: of its file, without the folder; many collections put an identifier there.

    The metadata of the file are used only for what its pages do not show: they are often left over from a template.
    """
    layout = lay_out(text)
    vocabulary = Vocabulary.of(line.text for line in layout.lines)
    parts = structure_of(layout, vocabulary)
    works = tuple(map(read_entry, split_entries(parts.bibliography, vocabulary)[:MOST_REFERENCES]))
    ids = _identifiers(layout, name)
    title = parts.front.title or (clean_text(text.title) if is_title(text.title) else "")
    return PdfDocument(
        title=title or Path(name).stem,
        authors=parts.front.authors or names_in(clean_text(text.authors)),
        year=_year(layout, ids),
        venue=next((match[1] for line in layout.around if (match := _VENUE.match(line))), ""),
        ids=ids,
        abstract=parts.abstract,
        sections=parts.sections,
        references=works,
        remarks=tuple(_remarks(text, title)),
    )


def _remarks(text: PdfText, title: str) -> Iterator[str]:
    if len(text.pages) < text.page_count:
        yield f"the first {len(text.pages):,} of {text.page_count:,} pages were read"
    if not title:
        yield "no title was found: the file's name stands for it"


def _identifiers(layout: PageLayout, name: str) -> Identifiers:
    """The identifiers in stamps and footers of the first page, and in the name of the file."""
    around = [*layout.around, *(line.text for line in layout.first_page)]
    doi, named = _first(_DOI, around), ids_in_name(name)
    return Identifiers(
        doi=clean_identifier("doi", doi.rstrip(".)]}")) if doi else None,
        arxiv=_first(_STAMP, around) or named.arxiv,
        acl=named.acl,
    )


def ids_in_name(name: str) -> Identifiers:
    """`N18-3011.pdf`, `2020.acl-main.207.pdf` and `1706.03762v5.pdf` are named by their registries."""
    stem = name[:-4] if name.lower().endswith(".pdf") else name
    acl, arxiv = _ACL_NAME.fullmatch(stem), _ARXIV_NAME.fullmatch(stem)
    return Identifiers(arxiv=arxiv[1] if arxiv else None, acl=acl[1] if acl else None)


def year_of(ids: Identifiers) -> int | None:
    """The year in an identifier: `2020.acl-main.207` 2020, `N18-3011` 2018, arXiv `1706.03762` 2017."""
    if ids.acl:
        year = ids.acl[:4] if ids.acl[0].isdigit() else ids.acl[1:3]
        return int(year) if len(year) == 4 else int(year) + (1900 if int(year) > 50 else 2000)
    return 2000 + int(ids.arxiv[:2]) if ids.arxiv and ids.arxiv[:2].isdigit() else None


def _first(pattern: re.Pattern[str], lines: Iterable[str]) -> str | None:
    return next((match[1] for line in lines if (match := pattern.search(line))), None)


def _year(layout: PageLayout, ids: Identifiers) -> int | None:
    """From an ACL id, else from what the margins say of the publication, else from the arXiv id. No guess: a wrong
    year would keep this paper apart from itself."""
    said = [int(year) for line in layout.around if _ISSUE.search(line) for year in _YEAR.findall(line)]
    return said[0] if said and not ids.acl else year_of(ids)


def entry_of(document: PdfDocument, file: str) -> Entry:
    """The entry of a document. `file`: its name, the title of last resort. What is too long is cut."""
    title = document.title or Path(file).stem
    paper = Paper(
        title=clean_text(title)[:TITLE_LIMIT],
        authors=tuple(filter(None, (clean_text(name)[:200] for name in document.authors))),
        year=clean_year(document.year),
        venue=clean_text(document.venue)[:300],
        ids=document.ids,
        abstract=clean_text(document.abstract)[:LONGEST_TEXT],
    )
    return Entry(paper=dated_by_arxiv(paper), references=_cited(document.references), full_text=document.text)


def _cited(works: Sequence[CitedWork]) -> tuple[Reference, ...]:
    found = (work.reference() for work in works)
    return tuple(dict.fromkeys(reference for reference in found if reference))
