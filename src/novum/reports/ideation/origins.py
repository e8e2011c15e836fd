"""Where ideas chosen among many come from: the sources of all seeds, what became of them, the attacks on an idea."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Candidate, CriticObjection, Ideation, SeedOrigin
from novum.core.seed_origin import WHOLE_DRAFT
from novum.reports.phrases import count

SOURCES = {
    "chain": "the direction of a chain of papers",
    "opportunity": "a pair of concepts that no paper links",
    "concepts": "a problem and concepts of the literature",
    "analogy": "an analogy from another field",
    "assumption": "an assumption of the papers, given up",
    "plain": "the writer's own knowledge",
    WHOLE_DRAFT: "a whole draft, written from the topic alone",
}
FATES = ("developed", "not written up", "not chosen", "anticipated", "near-duplicate")


@dataclass(frozen=True)
class SourceRow:
    """One source: its seeds by what became of them."""

    source: str
    seeds: int
    fates: Counter[str]


def origin_of(ideation: Ideation, candidate: Candidate) -> SeedOrigin | None:
    """The seed that an idea was developed from; None where its method records none."""
    ids = {candidate.idea.id, *(draft.id for draft in candidate.earlier_drafts)}
    return next((each for each in ideation.origins if each.idea_id and each.idea_id in ids), None)


def source_in_words(source: str) -> str:
    """What a source is; its name where it is not known here."""
    return SOURCES.get(source, source)


def origin_in_words(ideation: Ideation, candidate: Candidate) -> str:
    """`from 28 short ideas of 5 sources; this one from an analogy from another field`; empty without origins."""
    origin = origin_of(ideation, candidate)
    if origin is None:
        return ""
    seeds = [each.source for each in ideation.origins if each.source != WHOLE_DRAFT]
    chosen_from = f"{count(len(seeds), 'short idea')} of {count(len(set(seeds)), 'source')}"
    if drafts := len(ideation.origins) - len(seeds):
        chosen_from += f" and {count(drafts, 'whole draft')}"
    return f"chosen from {chosen_from}; it comes from {source_in_words(origin.source)}"


def source_rows(ideation: Ideation) -> list[SourceRow]:
    """One row for each source, in order of appearance."""
    by_source: dict[str, list[SeedOrigin]] = {}
    for each in ideation.origins:
        by_source.setdefault(each.source, []).append(each)
    return [SourceRow(name, len(all_), Counter(each.fate for each in all_)) for name, all_ in by_source.items()]


def objections(ideation: Ideation, candidate: Candidate) -> Sequence[CriticObjection]:
    """The attacks on an idea, oldest first."""
    origin = origin_of(ideation, candidate)
    return origin.objections if origin else ()
