"""Comparison and ranking of the ideas of all branches."""

from __future__ import annotations

from itertools import combinations

from novum.core import Candidate, Match, Topic
from novum.core.concurrency import run_concurrently
from novum.judges.pair import CheckedIdea, compare_checked_ideas
from novum.lab import Lab
from novum.llm import conduct
from novum.methods.prior_work import finding_text, is_known
from novum.statistics.win_rates import win_rates


async def compare_candidates(lab: Lab, topic: Topic, candidates: list[Candidate]) -> list[tuple[Match, Match]]:
    """Compare every pair of branches, in both orders, by every judge of the panel. Judges see what the novelty check
    found about each idea."""
    if len(candidates) < 2:
        return []
    panel = lab.models.settings.roles.judges
    checked = [CheckedIdea(each.idea, finding_text(each, lab.library)) for each in candidates]
    with lab.run.step("comparison"):
        return await run_concurrently(
            conduct(lab.models, compare_checked_ideas(topic, a, b, model))
            for a, b in combinations(checked, 2)
            for model in panel
        )


def ranked(candidates: list[Candidate], matches: list[tuple[Match, Match]]) -> list[Candidate]:
    """Best first: known ideas last, then by win rate, then in the order of the branches.

    The paper compares only ideas that have passed the novelty check; with bounded rounds some have not.
    """
    rates = win_rates(matches, [each.idea.id for each in candidates])
    rated = [each.model_copy(update={"win_rate": rates[each.idea.id]}) for each in candidates]
    return sorted(rated, key=lambda each: (is_known(each), -(0.5 if each.win_rate is None else each.win_rate)))
