"""The records of iterative training, and when it stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from novum.core.record import Value
from novum.training.ideas.diversity import Diversity
from novum.training.ideas.evaluation import OBJECTIVE, MeanScore, WinRate

Natural = Annotated[int, Field(ge=1, le=1_000_000)]
_LEAST_DISTINCT, _LEAST_SPREAD, _MOST_DUPLICATES = 0.7, 0.5, 0.5


class IterateTask(Value):
    """What is to be done. The same task in the same folder resumes; only `rounds` may grow."""

    name: str
    model: str
    """The model of phase 2: its folder."""
    topics: tuple[str, ...]
    held_out: tuple[str, ...]
    """Topics that are never trained on."""
    pairs: str = ""
    """A data set of preferences whose pairs are trained on as well."""
    rounds: Natural = 3
    topics_per_round: Natural = 50
    samples: Annotated[int, Field(ge=2, le=1000)] = 8
    """Ideas on each topic, L in algorithm 1."""
    held_out_samples: Natural = 4
    objective: str = "published"
    alpha: float | None = None
    beta: float | None = None
    judges: tuple[str, ...] = ()
    metrics: str = "default"
    margin: Annotated[float, Field(ge=0, le=10)] = 0.5
    top: Natural = 1
    most_rejected: Natural = 3
    fewest_pairs: Natural = 4
    recipe: str = "cpu"
    overrides: tuple[str, ...] = ()
    most_tokens: Natural = 256
    temperature: Annotated[float, Field(gt=0, le=5)] = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.95
    batch: Natural = 16
    server: str = ""
    patience: Natural = 1
    """Rounds without a higher held-out score after which it stops."""
    seed: int = 0


class RoundResult(Value):
    """One round: its new pairs, and what its model writes on held-out topics. Round 0 is the model before it."""

    number: int
    model: str = ""
    ideas: int = 0
    pairs: int = 0
    pairs_in_all: int = 0
    left_out: dict[str, int] = {}
    scores: dict[str, MeanScore] = {}
    diversity: Diversity | None = None
    usable: float = 0.0
    win: WinRate | None = None
    """Against round 0, by a judge that was not optimised."""

    @property
    def score(self) -> float | None:
        """The mean of the objective on held-out topics."""
        return self.scores[OBJECTIVE].mean if OBJECTIVE in self.scores else None


class IterationReport(Value):
    """All rounds, and why they ended."""

    name: str
    task: IterateTask
    objective: str
    rounds: tuple[RoundResult, ...]
    stopped: str

    @property
    def best(self) -> RoundResult:
        """The round with the highest held-out score, the earlier of equals, whose diversity has not collapsed."""
        sound = [each for each in self.rounds if not collapsed(self.rounds[0], each)]
        return max(sound, key=lambda each: (-1e9 if each.score is None else each.score, -each.number))


def stop_reason(rounds: Sequence[RoundResult], task: IterateTask) -> str:
    """Why no further round follows; empty while one does."""
    last = rounds[-1]
    if why := collapsed(rounds[0], last):
        return f"round {last.number}: {why}"
    scores = [each.score for each in rounds]
    if scores[-1] is None:
        return f"round {last.number} wrote no idea that could be scored"
    since_best = (
        len(scores) - 1 - max(range(len(scores)), key=lambda at: (scores[at] if scores[at] is not None else -1e9, -at))
    )
    if since_best >= task.patience:
        return f"the held-out score did not rise in round {last.number}"
    done = "its one round is done" if task.rounds == 1 else f"all {task.rounds} rounds are done"
    return done if len(rounds) > task.rounds else ""


def collapsed(first: RoundResult, last: RoundResult) -> str:
    """What shows that diversity has collapsed, compared with the first round; empty where nothing does."""
    before, now = first.diversity, last.diversity
    if before is None or now is None or first is last:
        return ""
    if before.distinct and now.distinct is not None and now.distinct < _LEAST_DISTINCT * before.distinct:
        return f"different word pairs fell from {before.distinct:.2f} to {now.distinct:.2f}"
    if before.spread and now.spread is not None and now.spread < _LEAST_SPREAD * before.spread:
        return f"the spread of ideas on one topic fell from {before.spread:.2f} to {now.spread:.2f}"
    if now.duplicates is not None and now.duplicates > max(_MOST_DUPLICATES, before.duplicates or 0):
        return f"{now.duplicates:.0%} of the ideas are duplicates"
    return ""
