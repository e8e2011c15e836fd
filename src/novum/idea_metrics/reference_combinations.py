"""Atypical combinations: venues or fields that a subject's references combine and that papers seldom do.

After *Atypical Combinations and Scientific Impact* (Uzzi et al. 2013), which found that the papers with the most impact
are mostly conventional, with a tail of unusual pairs. Formulas are in `idea_metrics/reference_pair_counts.py`.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from pydantic import JsonValue

from novum.core import Paper, Subject
from novum.core.arrays import Ints
from novum.errors import BadInput
from novum.files.arrays import ModelState
from novum.idea_metrics.corpus import Corpus
from novum.idea_metrics.reference_pair_counts import Atypicality, PairCounts, ReferencePair, pairs_within
from novum.literature import Filters, Library
from novum.literature.filters import EVERYTHING, field_key, venue_key

ReferenceKind = Literal["venue", "field"]
FEWEST = 5
"""References that a kind needs to be used; with fewer, its pairs are chance."""
LONGEST_LIST = 1000
"""Number of references of one paper that are read, since a hostile list could take hours."""
_RAREST = 3
_TOO_FEW = "it names fewer than two papers that it builds on"
_TAIL = 10


@dataclass(frozen=True)
class ReferenceCombinations:
    """How often the reference lists of papers combine kinds of papers: venues or fields."""

    kind: ReferenceKind
    names: Sequence[str]
    """Names of the kinds as papers write them, by number."""
    number_of: Mapping[str, int]
    """The number of the venue or field of each paper that has one, by id. Of several fields, the first."""
    pairs: PairCounts
    papers: int
    """Number of papers with at least two references of known kind."""

    @classmethod
    def fit(cls, corpus: Corpus, kind: ReferenceKind = "venue") -> Self:
        """Fits to the papers of a corpus; raises as `of_papers`."""
        return cls.of_papers(corpus.papers, kind)

    @classmethod
    def of_papers(cls, papers: Iterable[Paper], kind: ReferenceKind = "venue") -> Self:
        """Counts the kinds that are cited together. References to other papers than `papers` are ignored.

        Raises BadInput where no paper has two references of known kind.
        """
        references: list[tuple[str, ...]] = []
        names, number_of = _numbered(_with_references(papers, references), kind)
        lists = [_kinds(each, number_of) for each in references]
        lists = [each for each in lists if len(each) > 1]
        if not lists:
            raise BadInput(
                f"No paper cites two others whose {kind} the library knows, so it is unknown which {kind}s are usually "
                "cited together: add papers with references."
            )
        return cls(kind, names, number_of, PairCounts.of(lists, len(names)), len(lists))

    def measure(self, subjects: Sequence[Subject]) -> list[Atypicality]:
        """For each subject the 10th percentile and the median of z over the pairs of its references."""
        return [self._measured(subject) for subject in subjects]

    def _measured(self, subject: Subject) -> Atypicality:
        kinds = _kinds(subject.references, self.number_of)
        kinds = kinds[self.pairs.totals[kinds] >= FEWEST]
        first, second = pairs_within(kinds)
        z = self.pairs.z(first, second)
        known = ~np.isnan(z)
        values = Atypicality(
            kind=self.kind, references=len(subject.references), known=len(kinds), pairs=int(known.sum())
        )
        if not known.any():
            return values.model_copy(update={"why": self._why_not(values)})
        tail, median = np.percentile(z[known], (_TAIL, 50))
        rarest = self._rarest(first[known], second[known], z[known])
        return values.model_copy(
            update={"tail": float(tail), "median": float(median), "rarest": rarest, "why": self._why(values, rarest[0])}
        )

    def _rarest(self, first: Ints, second: Ints, z: np.ndarray) -> tuple[ReferencePair, ...]:
        low, high = np.minimum(first, second), np.maximum(first, second)
        _, once = np.unique(low * len(self.names) + high, return_index=True)
        rows = once[np.argsort(z[once], kind="stable")][:_RAREST]
        observed, expected = self.pairs.observed(low[rows], high[rows]), self.pairs.expected(low[rows], high[rows])
        return tuple(
            ReferencePair(
                one=self.names[low[row]],
                other=self.names[high[row]],
                z=float(z[row]),
                observed=float(observed[place]),
                expected=float(expected[place]),
            )
            for place, row in enumerate(rows)
        )

    def _why(self, values: Atypicality, rarest: ReferencePair) -> str:
        return (
            f"{values.pairs:,} pairs of {values.known} of its {values.references} references by {self.kind}, against "
            f"{int(self.pairs.totals.sum()):,} references of {self.papers:,} papers; least usual: {rarest.one} with "
            f"{rarest.other} (together {rarest.observed:.0f} times, {rarest.expected:.1f} by chance)"
        )

    def _why_not(self, values: Atypicality) -> str:
        if values.known >= 2:
            return f"all references of the training papers are of one {self.kind}"
        return (
            f"{values.known} of its {values.references} references are of a {self.kind} that training papers cite "
            f"at least {FEWEST} times; a pair needs two"
        )

    def state(self) -> ModelState:
        """The state to store."""
        arrays = {
            "totals": self.pairs.totals,
            "codes": self.pairs.codes,
            "counts": self.pairs.counts,
            "numbers": np.array(list(self.number_of.values()), dtype=np.int64),
        }
        facts: dict[str, JsonValue] = {
            "kind": self.kind,
            "names": list(self.names),
            "papers": self.papers,
            "joins": self.pairs.joins,
            "forks": self.pairs.forks,
        }
        return ModelState(arrays, facts, {"papers.txt": "\n".join(self.number_of).encode("utf-8", "replace")})

    @classmethod
    def of_state(cls, state: ModelState) -> Self:
        """The counts from their stored state. Raises KeyError or ValueError where that is damaged."""
        totals, codes = state.arrays["totals"].astype(float), state.arrays["codes"].astype(np.int64)
        counts, numbers = state.arrays["counts"].astype(float), state.arrays["numbers"].astype(np.int64)
        names, kind, papers = state.facts["names"], state.facts["kind"], state.facts["papers"]
        ids = state.files["papers.txt"].decode("utf-8").split("\n")
        sizes = [state.facts[name] for name in ("joins", "forks")]
        if (
            not isinstance(names, list)
            or len(names) != len(totals)
            or codes.shape != counts.shape
            or len(ids) != len(numbers)
            or (len(numbers) and not 0 <= numbers.min() <= numbers.max() < len(names))
        ):
            raise ValueError("the arrays of the pairs of references do not fit each other")
        if kind not in {"venue", "field"} or not isinstance(papers, int):
            raise ValueError("the kind of the pairs of references is damaged")
        joins, forks = (float(each) for each in sizes if isinstance(each, int | float))
        pairs = PairCounts(totals, codes, counts, joins, forks)
        return cls(
            "venue" if kind == "venue" else "field",
            [str(name) for name in names],
            dict(zip(ids, numbers.tolist(), strict=True)),
            pairs,
            papers,
        )


async def atypical_combinations(
    library: Library, subjects: Sequence[Subject], kind: ReferenceKind = "venue", filters: Filters = EVERYTHING
) -> list[Atypicality]:
    """How unusual the combinations of each subject's references are, by the reference lists of the papers of `library`
    that pass the filters.

    Raises BadInput where these have no reference lists, LibraryError where the library cannot be read.
    """
    fitted = await asyncio.to_thread(lambda: ReferenceCombinations.of_papers(library.papers(filters), kind))
    return fitted.measure(subjects)


async def atypical_where_known(
    library: Library, subjects: Sequence[Subject], before: dt.date | None = None, kind: ReferenceKind = "venue"
) -> list[Atypicality]:
    """The same by papers that were public before a day (None: all), with the reason where it is unknown. The library is
    not read where no subject cites two papers."""
    results = [Atypicality(kind=kind, references=len(each.references), why=_TOO_FEW) for each in subjects]
    rows = [row for row, subject in enumerate(subjects) if len(set(subject.references)) > 1]
    if not rows:
        return results
    try:
        measured = await atypical_combinations(library, [subjects[row] for row in rows], kind, Filters(before=before))
    except BadInput as problem:
        measured = [results[row].model_copy(update={"why": str(problem)}) for row in rows]
    for row, one in zip(rows, measured, strict=True):
        results[row] = one
    return results


_NAME_OF: Mapping[str, Callable[[Paper], str]] = {
    "venue": lambda paper: paper.venue,
    "field": lambda paper: paper.fields[0] if paper.fields else "",
}
_KEY_OF: Mapping[str, Callable[[str], str]] = {"venue": venue_key, "field": field_key}


def _with_references(papers: Iterable[Paper], references: list[tuple[str, ...]]) -> Iterator[Paper]:
    """The papers, read once; their references are added to `references`."""
    for paper in papers:
        references.append(paper.references)
        yield paper


def _numbered(papers: Iterable[Paper], kind: ReferenceKind) -> tuple[list[str], dict[str, int]]:
    """The names of kinds by number, and the number of the kind of each paper that has one, by id."""
    names: dict[str, str] = {}
    key_of: dict[str, str] = {}
    known: dict[str, str] = {}
    for paper in papers:
        name = _NAME_OF[kind](paper)
        if name not in known:
            known[name] = _KEY_OF[kind](name)
        if key := known[name]:
            names.setdefault(key, name)
            key_of[paper.id] = key
    numbers = {key: number for number, key in enumerate(names)}
    return list(names.values()), {paper_id: numbers[key] for paper_id, key in key_of.items()}


def _kinds(references: Sequence[str], number_of: Mapping[str, int]) -> Ints:
    """The numbers of the known kinds of at most `LONGEST_LIST` references."""
    result = (number_of.get(paper_id) for paper_id in dict.fromkeys(references[:LONGEST_LIST]))
    return np.array([number for number in result if number is not None], dtype=np.int64)
