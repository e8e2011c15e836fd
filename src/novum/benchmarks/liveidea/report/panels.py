"""Panels on anchor ideas: the judges of one run on common ideas, and other runs in the points of this one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from novum.benchmarks.liveidea.records import IDEA_DIMENSIONS, LiveIdeaProtocol, LiveIdeaRun
from novum.benchmarks.liveidea.report.records import AnchorJudge, AnchorLink, LinkedModel, OtherPanels
from novum.benchmarks.liveidea.statistics.columns import AnchorScores, anchors_of, judgements_of
from novum.benchmarks.liveidea.statistics.linking import PanelLinking, severity_on_anchors
from novum.benchmarks.liveidea.statistics.scores import ModelScores, score_models
from novum.statistics.records import NO_ESTIMATE, Estimate

Linkings = dict[str, PanelLinking]
"""By dimension, where there is one."""


def judges_on_anchors(run: LiveIdeaRun, *, draws: int = 1000, seed: int = 0) -> tuple[AnchorJudge, ...]:
    """Each judge of the anchor ideas, most severe first. Intervals by a bootstrap over anchors."""
    table = anchors_of(run)
    severity = [severity_on_anchors(scores, draws=draws, seed=seed) for scores in table.scores]
    found = [
        AnchorJudge(
            judge=judge,
            means={name: _mean(table.scores[place, :, at]) for place, name in enumerate(IDEA_DIMENSIONS)},
            severity={name: severity[place][at] for place, name in enumerate(IDEA_DIMENSIONS)},
            anchors=int(np.isfinite(table.scores[:, :, at]).any(axis=0).sum()),
            missing=int(table.missing[:, at].sum()),
        )
        for at, judge in enumerate(table.judges)
    ]
    return tuple(sorted(found, key=lambda each: (_order(each.severity.values()), each.judge)))


def other_panels(
    run: LiveIdeaRun, own: Sequence[ModelScores], others: Sequence[LiveIdeaRun], *, draws: int = 1000, seed: int = 0
) -> OtherPanels:
    """How the panels of `others` differ from this run's, and their models in its points beside its `own`.

    Each dimension is linked by itself. What cannot be linked is told in `notes`.
    """
    here = anchors_of(run)
    links: list[AnchorLink] = []
    models: list[LinkedModel] = []
    notes: list[str] = []
    for other in others:
        if why := _why_not(run, other):
            notes.append(why)
            continue
        if _other_words(run.protocol, other.protocol):
            notes.append(
                f"{other.name} was measured by other prompts ({other.protocol.prompts}) than this run "
                f"({run.protocol.prompts}): the table mixes two instruments."
            )
        found = _linkings(here, anchors_of(other), draws, seed)
        notes += [_unlinked(other.name, name) for name in IDEA_DIMENSIONS if name not in found]
        links += [AnchorLink(other=other.name, dimension=name, link=each.link) for name, each in found.items()]
        if found:
            scores = score_models(judgements_of(other), draws=draws, seed=other.seed) if other.models else ()
            models += [_carried(other.name, each, found) for each in scores]
    if models:
        models += [_own(run.name, each) for each in own]
    ranked = sorted(models, key=lambda each: (_order(_scores(each)), each.model, not each.own, each.run))
    return OtherPanels(anchors=run.anchors, links=tuple(links), models=tuple(ranked), notes=tuple(notes))


def _why_not(run: LiveIdeaRun, other: LiveIdeaRun) -> str:
    """Why two runs cannot be linked, in a line; empty where they can."""
    if not run.anchors:
        return f"{other.name} is not linked: the panel of this run, {run.name}, judged no anchor ideas (`--anchors`)."
    if other.name == run.name:
        return f"{other.name} is not linked: it is this run itself. Name another one."
    if not other.anchors:
        why = "its panel judged no anchor ideas (`--anchors`)"
        return f"{other.name} is not linked: {why}. Name a run with the set {run.anchors}."
    if other.anchors != run.anchors:
        return (
            f"{other.name} is not linked: its anchor ideas are the set {other.anchors}, those of this run are "
            f"{run.anchors}. Only the same ideas put two panels on one scale."
        )
    return ""


def _other_words(one: LiveIdeaProtocol, other: LiveIdeaProtocol) -> bool:
    """Whether two runs are known to have used other prompts."""
    shared = one.prompt_hashes.keys() & other.prompt_hashes.keys()
    return one.prompts != other.prompts or any(one.prompt_hashes[name] != other.prompt_hashes[name] for name in shared)


def _unlinked(other: str, dimension: str) -> str:
    return (
        f"{other} is not linked in {dimension}: fewer than three anchor ideas have scores of both panels, or one panel "
        "gave all of them the same."
    )


def _linkings(here: AnchorScores, there: AnchorScores, draws: int, seed: int) -> Linkings:
    numbers = sorted({*here.numbers} & {*there.numbers})
    found = {
        name: PanelLinking.of(here.means(place, numbers), there.means(place, numbers), draws=draws, seed=seed)
        for place, name in enumerate(IDEA_DIMENSIONS)
    }
    return {name: linking for name, linking in found.items() if linking is not None}


def _carried(run: str, scores: ModelScores, linkings: Linkings) -> LinkedModel:
    points = {
        name: linkings[name].carried(getattr(scores, name)) if name in linkings else NO_ESTIMATE
        for name in IDEA_DIMENSIONS
    }
    return LinkedModel(run=run, model=scores.model, own=False, **points)


def _own(run: str, scores: ModelScores) -> LinkedModel:
    return LinkedModel(
        run=run,
        model=scores.model,
        own=True,
        originality=scores.originality,
        feasibility=scores.feasibility,
        clarity=scores.clarity,
    )


def _scores(of: LinkedModel) -> Iterator[Estimate]:
    return (getattr(of, name) for name in IDEA_DIMENSIONS)


def _order(estimates: Iterable[Estimate]) -> float:
    """Highest mean first; what lacks a part comes last."""
    values = [each.value for each in estimates]
    known = [value for value in values if value is not None]
    return -sum(known) / len(known) if known and len(known) == len(values) else np.inf


def _mean(scores: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float | None:
    known = scores[np.isfinite(scores)]
    return float(known.mean()) if known.size else None
