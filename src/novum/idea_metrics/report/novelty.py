"""Novelty against the literature, and of what is brought together, as lines of text."""

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
    """The numbers, what they stand among, the nearest `papers` on each side, and what could not be said. Titles are as
    their sources wrote them: whoever shows them makes them harmless."""
    return [*_numbers(novelty), *_nearest(novelty, papers), *novelty.notes]


def atypicality_lines(found: Atypicality) -> list[str]:
    """How unusual references are side by side, and what that rests on; in one line where nothing can be said."""
    head = f"References by {found.kind}, in standard deviations from chance"
    if found.tail is None or found.median is None:
        return [f"{head}: unknown ({found.why})"]
    return [
        f"{head}:",
        f"  tail (10th percentile): {_signed(found.tail)} (below 0: it combines what is seldom combined)",
        f"  median: {_signed(found.median)} (high: most combinations are usual)",
        f"  {found.why}",
    ]


def _signed(number: float) -> str:
    return f"{number:+.2f}".replace("-", "−")


def _numbers(novelty: Novelty) -> Iterator[str]:
    among = f", beside {novelty.compared_with}" if novelty.compared_with else ""
    yield f"Against the library, the past being what was public before {novelty.day}{among}:"
    for name, words, meaning in _NAMES:
        measured: NoveltyMeasure = getattr(novelty, name)
        if measured.value is None:
            yield f"  {words}: unknown"
        else:
            stands = "" if measured.percentile is None else f", more than {measured.percentile:.0f} % of them"
            yield f"  {words}: {measured.value:.3f}{stands} ({meaning})"


def _nearest(novelty: Novelty, papers: int) -> Iterator[str]:
    for head, found in (("Nearest before", novelty.earlier), ("Nearest since", novelty.later)):
        if found[:papers]:
            yield f"{head}:"
            yield from (f"  {_told(each)}" for each in found[:papers])


def _told(paper: NeighbourPaper) -> str:
    cited = "" if paper.citations is None else f", cited {paper.citations:,} times"
    return f"{cosine(paper.similarity)}  {shorten(paper.title, _LONGEST)} ({paper.year or 'no year'}{cited})"
