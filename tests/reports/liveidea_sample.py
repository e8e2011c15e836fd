"""A LiveIdeaBench run made up for the tests: five models of known quality, a panel of four with known severities."""

from __future__ import annotations

from itertools import product

import numpy as np

from novum.benchmarks.liveidea.records import (
    Effort,
    ExcludedJudge,
    IdeaRecord,
    JudgeAssignment,
    JudgementRecord,
    Keyword,
    LiveIdeaProtocol,
    LiveIdeaRun,
    LostJudge,
)
from novum.benchmarks.liveidea.report.page import render_liveidea_page
from novum.benchmarks.liveidea.report.plots import plots
from novum.benchmarks.liveidea.report.records import LiveIdeaReport
from novum.core import Account

from .reading import Page

MODELS = {"acme/alpha": 7.6, "acme/beta": 6.9, "borealis/gamma": 6.4, "delta": 5.8, "epsilon-mini": 5.1}
"""Model to its quality."""
JUDGES = {"acme/judge-one": 0.0, "borealis/judge-two": -0.8, "severe-judge": -1.6, "mild-judge": 0.9}
"""Judge to what it adds."""
DISCIPLINES = ("physics", "biology", "computer science", "earth science")
KEYWORDS = tuple(Keyword(keyword=f"keyword {n}", discipline=DISCIPLINES[n % 4]) for n in range(24))
DIMENSIONS = ("originality", "feasibility", "clarity")
LOST = "failed after 3 tries"


def sample_run(keywords: int = len(KEYWORDS), seed: int = 4) -> LiveIdeaRun:
    """Two ideas a keyword and model, three judges an idea, one a pair; `delta` refuses, `epsilon-mini` is too long."""
    rng = np.random.default_rng(seed)
    ideas: list[IdeaRecord] = []
    judgements: list[JudgementRecord] = []
    for model, keyword in product(MODELS, KEYWORDS[:keywords]):
        pair = [_idea(rng, model, keyword, number) for number in range(2)]
        ideas += pair
        for idea in pair:
            if idea.fate == "judged":
                judgements += [_judged(rng, idea, judge) for judge in rng.permutation(list(JUDGES))[:3]]
        judgements.append(_graded(rng, model, keyword))
    return LiveIdeaRun(
        name="20261121-liveidea-1a2b",
        protocol=LiveIdeaProtocol(marked=("acme/beta",)),
        panel=tuple(JudgeAssignment(model=name, organisation=name.partition("/")[0], score=70.0) for name in JUDGES),
        passed_over=(ExcludedJudge(model="acme/judge-three", why="acme has 2 judges already"),),
        panel_wanted=10,
        lost=(LostJudge(judge="mild-judge", why="no credit"),),
        seed=7,
        began="2026-11-21T09:00:00+00:00",
        models=tuple(MODELS),
        keywords=KEYWORDS[:keywords],
        keywords_dated="2026-11-01",
        ideas=tuple(ideas),
        judgements=tuple(judgements),
        effort=(
            Effort(model="acme/alpha", role="ideas", calls=48, prompt_tokens=9000, completion_tokens=7200, usd=0.12,
                   energy_kwh=0.021, co2_kg=0.009),
            Effort(model="delta", role="ideas", calls=60, prompt_tokens=12000, completion_tokens=6100, usd_unknown=60,
                   footprint_unknown=60),
            Effort(model="severe-judge", role="judging", calls=150, prompt_tokens=61000, completion_tokens=20500,
                   usd=0.4, energy_kwh=1.25, co2_kg=0.6),
        ),
        notes=("The judge mild-judge was lost in the middle.",),
        account=Account(run_id="20261121-liveidea-1a2b", novum_version="0.1.0", started="2026-11-21T09:00:00+00:00",
                        seconds=300.0, models={}),
    )  # fmt: skip


