"""When an exploration has enough: depth in snippets, coverage in papers, and something that came out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core.evidence import OUTCOMES, Ending, Snippet
from novum.reading.exploration.options import ExploreOptions

_IN_COMMON = 1 / 3
"""Two passages that share more than this part of the shorter one are one."""
_ACCOUNT = 0.5


@dataclass(frozen=True)
class CriterionState:
    """Evidence against the criteria. `depth`: snippets, overlapping ones counted once and accounts perhaps half."""

    snippets: int
    depth: float
    papers: int
    outcome: bool
    """Something in it tells a result or a limitation, in the paper's own words where there are any."""

    def counts(self, options: ExploreOptions) -> bool:
        """Depth and coverage hold."""
        return self.depth >= options.snippets and self.papers >= options.coverage


def evidence_among(read: Sequence[Snippet], options: ExploreOptions) -> list[Snippet]:
    """Those that reach the least score, highest first; equals by cosine, then by place."""
    counting = [snippet for snippet in read if snippet.score >= options.score]
    return sorted(counting, key=lambda each: (-each.score, -each.similarity, each.paper_id, each.start))


def criterion_state(evidence: Sequence[Snippet], *, own_words: bool) -> CriterionState:
    """`own_words`: papers' own texts are at hand, so that an account by somebody else counts half, and what came out
    is taken from them alone.
    """
    apart: list[Snippet] = []
    for snippet in evidence:
        if not any(_overlap(snippet, other) for other in apart):
            apart.append(snippet)
    return CriterionState(
        snippets=len(evidence),
        depth=sum(_ACCOUNT if own_words and snippet.is_account else 1.0 for snippet in apart),
        papers=len({snippet.paper_id for snippet in evidence}),
        outcome=any(snippet.kind in OUTCOMES and not (own_words and snippet.is_account) for snippet in evidence),
    )


def missing_criteria(reached: CriterionState, options: ExploreOptions, *, outcome: bool) -> str:
    """What the criteria still want, in words; empty when they hold. No figures: a reader would fill a quota."""
    wanted = ["more passages that are evidence"] if reached.depth < options.snippets else []
    wanted += ["evidence from other papers"] if reached.papers < options.coverage else []
    wanted += ["an outcome: a measured result, or a limit that was met"] if outcome and not reached.outcome else []
    return "; ".join(wanted)


def describe_ending(
    ending: Ending, reached: CriterionState, options: ExploreOptions, rounds: int, *, outcome: bool
) -> str:
    """Why it ended, in a sentence with the figures that decided."""
    result = f"{_count(reached.snippets, 'snippet')} of score {options.score} or more from "
    result += _count(reached.papers, "paper")
    if reached.depth != reached.snippets:
        result += f", counted as {reached.depth:g} since overlapping passages count once and accounts by others half"
    turns = _count(rounds, "round")
    wanted = f"wanted were {options.snippets} from {options.coverage}"
    missed = " None of them tells a result or a limitation." if outcome and not reached.outcome else ""
    return {
        "enough": f"Enough was found after {turns}: {result} ({wanted}).",
        "rounds": f"The limit of {turns} was reached with {result} ({wanted}).",
        "nothing new": f"Round {rounds} found no passage that had not been read, with {result} ({wanted}).",
        "no query": f"After {turns} there was no new query to search for, with {result} ({wanted}).",
    }[ending] + (missed if reached.snippets else "")


def _overlap(one: Snippet, other: Snippet) -> bool:
    if (one.paper_id, one.origin) != (other.paper_id, other.origin):
        return False
    shared = min(one.end, other.end) - max(one.start, other.start)
    return shared > _IN_COMMON * min(one.end - one.start, other.end - other.start)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
