"""A run of the published size made up and scored, for `liveidea_scoring.py`: prints its figures as JSON.

python bench/figures/liveidea_large.py DRAWS
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time

from novum.benchmarks.liveidea.leaderboard import leaderboard
from novum.benchmarks.liveidea.records import IdeaRecord, JudgeAssignment, JudgementRecord, Keyword, LiveIdeaRun

MODELS, KEYWORDS = 41, 1180
TEXT = "An analysis of usual length, which says what is new and what is not, and what could be done. " * 5
PANEL = [f"lab-{n}:judge-{n}" for n in range(10)]


def main() -> None:
    """Makes the records, scores them, tells time and greatest memory of the process."""
    began = time.perf_counter()
    run = large_run(random.Random(0))
    made = time.perf_counter()
    leaderboard(run, draws=int(sys.argv[1]))
    seconds = time.perf_counter() - made
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # of kibibytes
    told = {"judgements": len(run.judgements), "made": made - began, "seconds": seconds, "gibibytes": memory}
    print(json.dumps(told))


def large_run(rng: random.Random) -> LiveIdeaRun:
    """Models differ in level, keywords too."""
    models = tuple(f"lab-{n % 12}:model-{n}" for n in range(MODELS))
    keywords = tuple(Keyword(keyword=f"keyword {n}", discipline=f"discipline {n % 22}") for n in range(KEYWORDS))
    ideas: list[IdeaRecord] = []
    judgements: list[JudgementRecord] = []
    for at, model in enumerate(models):
        for each in keywords:
            level = 4 + at / 20 + rng.random()
            for number in range(2):
                idea = f"{number} {TEXT}"
                ideas.append(
                    IdeaRecord(model=model, keyword=each.keyword, number=number, idea=idea, words=90, fate="judged")
                )
                judgements += [
                    _judged(rng, level, model, each.keyword, (number,), judge) for judge in rng.sample(PANEL, 3)
                ]
            judgements.append(_judged(rng, level, model, each.keyword, (0, 1), rng.choice(PANEL)))
    seats = tuple(JudgeAssignment(model=name) for name in PANEL)
    return LiveIdeaRun(
        name="large", models=models, keywords=keywords, panel=seats, ideas=tuple(ideas), judgements=tuple(judgements)
    )


def _judged(
    rng: random.Random, level: float, model: str, keyword: str, ideas: tuple[int, ...], judge: str
) -> JudgementRecord:
    pair = len(ideas) == 2
    dimensions = ("fluency",) if pair else ("originality", "feasibility", "clarity")
    scores = {name: float(min(10, max(1, round(rng.gauss(level, 1))))) for name in dimensions}
    return JudgementRecord(
        model=model,
        keyword=keyword,
        ideas=ideas,
        number=0 if pair else ideas[0],
        judge=judge,
        scores=scores,
        raw="B" if pair else f"{level} {TEXT}",
    )


if __name__ == "__main__":
    main()
