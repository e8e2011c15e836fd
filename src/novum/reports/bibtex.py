"""The papers of a report as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from novum.core import Paper
from novum.reports.sanitizing import clean_line, paper_url

_SPECIALS = {
    "\\": r"\textbackslash{}",
    # An escaped brace would still be counted as a brace by BibTeX.
    "{": r"$\lbrace$",
    "}": r"$\rbrace$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
} | {char: "\\" + char for char in "$&%#_"}
_LIGATURES = re.compile(r"([-',<>])(?=\1)")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+", "a an the on of in for to towards toward from with by at is are how why what do does can as via and"
    )
)
_PREPRINT = re.compile(r"^$|arxiv|rxiv|preprint|ssrn|corr\b|technical report|blog|openreview", re.IGNORECASE)
_CONFERENCE = re.compile(
    r"proceedings|conference|workshop|symposium|\b(?:NeurIPS|NIPS|ICML|ICLR|ACL|EMNLP|NAACL|EACL|COLING|COLM|CoNLL|TREC"
    r"|CVPR|ICCV|ECCV|AAAI|IJCAI|KDD|WWW|SIGIR|WSDM|CIKM|CHI|UIST|UAI|AISTATS|COLT|ICASSP|Interspeech|ICRA|IROS|CoRL"
    r"|SIGGRAPH|SIGMOD|VLDB|OSDI|SOSP|USENIX|STOC|FOCS|SODA|ICSE|MICCAI|LREC|RecSys)\b"
)
_BOOK = re.compile(r"\bPress\b|\b(?:Wiley|Elsevier|Freeman|Prentice Hall|McGraw-Hill)\b|^Springer$")
_DOI = re.compile(r"10\.[^\s{}\\]+")


def render_bibtex(papers: Iterable[Paper]) -> str:
    """One entry for each paper, sorted by key. A key is shared by no two papers and does not depend on their order."""
    keys = citation_keys(papers)
    entries = sorted((key, paper) for key, paper in keys.items())
    return "\n".join(_entry(key, paper) for key, paper in entries)


def citation_keys(papers: Iterable[Paper]) -> dict[str, Paper]:
    """`wei2022chain` to its paper; two papers that would share a key both carry their id behind it."""
    once = {paper.id: paper for paper in papers}
    taken = Counter(_base_key(paper) for paper in once.values())
    return {_key(paper, taken): paper for paper in once.values()}


def _key(paper: Paper, taken: Counter[str]) -> str:
    base = _base_key(paper)
    return base if taken[base] == 1 else f"{base}-{paper.id.removeprefix('paper-')}"


def _base_key(paper: Paper) -> str:
    surname = _ascii(paper.authors[0].split()[-1]) if paper.authors and paper.authors[0].split() else ""
    words = [_ascii(word) for word in re.split(r"[\s\-/:]+", paper.title)]
    first = next((word for word in words if word and word not in _STOP_WORDS), "")
    return f"{surname or 'anon'}{paper.year or 'nd'}{first}"


def _ascii(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word.lower()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain)


def _entry(key: str, paper: Paper) -> str:
    fields = {name: value for name, value in _fields(paper) if value}
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{_kind(paper)}{{{key},\n{body}}}\n"


def _kind(paper: Paper) -> str:
    if paper.ids.acl or _CONFERENCE.search(paper.venue):
        return "inproceedings"
    if _PREPRINT.search(clean_line(paper.venue)):
        return "misc"
    return "book" if _BOOK.search(paper.venue) else "article"


_VENUE_FIELD = {"inproceedings": "booktitle", "article": "journal", "book": "publisher", "misc": "howpublished"}


def _fields(paper: Paper) -> Iterable[tuple[str, str]]:
    arxiv = _escape(paper.ids.arxiv or "")
    yield "title", _title(paper.title)
    yield "author", " and ".join(filter(None, map(_author, paper.authors)))
    yield "year", str(paper.year or "")
    yield _VENUE_FIELD[_kind(paper)], "" if arxiv and _kind(paper) == "misc" else _escape(paper.venue)
    yield "eprint", arxiv
    yield "archiveprefix", "arXiv" if arxiv else ""
    yield "pmid", _escape(paper.ids.pmid or "")
    yield "pmcid", _escape(paper.ids.pmcid or "")
    # Styles take DOI and address verbatim: an escape would break them, so what would need one is left out.
    yield "doi", paper.ids.doi if paper.ids.doi and _DOI.fullmatch(clean_line(paper.ids.doi)) else ""
    yield "url", paper_url(paper) or ""


def _escape(text: str) -> str:
    escaped = "".join(_SPECIALS.get(char, char) for char in clean_line(text))
    return _LIGATURES.sub(r"\1{}", escaped)


def _title(title: str) -> str:
    """Words with a capital behind their first letter are braced, or styles would write "bert"."""
    words = clean_line(title).split(" ")
    return " ".join(f"{{{_escape(word)}}}" if re.search(r"\B[A-Z]", word) else _escape(word) for word in words)


def _author(name: str) -> str:
    plain = clean_line(name)
    if plain.lower().rstrip(".") == "et al":
        return "others"
    escaped = _escape(plain)
    return f"{{{escaped}}}" if re.search(r",|\band\b", plain, re.IGNORECASE) else escaped
