"""Target papers, and their references: from the library, from live sources, or from the list that a PDF brought in."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Paper
from novum.core.research_context import LeakFinding, ReferenceCounts
from novum.errors import BadInput
from novum.literature import Filters, Library, PaperLibrary
from novum.training.next_idea.data.leaks import same_work
from novum.training.next_idea.data.settings import NextIdeaSettings

_LISTED = 20
"""Unresolved references that a record names."""


@dataclass(frozen=True)
class Target:
    """A target paper with the references from which its context is made."""

    paper: Paper
    references: tuple[Paper, ...]
    counts: ReferenceCounts
    leaks: tuple[LeakFinding, ...] = ()

    @property
    def category(self) -> str:
        """The first field of the paper, else its venue, else `unknown`."""
        return next(iter(self.paper.fields), "") or self.paper.venue or "unknown"


def choose_targets(library: Library, settings: NextIdeaSettings) -> list[Paper]:
    """The papers that become targets: those named, or a sample of those that pass. Only papers with an abstract or a
    full text, and with references, can be targets. Raises BadInput where a named one is unknown, or none passes."""
    if settings.targets:
        found = library.get_many(settings.targets)
        missing = set(settings.targets) - {paper.id for paper in found}
        if len(found) < len(set(settings.targets)) and missing:
            raise BadInput(f"The library has no paper {min(missing)}: `novum library search` prints ids.")
        return found
    filters = Filters(since=settings.since, before=settings.before, fields=settings.categories)
    passing = [paper for paper in library.papers(filters) if paper.gist and _may_cite(library, paper)]
    if not passing:
        raise BadInput(
            "No paper of the library passes as a target: it needs an abstract, references, and a date and field within "
            "--since, --before and --category. Add papers with references: `novum library add`."
        )
    step = max(1.0, len(passing) / settings.most)
    return [passing[int(at * step)] for at in range(min(settings.most, len(passing)))]


def _may_cite(library: Library, paper: Paper) -> bool:
    return bool(paper.references) or bool(library.missing_references(paper.id))


async def with_references(library: PaperLibrary, target: Paper, settings: NextIdeaSettings) -> Target:
    """The target with its usable references, the latest first. Live sources are asked for those that are missing."""
    await library.expand(target, target.title, Filters(before=target.public_by))
    day = target.public_by
    papers, unresolved = _resolved(library, target)
    leaks, usable, without_text, late = list[LeakFinding](), list[Paper](), 0, 0
    texts = library.full_texts([paper.id for paper in papers if not paper.gist])
    for paper in papers:
        if why := same_work(paper, target):
            leaks.append(LeakFinding(what=f"reference: {paper.title}", why=why))
        elif day is not None and not _known_by(paper, day):
            late += 1
        elif paper.gist or texts.get(paper.id):
            usable.append(paper)
        else:
            without_text += 1
    usable.sort(key=lambda paper: (-(paper.public_by or dt.date.min).toordinal(), paper.id))
    chosen = tuple(usable[: settings.most_references])
    counts = ReferenceCounts(
        cited=len(papers) + len(unresolved),
        resolved=len(papers),
        without_text=without_text,
        left_out=late + len(leaks) + len(usable) - len(chosen),
        unresolved=tuple(unresolved[:_LISTED]),
    )
    return Target(target, chosen, counts, tuple(leaks))


def _known_by(paper: Paper, day: dt.date) -> bool:
    """Whether a cited paper was public by the day of the target. With years alone, a cited paper of the same year
    was."""
    return paper.public_by is None or paper.public_by <= day


def _resolved(library: PaperLibrary, target: Paper) -> tuple[list[Paper], list[str]]:
    """References that are papers of the library, each once, and the names of the others. A reference that is known by
    its title alone is looked up once more, with spelling errors."""
    papers = {paper.id: paper for paper in library.references(target.id)}
    unresolved: list[str] = []
    for scheme, value in library.stored.missing_references(target.id):
        paper = library.find(value) if scheme == "title" else library.by_identifier(scheme, value)
        if paper is None or paper.id == target.id:
            unresolved.append(value if scheme == "title" else f"{scheme}:{value}")
        else:
            papers.setdefault(paper.id, paper)
    return list(papers.values()), unresolved


def too_few(target: Target, settings: NextIdeaSettings) -> str:
    """Why a target cannot be used; empty when it can."""
    counts = target.counts
    if not counts.cited:
        return "its references are unknown"
    if not counts.resolved:
        return "none of its references could be resolved"
    if len(target.references) < settings.least_references:
        return f"fewer than {settings.least_references} of its references have a text"
    return ""


def distinct_targets(targets: Sequence[Paper]) -> list[Paper]:
    """The targets without later versions of earlier ones: the same work may not lie in two splits."""
    seen: dict[str, Paper] = {}
    ordered = sorted(targets, key=lambda paper: (paper.public_by or dt.date.max, paper.id))
    for paper in ordered:
        key = " ".join(sorted(paper.title.casefold().split()))
        seen.setdefault(key, paper)
    return list(seen.values())
