"""What a reader of a study of foresight has to know beside its numbers, in plain sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from novum.benchmarks.foresight.futures import SHARE, Prospects
from novum.benchmarks.foresight.records import Calibration, Forecast
from novum.benchmarks.foresight.statistics import FEWEST_PAIRS, FEWEST_TOPICS
from novum.benchmarks.foresight.task import ForesightTask
from novum.core import shorten
from novum.reports.phrases import count

_LONGEST = 300
"""Characters of a reason."""


def notes_of(
    task: ForesightTask, forecasts: Sequence[Forecast], calibration: Calibration, found: Prospects
) -> Iterator[str]:
    """What did not go as asked, and what could not be known."""
    forfeits = [each.entry for each in forecasts if each.entry.idea is None]
    for name, number in Counter(each.entrant for each in forfeits).items():
        (why, times), *_ = Counter(each.forfeit for each in forfeits if each.entrant == name).most_common(1)
        told = f": {shorten(why, _LONGEST)}" if times == number else f", in {times:,} of them: {shorten(why, _LONGEST)}"
        yield f"{name} came to no idea in {count(number, 'case')}{told}"
    if task.given:
        yield from task.beware or (
            "What the makers of given ideas had read is not known: it may be from after the day.",
        )
        if len(task.cutoffs) > 1:
            yield "The same given ideas are held against the future of every cut-off."
    if len(task.topics) == 1:
        yield "With a single topic there are no other topics to compare with, and no intervals."
    elif len(task.topics) < FEWEST_TOPICS:
        yield f"There are no intervals: with fewer than {FEWEST_TOPICS} topics nobody can tell how far chance goes."
    left_out = [f"year {year.year} after {year.cutoff} ({year.papers:,})" for year in found.years if not year.used]
    if left_out:
        yield f"Years with fewer than {SHARE * task.neighbours:,} papers are not compared with: {', '.join(left_out)}."
    if found.pool < task.pool:
        yield (
            f"Of each year the {found.pool:,} papers nearest to a topic are compared with, not {task.pool:,}: more "
            f"would be over one in {SHARE} papers of the smallest year, and topics would have no futures of their own."
        )
    if found.again:
        yield (
            f"{count(found.again, 'paper')} of the future were left out, as one of the same title was "
            "public, or may have been, before the day."
        )
    if calibration.threshold is None:
        yield f"There is no threshold of a hit: fewer than {FEWEST_PAIRS} pairs of papers could be drawn."
    elif not calibration.citing_pairs:
        yield "No two papers of these years cite each other: what share of related papers passes is not known."
