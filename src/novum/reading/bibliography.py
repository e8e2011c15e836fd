"""Papers under short labels (P1, P2, …) in a prompt, and the citations that come back resolved to them.

A label is shorter than a title and cannot be misspelt into another paper. What the model cites beyond the labels, by
title, is looked up in the library, or stays flagged as unresolved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from novum.core import Citation, Paper, normal_title, shorten

FindTitle = Callable[[str], Paper | None]
"""The library's paper of a title. Raises OutOfSight for one that the run may not know of."""


class OutOfSight(LookupError):
    """The library has this work, and it is later than the run may see."""


_LABEL = re.compile(r"(?<![\w-])(?<!unresolved: )([PL]\d{1,3})(?![\w-])")
"""Not where it has been marked already."""
_GROUP = (
    rf"[\[(]{{1,3}}\s{{0,4}}{_LABEL.pattern}(?:\s{{0,4}}(?:,|;|and|&)\s{{0,4}}{_LABEL.pattern})*\s{{0,4}}[\])]{{1,3}}"
)
_TITLE = 48
"""Characters of a title that tell apart papers of the same authors and year."""
_OPENING = r"\A|[.:;!?](?<!\bal\.)\s{1,4}|\n\s{0,4}"
"""Where a sentence begins: not behind the full stop of "et al."."""
_CITED = re.compile(rf"(?P<opening>{_OPENING})?(?P<cited>{_GROUP}|{_LABEL.pattern})")
"""A label by itself or several in brackets, and whether a sentence opens with it: found in one pass, so that nothing
put in is found again."""


@dataclass(frozen=True)
class Labelled:
    """A paper under its label, as prompts show it."""

    label: str
    paper: Paper


class Bibliography:
    """The papers put before a model, in order; `L` for a second list beside a text that speaks of a first one."""

    def __init__(self, papers: Sequence[Paper], letter: Literal["P", "L"] = "P") -> None:
        unique = {paper.id: paper for paper in papers}
        self.entries = [Labelled(f"{letter}{number}", paper) for number, paper in enumerate(unique.values(), 1)]
        self._by_label = {entry.label: entry.paper for entry in self.entries}
        self._alike = Counter(paper.short_citation for paper in unique.values())
        self._names = {word for paper in unique.values() for word in _words_like_labels(paper)} - self._by_label.keys()

    def paper(self, label: str) -> Paper | None:
        """The paper behind a label, however the model wrapped it: `P2`, `[P2]`, `paper P2`."""
        found = _LABEL.search(label)
        return self._by_label.get(found[1]) if found else None

    def strays(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Labels in `texts` that none of these papers has, each once. A word that the papers themselves use, as they
        may speak of P53, is none."""
        labels = dict.fromkeys(label for text in texts for label in _LABEL.findall(text))
        return tuple(label for label in labels if label not in self._by_label and label not in self._names)

    def spelled_out(self, text: str) -> str:
        """`text` with labels replaced by author and year, so that it can be read without this list."""
        return _CITED.sub(self._spell_out, text)

    def citations(
        self, texts: Iterable[str], others: Iterable[str] = (), find: FindTitle | None = None
    ) -> tuple[Citation, ...]:
        """What `texts` cite by label and `others` name by title, each once, in order of appearance."""
        cited: dict[str, Citation] = {}
        for text in texts:
            for label in _LABEL.findall(text):
                if label in self._names:
                    continue
                citation = self._citation(label)
                cited.setdefault(citation.paper_id or citation.name, citation)
        for name in filter(None, (other.strip() for other in others)):
            if (named := self._named_citation(name, find)) is not None:
                cited.setdefault(named.paper_id or normal_title(named.name), named)
        return tuple(cited.values())

    def _citation(self, label: str) -> Citation:
        paper = self._by_label.get(label)
        return Citation(name=paper.title, paper_id=paper.id) if paper else Citation(name=f"[{label}]")

    def _named_citation(self, name: str, find: FindTitle | None) -> Citation | None:
        """None for a work that must not be cited."""
        try:
            paper = self.paper(name) if _LABEL.fullmatch(name.strip("[]() ")) else (find(name) if find else None)
        except OutOfSight:
            return None
        return Citation(name=paper.title, paper_id=paper.id) if paper else Citation(name=name)

    def _spell_out(self, cited: re.Match[str]) -> str:
        """In brackets where it stood in brackets, unless it is what the sentence speaks of; the year alone behind
        the authors' names."""
        labels = _LABEL.findall(cited["cited"])
        if all(label in self._names for label in labels):
            return cited[0]
        names = "; ".join(self._name(label) for label in labels)
        opening = cited["opening"]
        authors, _, year = names.rpartition(" ")
        before = cited.string[max(0, cited.start() - len(authors) - 4) : cited.start()].rstrip()
        if opening is None and authors and before.endswith(authors):
            return f"({year})"
        return f"({names})" if opening is None and cited["cited"][0] in "[(" else f"{opening or ''}{names}"

    def _name(self, label: str) -> str:
        """Author and year; how its title begins, too, where another of these papers has the same."""
        paper = self._by_label.get(label)
        if paper is None:
            return label if label in self._names else f"[unresolved: {label}]"
        if self._alike[paper.short_citation] == 1:
            return paper.short_citation
        return f"{paper.short_citation}, {shorten(paper.title.split(':')[0], _TITLE)}"


def _words_like_labels(paper: Paper) -> list[str]:
    return _LABEL.findall(f"{paper.title}\n{paper.abstract}\n{paper.summary}")
