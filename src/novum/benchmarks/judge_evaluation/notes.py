"""What a reader of an evaluation has to know beside its numbers, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from novum.benchmarks.judge_evaluation.data import MOST_TEXTS, EvaluationSet
from novum.benchmarks.judge_evaluation.records import Reviewer
from novum.benchmarks.judge_evaluation.task import JudgeEvaluationTask
from novum.reports.phrases import count

_FEW = 100
"""Papers below which an interval is as wide as most differences between reviewers."""


def notes_of(task: JudgeEvaluationTask, given: EvaluationSet, reviewers: Sequence[Reviewer]) -> Iterator[str]:
    """What limits these numbers."""
    judged = given.judged
    if len(judged) < _FEW:
        yield f"Only {count(len(judged), 'paper')}: intervals are wide, and most differences lie within chance."
    groups = sorted({each.outcome.group for each in judged})
    if len(groups) > 1:
        yield f"The papers are of {len(groups)} venues and years; orders are compared within each."
    decided = [each.outcome.accepted for each in judged if each.outcome.accepted is not None]
    if not decided:
        yield "No paper was accepted or rejected as far as is known: decisions cannot be judged."
    elif len(set(decided)) == 1:
        yield "All papers met with the same decision: telling them apart cannot be judged."
    if undecided := len(judged) - len(decided):
        yield f"{count(undecided, 'paper')} neither accepted nor rejected: in no figure on decisions."
    with_words = sum(bool(each.reviews) for each in judged)
    if not with_words:
        yield "The set has no review in words: texts are not compared."
    elif with_words > MOST_TEXTS:
        yield f"Texts are compared on {MOST_TEXTS} papers, drawn by hash."
    asked = [each for each in reviewers if each.kind in {"model", "trained", "base"}]
    if asked and not task.idea_texts:
        yield (
            "Reviewers see title and abstract; the real referees saw the whole paper. A model whose training data "
            f"reach past {given.cutoff} may know the paper, or what became of it."
        )
    elif asked:
        yield "Reviewers see ideas without results; the real referees saw the whole paper, results included."
    for each in asked:
        if each.kind == "model" and task.compare_by and each.name.split("@")[0] in task.compare_by:
            yield f"{each.name} also compares reports, its own among them."
