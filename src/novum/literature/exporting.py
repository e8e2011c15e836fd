"""Papers as JSON lines, BibTeX, RIS or CSL-JSON; what is exported can be imported again."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from string import ascii_lowercase

from novum.core import Paper
from novum.errors import BadInput
from novum.literature.importing.cleaning import clean_text


def export(papers: Iterable[Paper], form: str) -> Iterator[str]:
    """Text in pieces, to be written one after another. `form`: `jsonl`, `bibtex`, `ris` or `csl`. Raises BadInput."""
    if form not in FORMS:
        raise BadInput(f"Papers cannot be exported as {form!r}: choose one of {', '.join(FORMS)}.")
    return FORMS[form](papers)


def to_jsonl(papers: Iterable[Paper]) -> Iterator[str]:
    """One paper a line, with its id and the ids of its references."""
    for paper in papers:
        yield paper.model_dump_json(exclude_defaults=True) + "\n"


def to_bibtex(papers: Iterable[Paper]) -> Iterator[str]:
    """One entry a paper; citation keys like `wei2022chain`, with a letter more where two would be the same."""
    used: set[str] = set()
    for paper in papers:
        key = citation_key(paper, used)
        used.add(key)
        lines = [f"  {name} = {{{value}}}," for name, value in _bibtex_fields(paper) if value]
        yield "\n".join((f"@{_kind(paper)}{{{key},", *lines, "}", "", ""))


def to_csl(papers: Iterable[Paper]) -> Iterator[str]:
    """One JSON array."""
    yield "[\n"
    for place, paper in enumerate(papers):
        yield (",\n" if place else "") + json.dumps(_csl_item(paper), ensure_ascii=False)
    yield "\n]\n"


def to_ris(papers: Iterable[Paper]) -> Iterator[str]:
    """One record a paper, for EndNote, Mendeley, Zotero and databases; keys as for BibTeX."""
    used: set[str] = set()
    for paper in papers:
        key = citation_key(paper, used)
        used.add(key)
        lines = [f"{tag}  - {clean_text(value)}" for tag, value in _ris_fields(paper, key) if value]
        yield "\r\n".join((*lines, "ER  - ", "", ""))


FORMS: dict[str, Callable[[Iterable[Paper]], Iterator[str]]] = {
    "jsonl": to_jsonl,
    "bibtex": to_bibtex,
    "ris": to_ris,
    "csl": to_csl,
}
_BY_ENDING = {".bib": "bibtex", ".bibtex": "bibtex", ".ris": "ris", ".json": "csl", ".csljson": "csl"}


def form_by_name(file: str) -> str:
    """The form that the name of a file asks for: `jsonl` unless it ends like one of the others."""
    return next((form for ending, form in _BY_ENDING.items() if file.lower().endswith(ending)), "jsonl")


_SMALL_WORDS = frozenset(
    "a an the on of in for to towards toward from and with by at is are how why what do does can as via".split()  # noqa: SIM905
)


def citation_key(paper: Paper, used: Iterable[str] = ()) -> str:
    """First author's surname, year, first content word of the title; with a letter more if that key is `used`."""
    names = paper.authors[0].split() if paper.authors else []
    words = [_ascii(word) for word in re.split(r"[\s\-–—:/]+", paper.title)]
    word = next((word for word in words if word and word not in _SMALL_WORDS), "")
    base = f"{_ascii(names[-1]) if names else ''}{paper.year or ''}{word}" or paper.id
    taken = set(used)
    if base not in taken:
        return base
    return next(key for number in range(len(taken) + 1) if (key := base + _letters(number)) not in taken)


def _letters(number: int) -> str:
    """0 is `a`, 25 is `z`, 26 is `aa`."""
    more, letter = divmod(number, len(ascii_lowercase))
    return (_letters(more - 1) if more else "") + ascii_lowercase[letter]


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def _kind(paper: Paper) -> str:
    if not paper.venue or "arxiv" in paper.venue.lower():
        return "misc"
    return "inproceedings" if paper.ids.acl else "article"


