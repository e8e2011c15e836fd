"""Who referees an idea, and from which side: judges by turns, and those that take a stance by turns of stances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from novum.llm import ModelName


@dataclass(frozen=True)
class Position:
    """One referee. `sample` tells reports apart that are asked of the same model in the same way."""

    number: int
    model: ModelName
    stance: str
    """Empty for a model that writes prose and takes none."""
    sample: int


def seats(judges: Sequence[ModelName], stances: Sequence[str], reports: int, turn: int) -> Iterator[Position]:
    """As many as there are `reports`. `turn`, another for every idea and the same in all of its rounds, keeps a judge
    from having one stance for all ideas. Models that write prose take no stance away from the others."""
    with_stance, drawn = 0, Counter[ModelName]()
    for place in range(reports):
        model = judges[(place + turn) % len(judges)]
        if model.provider.writes_reports:
            yield Position(place + 1, model, "", drawn[model])
            drawn[model] += 1
        else:
            yield Position(place + 1, model, stances[with_stance % len(stances)], with_stance // len(stances))
            with_stance += 1
