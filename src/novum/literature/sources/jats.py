"""Full texts in JATS, the XML of PubMed Central and of many publishers (https://jats.nlm.nih.gov).

Such a file names its document type. The name alone is taken out before the file is parsed; a document type that
declares anything itself is refused with all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element

from novum.core import Value
from novum.literature.entry import Reference, clean_identifier
from novum.literature.identity import TITLE_LIMIT
from novum.literature.importing.cleaning import clean_text, clean_year
from novum.literature.pdf.document import MOST_REFERENCES, PdfDocument
from novum.literature.pdf.references import CitedWork, read_entry
from novum.literature.pdf.structure import PdfSection
from novum.literature.sources.xml_responses import text_of, xml_root

_DEEPEST = 150
"""Formulas in MathML are nested deeply."""
_DOCTYPE = re.compile(
    rb"""\s*<!DOCTYPE\s+[\w.-]{1,40}(?:\s+(?:PUBLIC|SYSTEM|"[^"<>\[]{0,200}"|'[^'<>\[]{0,200}'))*\s*>"""
)
_LONGEST = 4_000_000
"""Characters; the longest theses have half of it."""
_BEGINNING = 2000
"""Bytes in which a document type may stand."""
_LEFT_OUT = frozenset({"table", "graphic", "media", "object-id", "supplementary-material", "alt-text", "fn"})
_BLOCKS = frozenset({"p", "list", "disp-quote", "disp-formula", "def-list", "boxed-text", "verse-group", "statement"})
_SET_APART = _BLOCKS | {"list-item", "title", "label"}
_FLOATS = frozenset({"fig", "table-wrap"})
_MORE_BLOCKS = frozenset({"fig-group", "floats-group"})
_FORMULA = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_REGISTRIES = ("doi", "pmid", "pmcid")


class JatsArticle(Value):
    """The full text of an article and what it cites."""

    text: str
    """Markdown, as of a PDF."""
    references: tuple[Reference, ...] = ()


def read_jats(answer: bytes) -> JatsArticle:
    """Raises ValueError for what is no article in JATS, or one without a text, as of articles that are not open."""
    root = xml_root(_without_document_type(answer), deepest=_DEEPEST)
    article = root if root.tag == "article" else root.find(".//article")
    if article is None:
        raise ValueError("not an article in JATS")
    sections = tuple(_sections(article))
    if not any(section.text for section in sections):
        raise ValueError("an article without its text")
    cited = list(islice(_refs(article.find("back")), MOST_REFERENCES))
    works = [_work(ref) for ref in cited]
    front = "front/article-meta"
    document = PdfDocument(
        title=_text(article.find(f"{front}/title-group/article-title")),
        authors=tuple(filter(None, map(_author, article.iterfind(f"{front}/contrib-group/contrib")))),
        abstract="\n\n".join(_paragraphs(article.find(f"{front}/abstract"))),
        sections=sections,
        references=tuple(work for work in works if work.raw),
    )
    if len(text := document.text) > _LONGEST:
        raise ValueError(f"an article of {len(text):,} characters")
    references = (_reference(ref, work) for ref, work in zip(cited, works, strict=True))
    return JatsArticle(text=text, references=tuple(dict.fromkeys(filter(None, references))))


def _without_document_type(answer: bytes) -> bytes:
    """What declares nothing is a name of the format, and is dropped; everything else stays, and is refused."""
    at = answer[:_BEGINNING].find(b"<!DOCTYPE")
    named = _DOCTYPE.match(answer, at) if at >= 0 else None
    return answer[:at] + answer[named.end() :] if named else answer


def _sections(article: Element) -> Iterator[PdfSection]:
    """Those of the body, then those of the back, each before its subsections."""
    for place in ("body", "back/app-group/app", "back/sec"):
        for part in article.iterfind(place):
            yield from _section(part, 1 if place != "body" else 0)


def _section(part: Element, level: int) -> Iterator[PdfSection]:
    text = "\n\n".join(_paragraphs(part))
    heading = text_of(part, "title")
    if text or heading:
        yield PdfSection(heading=heading, number=_number(part), level=max(1, level), text=text)
    for inner in part.iterfind("sec"):
        yield from _section(inner, level + 1)


def _number(part: Element) -> str:
    return text_of(part, "label").rstrip(".")[:20] if part.tag == "sec" else ""


def _paragraphs(part: Element | None) -> Iterator[str]:
    """Paragraphs of a section without its subsections; of an abstract, whose sections are short, with their names."""
    for child in part if part is not None else ():
        if child.tag in _BLOCKS:
            yield from filter(None, [_text(child)])
        elif child.tag in _FLOATS:
            yield from filter(None, [" ".join(filter(None, (text_of(child, "label"), _text(child.find("caption")))))])
        elif child.tag in _MORE_BLOCKS:
            yield from _paragraphs(child)
        elif child.tag == "sec" and part is not None and part.tag == "abstract":
            words = " ".join(_paragraphs(child))
            yield f"{text_of(child, 'title').rstrip('.:')}: {words}" if text_of(child, "title") else words


def _text(element: Element | None) -> str:
    pieces: list[str] = []
    if element is not None:
        _collect(element, pieces)
    return clean_text("".join(pieces))


def _collect(element: Element, pieces: list[str]) -> None:
    """Adds the text of an element without tables and footnotes; paragraphs and items inside are set apart by blanks."""
    if element.tag == "tex-math":
        source = "".join(element.itertext())
        formula = _FORMULA.search(source)
        pieces.append(formula[1] if formula else source)
        return
    if element.tag == "alternatives" and len(element):
        _collect(next((form for form in element if form.tag == "tex-math"), element[0]), pieces)
        return
    pieces.append(element.text or "")
    for child in element:
        if child.tag not in _LEFT_OUT:
            _collect(child, pieces)
        pieces.append(" " if child.tag in _SET_APART else "")
        pieces.append(child.tail or "")


def _refs(element: Element | None) -> Iterator[Element]:
    """The entries of all bibliographies below an element; what is inside of an entry is a part of it."""
    for child in element if element is not None else ():
        if child.tag == "ref":
            yield child
        else:
            yield from _refs(child)


def _author(contributor: Element) -> str:
    """Empty for editors and others."""
    name = contributor.find("name")
    return _person(name) if name is not None and contributor.get("contrib-type", "author") == "author" else ""


def _person(name: Element) -> str:
    return " ".join(filter(None, (text_of(name, "given-names"), text_of(name, "surname"))))


def _work(ref: Element) -> CitedWork:
    """An entry of the bibliography; what is not marked is read from its plain text."""
    cited = _citation(ref)
    title = (text_of(cited, ".//article-title") or text_of(cited, ".//chapter-title"))[:TITLE_LIMIT]
    names = tuple(filter(None, (_person(name) for name in cited.iter("name"))))
    year = text_of(cited, ".//year")
    parts = (", ".join(names), title, text_of(cited, ".//source"), year)
    raw = ". ".join(part.rstrip(".") for part in parts if part) if title and _runs_together(cited) else _text(cited)
    ours = read_entry(raw)
    return CitedWork(
        raw=raw,
        title=title or ours.title,
        authors=names or ours.authors,
        year=clean_year(year) or ours.year,
        doi=_registered(cited, "doi") or ours.doi,
        arxiv=ours.arxiv,
    )


def _runs_together(cited: Element) -> bool:
    """Whether nothing stands between the marked parts of a citation, as in an `element-citation`."""
    return not any((part.tail or "").strip() for part in cited.iter() if part is not cited)


def _citation(ref: Element) -> Element:
    """The first of several descriptions of the same work."""
    kinds = ("element-citation", "mixed-citation", "citation", "nlm-citation")
    return next((cited for kind in kinds if (cited := ref.find(f".//{kind}")) is not None), ref)


def _reference(ref: Element, work: CitedWork) -> Reference | None:
    cited = _citation(ref)
    named = ((scheme, _registered(cited, scheme)) for scheme in _REGISTRIES)
    found = next((Reference(scheme=scheme, value=value) for scheme, value in named if value), None)
    return found or work.reference()


def _registered(cited: Element, scheme: str) -> str:
    kinds = {scheme, "pmc"} if scheme == "pmcid" else {scheme}
    values = (clean_text(one.text) for one in cited.iter("pub-id") if one.get("pub-id-type") in kinds)
    return next((name for value in values if (name := clean_identifier(scheme, value))), "")
