"""People's ratings against a panel's: do people agree with each other, and does the panel agree with them?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from novum.benchmarks.liveidea.ratings import DIMENSIONS, RatingTable, same_idea
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.benchmarks.liveidea.report.agreement import AgreementStudy, DimensionAgreement, RatedIdea
from novum.benchmarks.liveidea.report.shapes import fitted_line
from novum.errors import BadInput
from novum.statistics.agreement import reliability
from novum.statistics.correlation import pearson

PANEL = "panel"
"""Name of the rater that stands for the panel where people and panel are in one file."""


def human_agreement(people: RatingTable, panel: RatingTable) -> AgreementStudy:
    """Reliability of people and their correlation with the panel, in every dimension that both rated.

    Several ratings of an idea by the panel (its judges) are averaged, as are those of the people. Reliability needs a
    whole table, so ideas that some person did not rate are left out there, which the notes state;
    the correlation keeps them. Raises
    BadInput where the two have no idea or no dimension in common.
    """
    judged = _means(panel)
    rated = _means(people)
    common = [name for name in DIMENSIONS if rated.get(name, {}).keys() & judged.get(name, {}).keys()]
    if not common:
        raise BadInput(
            f"{people.name} and {panel.name} have no rated idea in common: name ideas in the same way in both, by the "
            "same ids or by their text."
        )
    ideas = dict.fromkeys(each.idea for each in people.ratings)
    return AgreementStudy(
        people=people.name,
        panel=panel.name,
        raters=people.raters,
        ideas=len(ideas),
        dimensions=tuple(_dimension(name, people, rated[name], judged[name]) for name in common),
        notes=(*people.refused, *(panel.refused if panel.name != people.name else ()), *_unmatched(ideas, judged)),
    )


def panel_inside(ratings: RatingTable) -> tuple[RatingTable, RatingTable]:
    """People and panel of one file in which the panel is the rater `panel`. Raises BadInput where it is not."""
    inside = [rater for rater in ratings.raters if rater.casefold() == PANEL]
    people = [rater for rater in ratings.raters if rater not in inside]
    if not inside or not people:
        raise BadInput(
            f"{ratings.name} holds {'no people' if inside else 'no panel'}: give the panel's ratings as a second file "
            f"by --panel-scores, the run by --run, or as lines of the rater {PANEL!r} beside those of people."
        )
    return ratings.of(raters=people), ratings.of(raters=inside)


def panel_of_run(run: LiveIdeaRun) -> RatingTable:
    """The judgements of a run's ideas, each idea by its text. Ideas that were written twice the same are one."""
    texts = {each.key: same_idea(each.idea) for each in run.ideas if each.idea}
    ratings = [
        {"idea": texts[key], "rater": each.judge, "dimension": dimension, "score": score}
        for each in run.judgements
        if not each.of_pair and (key := (each.model, each.keyword, each.number)) in texts
        for dimension, score in each.scores.items()
        if score is not None
    ]
    return RatingTable.model_validate({"name": f"the panel of {run.name}", "ratings": ratings})


def _means(ratings: RatingTable) -> dict[str, dict[str, float]]:
    """By dimension, the mean score of each idea over its raters."""
    given: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in ratings.ratings:
        given[each.dimension][each.idea].append(each.score)
    return {
        dimension: {idea: float(np.mean(scores)) for idea, scores in ideas.items()}
        for dimension, ideas in given.items()
    }


def _dimension(
    name: str, people: RatingTable, rated: Mapping[str, float], judged: Mapping[str, float]
) -> DimensionAgreement:
    both = [idea for idea in rated if idea in judged]
    x, y = [rated[idea] for idea in both], [judged[idea] for idea in both]
    return DimensionAgreement(
        dimension=name,
        people=reliability(_table(people, name)),
        with_panel=pearson(x, y),
        shift=float(np.mean(np.array(y) - np.array(x))),
        ideas=tuple(RatedIdea(idea=idea, people=rated[idea], panel=judged[idea]) for idea in both),
        line=fitted_line(x, y),
    )


def _table(people: RatingTable, dimension: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Ideas × people, NaN where somebody did not rate; people who rated nothing in this dimension are no column."""
    given = [each for each in people.ratings if each.dimension == dimension]
    ideas = {idea: place for place, idea in enumerate(dict.fromkeys(each.idea for each in given))}
    raters = {rater: place for place, rater in enumerate(dict.fromkeys(each.rater for each in given))}
    table = np.full((len(ideas), len(raters)), np.nan)
    for each in given:
        table[ideas[each.idea], raters[each.rater]] = each.score
    return table


def _unmatched(ideas: Mapping[str, None], judged: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    known = {idea for scores in judged.values() for idea in scores}
    unknown = [idea for idea in ideas if idea not in known]
    if not unknown:
        return ()
    share = f"{len(unknown):,} of {len(ideas):,}"
    return (f"The panel does not know {share} ideas that people rated: “{unknown[0][:80]}”, …",)