def _idea(rng: np.random.Generator, model: str, keyword: Keyword, number: int) -> IdeaRecord:
    words = int(rng.integers(60, 120)) + 95 * (model == "epsilon-mini" and number == 1)
    refused = model == "delta" and bool(rng.random() < 0.25)
    text = f"**Idea {number}** of {model} on {keyword.keyword}: measure what nobody measured, then explain it."
    return IdeaRecord(
        model=model,
        keyword=keyword.keyword,
        discipline=keyword.discipline,
        number=number,
        idea="" if refused else text,
        full="I am sorry, I cannot help with that." if refused else text,
        words=0 if refused else words,
        fate="refused" if refused else "too long" if words > 200 else "judged",
        first_refused=refused,
        first_refused_as_released=refused or model == "acme/beta",
        fallback=refused,
    )


def _judged(rng: np.random.Generator, idea: IdeaRecord, judge: str) -> JudgementRecord:
    tilt = {"originality": 0.5, "feasibility": -0.6, "clarity": 0.2}
    lean = 1 if idea.model.startswith("acme") else -1
    raw = {
        name: float(np.clip(round(MODELS[idea.model] + lean * by + JUDGES[judge] + rng.normal(0, 0.9)), 1, 10))
        for name, by in tilt.items()
    }
    lost = judge == "mild-judge" and rng.random() < 0.1
    return JudgementRecord(
        model=idea.model,
        keyword=idea.keyword,
        ideas=(idea.number,),
        number=idea.number,
        judge=str(judge),
        scores=raw | ({"clarity": None} if lost else {}),
        missing={"clarity": LOST} if lost else {},
        raw="seven out of ten, I would say" if lost else "",
    )


def _graded(rng: np.random.Generator, model: str, keyword: Keyword) -> JudgementRecord:
    grade = float(rng.choice([10, 7, 4, 1], p=[0.5, 0.3, 0.15, 0.05]))
    judge = str(rng.choice(list(JUDGES)))
    return JudgementRecord(
        model=model, keyword=keyword.keyword, ideas=(0, 1), number=0, judge=judge, scores={"fluency": grade}
    )


def with_anchors(run: LiveIdeaRun, anchors: int = 12, name: str = "set-1", seed: int = 1) -> LiveIdeaRun:
    """The run with anchor ideas of known quality, judged by its whole panel, each judge as severe as it is."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(3, 8, anchors)
    judged = [
        JudgementRecord(
            model="",
            keyword=f"anchor keyword {number}",
            ideas=(number,),
            number=number,
            judge=judge,
            scores={dimension: float(quality[number] + JUDGES[judge] + rng.normal(0, 0.4)) for dimension in DIMENSIONS},
        )
        for number, judge in product(range(anchors), JUDGES)
    ]
    return run.model_copy(update={"anchors": name, "anchor_judgements": tuple(judged)})


def by_another_panel(run: LiveIdeaRun, times: float, plus: float, name: str = "other-run") -> LiveIdeaRun:
    """What a panel would have said that is as this one, but for using `times` as much of the scale and giving more."""

    def moved(each: JudgementRecord) -> JudgementRecord:
        scores = {dim: None if score is None else score * times + plus for dim, score in each.scores.items()}
        return each.model_copy(update={"scores": scores})

    changed = {part: tuple(map(moved, getattr(run, part))) for part in ("judgements", "anchor_judgements")}
    return run.model_copy(update={"name": name, **changed})


def with_papers(run: LiveIdeaRun, plus: dict[str, float]) -> LiveIdeaRun:
    """The run with each idea judged again, so many points more original for the ideas of these models."""
    again = [
        each.model_copy(
            update={"scores": {**each.scores, "originality": each.scores["originality"] + plus.get(each.model, 0.0)}}
        )
        for each in run.judgements
        if not each.of_pair
    ]
    protocol = run.protocol.model_copy(update={"papers": 5})
    return run.model_copy(update={"informed": tuple(again), "protocol": protocol})


def page_of(report: LiveIdeaReport) -> Page:
    """The page without the charts of the leaderboard and of lengths, which take their time and have their own tests."""
    empty = {"leaderboard": (), "disciplines": (), "ideas": (), "length_quality": (), "outside": None}
    bare = report.model_copy(update=empty)
    return Page(render_liveidea_page(bare, {plot.name: "<svg></svg>" for plot in plots(bare)}))
