"""Who judges what: blind, in an order of their own for each participant, and balanced over all of them.

Items that fewer participants have come first, so that every item is judged equally often, however many take part. Of
a pair, the idea shown as A alternates, so position favours neither. All draws are seeded.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from novum.core import content_id
from novum.studies.records import Participant, PlannedTask, Study


def plan_for(study: Study, number: int, others: Sequence[Participant]) -> tuple[PlannedTask, ...]:
    """The tasks of participant `number`, given the plans of those before."""
    rng = random.Random(content_id("plan", [study.id, study.seed, number]))  # noqa: S311  # not for secrets
    given = Counter(task.item for each in others for task in each.plan if task.item)
    swapped = Counter(task.item for each in others for task in each.plan if task.item and task.swapped)
    order = sorted(study.items, key=lambda item: (given[item.id], rng.random()))
    chosen = order[: study.per_participant]
    rng.shuffle(chosen)
    tasks = [
        PlannedTask(item=item.id, swapped=item.second is not None and _swaps(given[item.id], swapped[item.id], rng))
        for item in chosen
    ]
    return _with_checks(study, tasks, rng)


def _swaps(given: int, swapped: int, rng: random.Random) -> bool:
    """The order of a pair that it had less often; a coin decides where both were equally frequent."""
    return rng.random() < 0.5 if 2 * swapped == given else 2 * swapped < given


def _with_checks(study: Study, tasks: list[PlannedTask], rng: random.Random) -> tuple[PlannedTask, ...]:
    """The tasks with attention checks between them, never first."""
    choices = study.form.questions[0].choices
    for _ in range(study.checks if len(tasks) > 1 else 0):
        check = PlannedTask(item="", expected=rng.choice(choices).value)
        tasks.insert(rng.randint(1, len(tasks)), check)
    return tuple(tasks)
