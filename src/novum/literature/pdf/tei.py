"""Parses the response of a GROBID server, which is TEI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from novum.core import Identifiers
from novum.literature.entry import clean_identifier
from novum.literature.importing.cleaning import clean_text, clean_year
from novum.literature.pdf.document import MOST_REFERENCES, PdfDocument, ids_in_name, year_of
from novum.literature.pdf.references import CitedWork, read_entry
from novum.literature.pdf.structure import PdfSection
from novum.literature.sources.xml_responses import text_of, xml_root

_T = "{http://www.tei-c.org/ns/1.0}"
_ARXIV = "arXiv:"


def read_tei(answer: bytes, name: str = "") -> PdfDocument:
    """The document in TEI. `name`: of the PDF, which may be an identifier. Raises ValueError for anything else."""
    root = xml_root(answer)
    if root.tag != f"{_T}TEI":
        raise ValueError("not TEI")
    source = f"{_T}teiHeader/{_T}fileDesc/{_T}sourceDesc/{_T}biblStruct"
    head = root.find(source)
    named, own = ids_in_name(name), Identifiers() if head is None else _identifiers(head)
    found = [] if head is None else list(head.iterfind(f"{_T}analytic/{_T}author"))
    works = root.iterfind(f"{_T}text/{_T}back//{_T}listBibl/{_T}biblStruct")
    return PdfDocument(
        title=text_of(root, f"{_T}teiHeader/{_T}fileDesc/{_T}titleStmt/{_T}title") or Path(name).stem,
        authors=tuple(filter(None, map(_name, found))),
        year=(None if head is None else _year(head)) or year_of(named),
        venue=text_of(root, f"{source}/{_T}monogr/{_T}title"),
        ids=Identifiers(doi=own.doi, arxiv=own.arxiv or named.arxiv, acl=named.acl),
        abstract=text_of(root, f"{_T}teiHeader/{_T}profileDesc/{_T}abstract"),
        sections=tuple(_sections(root)),
        references=tuple(_work(work) for work, _ in zip(works, range(MOST_REFERENCES), strict=False)),
    )


def _name(author: Element) -> str:
    """`Madeleine van Zuylen`; empty for an affiliation without a person."""
    name = author.find(f"{_T}persName")
    return "" if name is None else " ".join(filter(None, (clean_text(part.text) for part in name if _is_name(part))))


def _is_name(part: Element) -> bool:
    return part.tag in (f"{_T}forename", f"{_T}surname", f"{_T}genName")


def _year(work: Element) -> int | None:
    date = work.find(f".//{_T}imprint/{_T}date")
    return None if date is None else clean_year(date.get("when") or date.text)


def _identifiers(work: Element) -> Identifiers:
    named = {idno.get("type", "").lower(): clean_text(idno.text) for idno in work.iter(f"{_T}idno")}
    doi = clean_identifier("doi", named.get("doi", ""))
    arxiv = named.get("arxiv", "").removeprefix(_ARXIV).partition("[")[0].strip()
    return Identifiers(doi=doi or None, arxiv=clean_identifier("arxiv", arxiv) or None)


def _sections(root: Element) -> Iterator[PdfSection]:
    """The sections of the body, then of the back. GROBID numbers headings but does not nest them."""
    for place in (f"{_T}text/{_T}body/{_T}div", f"{_T}text/{_T}back/{_T}div//{_T}div"):
        for div in root.iterfind(place):
            head = div.find(f"{_T}head")
            number = "" if head is None else clean_text(head.get("n")).rstrip(".")
            paragraphs = (clean_text("".join(paragraph.itertext())) for paragraph in div.iterfind(f"{_T}p"))
            text = "\n\n".join(filter(None, paragraphs))
            heading = text_of(div, f"{_T}head")
            if text or heading:
                yield PdfSection(heading=heading, number=number, level=number.count(".") + 1, text=text)


def _work(work: Element) -> CitedWork:
    """An entry of the bibliography as GROBID read it; from its raw text where it did not."""
    raw = next((clean_text(note.text) for note in work.iter(f"{_T}note") if note.get("type") == "raw_reference"), "")
    ours = read_entry(raw)
    title = text_of(work, f"{_T}analytic/{_T}title") or text_of(work, f"{_T}monogr/{_T}title")
    ids = _identifiers(work)
    return CitedWork(
        raw=raw or title,
        title=title or ours.title,
        authors=tuple(filter(None, map(_name, work.iter(f"{_T}author")))) or ours.authors,
        year=_year(work) or ours.year,
        doi=ids.doi or ours.doi,
        arxiv=ids.arxiv or ours.arxiv,
    )