def _bibtex_fields(paper: Paper) -> list[tuple[str, str]]:
    venue = {"misc": "howpublished", "inproceedings": "booktitle", "article": "journal"}[_kind(paper)]
    return [
        ("title", "{" + _latex(paper.title) + "}"),
        ("author", " and ".join(map(_bibtex_name, paper.authors))),
        ("year", str(paper.year or "")),
        ("date", paper.date.isoformat() if paper.date else ""),
        (venue, _latex(paper.venue)),
        ("doi", _latex(paper.ids.doi or "")),
        ("eprint", paper.ids.arxiv or ""),
        ("archiveprefix", "arXiv" if paper.ids.arxiv else ""),
        ("pmid", _latex(paper.ids.pmid or "")),
        ("pmcid", _latex(paper.ids.pmcid or "")),
        ("url", _url(paper.ids.url or "")),
        ("abstract", _latex(paper.abstract)),
    ]


def _bibtex_name(name: str) -> str:
    """A name with `and` or a comma is put in braces, which keep it whole."""
    escaped = _latex(name)
    return f"{{{escaped}}}" if "," in name or " and " in name.lower() else escaped


_SPECIAL = {char: f"\\{char}" for char in "{}&%$#_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_ESCAPES = str.maketrans(_SPECIAL)


def _latex(text: str) -> str:
    """Plain text for LaTeX: its special characters are escaped, so that a title cannot break out of its field."""
    return text.translate(_ESCAPES)


def _url(url: str) -> str:
    return re.sub(r"[\s{}\\]", "", url)


_RIS_TYPES = {"misc": "UNPB", "inproceedings": "CONF", "article": "JOUR"}


def _ris_type(paper: Paper) -> str:
    """An article of unknown journal is still one when it has a DOI that is not a preprint's."""
    is_article = _kind(paper) == "misc" and paper.ids.doi and not paper.ids.arxiv
    return "JOUR" if is_article else _RIS_TYPES[_kind(paper)]


def _ris_fields(paper: Paper, key: str) -> Iterator[tuple[str, str]]:
    yield "TY", _ris_type(paper)
    yield "ID", key
    yield "TI", paper.title
    yield from (("AU", _family_first(name)) for name in paper.authors)
    yield "PY", str(paper.year or "")
    yield "DA", f"{paper.date:%Y/%m/%d}/" if paper.date else ""
    yield "T2", paper.venue
    yield "DO", paper.ids.doi or ""
    yield "AN", f"arXiv:{paper.ids.arxiv}" if paper.ids.arxiv else ""
    yield "C2", paper.ids.pmcid or ""
    yield "UR", _url(paper.ids.url or "")
    yield "AB", paper.abstract
    yield from (("KW", name) for name in paper.fields)


def _family_first(name: str) -> str:
    """`Ada Byron` as `Byron, Ada`; a name of one word or with a comma as it is."""
    given, _, family = name.rpartition(" ")
    return name if "," in name or not given else f"{family}, {given}"


def _csl_item(paper: Paper) -> dict[str, object]:
    date = [paper.date.year, paper.date.month, paper.date.day] if paper.date else [paper.year]
    item = {
        "id": paper.id,
        "type": "article-journal" if paper.venue else "article",
        "title": paper.title,
        "author": [_csl_name(name) for name in paper.authors],
        "issued": {"date-parts": [date]} if paper.year else None,
        "container-title": paper.venue,
        "DOI": paper.ids.doi,
        "PMID": paper.ids.pmid,
        "PMCID": paper.ids.pmcid,
        "URL": paper.ids.url,
        "abstract": paper.abstract,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(name: str) -> dict[str, str]:
    given, _, family = name.rpartition(" ")
    return {"family": family, "given": given} if given else {"literal": name}
