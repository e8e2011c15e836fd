"""Benchmarks: the Idea Arena, LiveIdeaBench, foresight, and judges compared with people."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from novum.api.ideas import IdeationResult
from novum.api.judging import judges_of
from novum.api.running import RunOptions, checked, opened, synchronous
from novum.benchmarks.arena.durable import ARENA
from novum.benchmarks.arena.exporting import write_arena
from novum.benchmarks.arena.records import ArenaRun
from novum.benchmarks.arena.task import ArenaTask, parse_entrants
from novum.benchmarks.foresight.durable import FORESIGHT, find_topics
from novum.benchmarks.foresight.records import ForesightRun
from novum.benchmarks.foresight.task import PLAIN, ForesightTask, cutoff_of
from novum.benchmarks.judge_evaluation.durable import JUDGE_EVALUATION, JudgeEvaluationOptions, evaluation_task
from novum.benchmarks.judge_evaluation.records import JudgeEvaluationRun
from novum.benchmarks.judge_evaluation.task import Split
from novum.benchmarks.judge_validation.durable import JUDGE_VALIDATION
from novum.benchmarks.judge_validation.records import JudgeValidation
from novum.benchmarks.judge_validation.texts import ValidationChoice, validation_task
from novum.benchmarks.liveidea.anchors import built_in_anchors
from novum.benchmarks.liveidea.durable import LIVEIDEA
from novum.benchmarks.liveidea.exporting import write_dataset
from novum.benchmarks.liveidea.keywords import built_in_keywords, sample_keywords
from novum.benchmarks.liveidea.records import Keyword, LiveIdeaRun
from novum.benchmarks.liveidea.task import LiveIdeaTask, panel_of
from novum.core import Idea
from novum.core.comparison import ArenaEntry, ArenaTopic, Entrant
from novum.runs.ideation import read_topic

_SIZES = ("neighbours", "pool", "earlier", "false_positives")


async def arena_async(
    topics: Sequence[str],
    *,
    methods: Sequence[str] = (),
    ideas: Mapping[str, Sequence[Idea] | IdeationResult] | None = None,
    experiments: bool = False,
    schedule: str = "round-robin",
    level: float = 0.95,
    most_pairs: int | None = None,
    before: dt.date | None = None,
    protocol: str = "",
    out: str | Path | None = None,
    **options: Unpack[RunOptions],
) -> ArenaRun:
    """Lets idea generators compete on topics: every pair of ideas is judged in both orders by each judge.

    `methods`: as on the command line, `"rag"` or `"chain-of-ideas:length=0,name=short"`. `ideas`: existing ideas, by
    the name of the entrant, at most one on a topic. `experiments`: compare plans too. `schedule`: round-robin,
    swiss or adaptive, which stops at the expected Kendall's tau `level`. `before`: methods read only papers that were
    published before this date. `protocol`: how judges compare, by default the newest of Novum's protocols; `published`
    are the prompts of the paper (`novum arena protocol install`). `out`: a folder for the matches.
    `novum.benchmarks.arena.leaderboard.leaderboard(run)` rates the entrants.
    """
    entries = [
        ArenaEntry(topic=idea.topic, entrant=name, idea=idea)
        for name, theirs in (ideas or {}).items()
        for idea in (theirs.ideas[:1] if isinstance(theirs, IdeationResult) else theirs)
    ]
    entrants = (*parse_entrants(methods), *(Entrant(name=name) for name in ideas or {}))
    async with opened(options) as place:
        task = checked(
            ArenaTask, topics=_arena_topics(topics), entrants=entrants, judges=judges_of(place.workplace.settings),
            kinds=("idea", "experiment") if experiments else ("idea",), given=entries, schedule=schedule, level=level,
            most_pairs=most_pairs, before=before, protocol=protocol,
        )  # fmt: skip
        run = await place.start(ARENA, task)
    if out is not None:
        write_arena(run, Path(out))
    return run


async def liveidea_async(
    models: Sequence[str] = (),
    *,
    keywords: int | Sequence[str] = 22,
    anchors: int = 0,
    papers_before: dt.date | None = None,
    protocol: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    **options: Unpack[RunOptions],
) -> LiveIdeaRun:
    """Measures models on scientific divergent thinking, from one keyword at a time (LiveIdeaBench).

    `models`: as `provider:model`; by default the writer of the settings. `judges` (a setting) are the panel.
    `keywords`: the number of built-in ones, or your own. `anchors`: the number of fixed ideas that every judge also
    judges.
    `protocol`: fields of `LiveIdeaProtocol`; `{"prompts": "published"}` are the prompts of the paper (`novum liveidea
    protocol install`). `out`: a folder for the data set.
    `novum.benchmarks.liveidea.leaderboard.leaderboard(run)` ranks the models.
    """
    async with opened(options) as place:
        settings = place.workplace.settings
        panel, addresses = panel_of([settings.model_named(name) for name in judges_of(settings)])
        if isinstance(keywords, int):
            sample = sample_keywords(built_in_keywords().keywords, keywords, settings.values.seed)
        else:
            sample = tuple(Keyword(keyword=each) for each in keywords)
        task = checked(
            LiveIdeaTask,
            models=[str(settings.model_named(name)) for name in models] or [str(settings.model_roles().writer)],
            keywords=sample, panel=panel, addresses=addresses, protocol=dict(protocol or {}),
            anchors=built_in_anchors(anchors) if anchors else None, papers_before=papers_before,
        )  # fmt: skip
        run = await place.start(LIVEIDEA, task)
    if out is not None:
        write_dataset(run, Path(out))
    return run


async def foresight_async(
    methods: Sequence[str],
    *,
    cutoffs: Sequence[str | int],
    horizon: int = 3,
    topics: Sequence[str] = (),
    draw: int = 20,
    plain: bool = True,
    **options: Any,
) -> ForesightRun:
    """Compares ideas from literature before a date with the papers published after it.

    `cutoffs`: the last years that are read, or dates. `horizon`: years after each. `topics`: by default a sample of
    `draw` topics of the library. `plain`: also a prompt that reads no literature. `options`: settings, `fresh`,
    `listeners`, and the sizes `neighbours`, `pool`, `earlier`, `false_positives`.
    """
    sizes = {name: options.pop(name) for name in _SIZES if name in options}
    entrants = list(parse_entrants(methods))
    named = next((each.name for each in entrants if each.method == PLAIN.method), "")
    if plain and not named:
        entrants.append(PLAIN)
        named = PLAIN.name
    days = tuple(cutoff_of(str(each)) for each in cutoffs)
    async with opened(options) as place:
        own = _arena_topics(topics) or await find_topics(place.workplace, days, horizon, draw)
        task = checked(
            ForesightTask, cutoffs=days, horizon=horizon, topics=own, drawn=not topics, methods=entrants, plain=named,
            **sizes,
        )  # fmt: skip
        return await place.start(FORESIGHT, task)


async def evaluate_judges_async(
    data: str | Path,
    *,
    expected: Sequence[str] = (),
    base: str = "",
    split: Split = "test",
    papers: int | None = None,
    idea_texts: bool = False,
    reports: int = 3,
    decider: str = "",
    compare_by: str = "",
    **options: Unpack[RunOptions],
) -> JudgeEvaluationRun:
    """Compares judges with real reviews and decisions. `data`: a folder made by `build_reviews`.

    `judges` (a setting) are evaluated, beside baselines. `expected`: trained models whose expected rating is computed.
    `decider`, `compare_by`: models that decide on reports, and that compare texts.
    """
    async with opened(options) as place:
        settings = place.workplace.settings
        wanted = JudgeEvaluationOptions(
            str(data), tuple(settings.values.judges), tuple(expected), base, split, papers, idea_texts, reports,
            decider, compare_by,
        )  # fmt: skip
        task, _ = evaluation_task(settings, wanted)
        return await place.start(JUDGE_EVALUATION, task)


async def validate_judges_async(
    files: Sequence[str | Path],
    *,
    by: str = "pair",
    outcome: str = "rating",
    subsets: Sequence[str] = (),
    train: Sequence[str | Path] = (),
    papers: int = 100,
    opponents: int = 2,
    **options: Unpack[RunOptions],
) -> JudgeValidation:
    """Measures how far judges (a setting) agree with reviewers of papers, or with people who scored ideas.

    `files`: reviewed papers or scored ideas as JSON lines. `by`: `pair`, `win-rate`, `rubric`, `review`, or a pairwise
    judge of your own. `outcome`: people's rating, or the name of a score. `train`: papers that the predicted rating is
    fitted to. `papers`: texts at most. `opponents`: pairs that a text is in.
    """
    async with opened(options) as place:
        settings = place.workplace.settings
        choice = ValidationChoice(
            [Path(each) for each in files], outcome, subsets, [Path(each) for each in train], papers, opponents,
            settings.values.seed,
        )  # fmt: skip
        task = validation_task(choice, judges_of(settings), by, settings.metrics_folder)
        return await place.start(JUDGE_VALIDATION, task)


def _arena_topics(texts: Sequence[str]) -> tuple[ArenaTopic, ...]:
    return tuple(ArenaTopic(topic=read_topic(text).text) for text in texts)


arena = synchronous(arena_async)
liveidea = synchronous(liveidea_async)
foresight = synchronous(foresight_async)
evaluate_judges = synchronous(evaluate_judges_async)
validate_judges = synchronous(validate_judges_async)

__all__ = [
    "arena", "arena_async", "evaluate_judges", "evaluate_judges_async", "foresight", "foresight_async", "liveidea",
    "liveidea_async", "validate_judges", "validate_judges_async",
]  # fmt: skip
