"""Novelty against the literature, and atypical combinations of references, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from novum.core import shorten
from novum.idea_metrics.dissimilarity import NeighbourPaper, Novelty, NoveltyMeasure
from novum.idea_metrics.reference_pair_counts import Atypicality
from novum.reports.phrases import cosine

_LONGEST = 90
_NAMES = (
    ("historical", "historical dissimilarity", "higher: it repeats less of the past"),
    ("contemporary", "contemporary dissimilarity", "lower: it is closer to what came after"),
    ("impact", "contemporary impact", "1: as much cited as is usual"),
    ("overall", "overall novelty", "the first × the third / the second"),
)


def novelty_lines(novelty: Novelty, papers: int = 3) -> list[str]:
    """The measures, their ranks, the nearest `papers` before and since the day, and notes. Titles are not sanitised:
    the caller must do that."""
    return [*_numbers(novelty), *_nearest(novelty, papers), *novelty.notes]


def atypicality_lines(atypicality: Atypicality) -> list[str]:
    """How unusual the combinations of references are, and what that is based on; one line where it is unknown."""
    head = f"References by {atypicality.kind}, in standard deviations from chance"
    if atypicality.tail is None or atypicality.median is None:
        return [f"{head}: unknown ({atypicality.why})"]
    return [
        f"{head}:",
        f"  tail (10th percentile): {_signed(atypicality.tail)} (below 0: it combines what is seldom combined)",
        f"  median: {_signed(atypicality.median)} (high: most combinations are usual)",
        f"  {atypicality.why}",
    ]


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


def _numbers(novelty: Novelty) -> Iterator[str]:
    among = f", compared with {novelty.compared_with}" if novelty.compared_with else ""
    yield f"Against the papers of the library before and since {novelty.day}{among}:"
    for name, words, meaning in _NAMES:
        measured: NoveltyMeasure = getattr(novelty, name)
        if measured.value is None:
            yield f"  {words}: unknown"
        else:
            rank = "" if measured.percentile is None else f", more than {measured.percentile:.0f} % of them"
            yield f"  {words}: {measured.value:.3f}{rank} ({meaning})"


def _nearest(novelty: Novelty, papers: int) -> Iterator[str]:
    for head, neighbours in (("Nearest before", novelty.earlier), ("Nearest since", novelty.later)):
        if neighbours[:papers]:
            yield f"{head}:"
            yield from (f"  {_neighbour(each)}" for each in neighbours[:papers])


def _neighbour(paper: NeighbourPaper) -> str:
    cited = "" if paper.citations is None else f", cited {paper.citations:,} times"
    return f"{cosine(paper.similarity)}  {shorten(paper.title, _LONGEST)} ({paper.year or 'no year'}{cited})"
