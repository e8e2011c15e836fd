"""When an exploration has enough: depth in snippets, coverage in papers."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core.evidence import Ending, Snippet
from novum.reading.exploring.options import ExploreOptions


def evidence_among(read: Sequence[Snippet], options: ExploreOptions) -> list[Snippet]:
    """Those that reach the least score, highest first; equals by cosine, then by place."""
    counting = [snippet for snippet in read if snippet.score >= options.score]
    return sorted(counting, key=lambda each: (-each.score, -each.similarity, each.paper_id, each.start))


def is_enough(evidence: Sequence[Snippet], options: ExploreOptions) -> bool:
    """Both criteria hold."""
    return len(evidence) >= options.snippets and _papers(evidence) >= options.coverage


def lacking(evidence: Sequence[Snippet], options: ExploreOptions) -> str:
    """What the criteria still want, in words; empty when they hold."""
    depth, coverage = options.snippets - len(evidence), options.coverage - _papers(evidence)
    wanted = [f"{depth} more passage{'s' * (depth > 1)} that count"] if depth > 0 else []
    wanted += [f"passages from {coverage} more paper{'s' * (coverage > 1)}"] if coverage > 0 else []
    return " and ".join(wanted)


def told(ending: Ending, evidence: Sequence[Snippet], options: ExploreOptions, rounds: int) -> str:
    """Why it ended, in a sentence with the figures that decided."""
    found = f"{_count(len(evidence), 'snippet')} of score {options.score} or more from " + _count(
        _papers(evidence), "paper"
    )
    turns = _count(rounds, "round")
    wanted = f"wanted were {options.snippets} from {options.coverage}"
    return {
        "enough": f"Enough was found after {turns}: {found} ({wanted}).",
        "rounds": f"The limit of {turns} was reached with {found} ({wanted}).",
        "nothing new": f"Round {rounds} found no passage that had not been read, with {found} ({wanted}).",
        "no query": f"After {turns} there was no new query to search for, with {found} ({wanted}).",
    }[ending]


def _papers(evidence: Sequence[Snippet]) -> int:
    return len({snippet.paper_id for snippet in evidence})


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
