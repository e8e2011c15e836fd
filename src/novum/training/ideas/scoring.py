"""What the ideas of a round are scored by: the paper's indices, the predicted rating, a reviewer model, or a panel.

The Creativity Index and the User Satisfaction Score were found not to agree with people (`docs/metric-validity.md`), so
that the objective is a choice, and another score always stands beside it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import orjson

from novum.core import Idea
from novum.errors import BadInput
from novum.files.inputs import read_plain
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.saved_models import load_model
from novum.lab import Workplace
from novum.llm import ModelName
from novum.llm.offline.trained import find_trained
from novum.prompts import FENCE
from novum.runs.engine import start
from novum.runs.judge import RUBRIC_MARKS, RubricTask
from novum.training.ideas.writing import WrittenIdea, run_module

_RATE = "novum.training.finetuning.rate"
_RATINGS = tuple(step / 10 for step in range(11))
_LOCAL_USS = 5 / 10
"""From the User Satisfaction Score, 0 to 1, to its tenth on the scale of the study's tables, 0 to 5."""
ScoreKind = Literal["published", "rating", "reviewer", "panel"]


@dataclass(frozen=True)
class Objective:
    """One way to score ideas. `models`: of a reviewer or a panel. `alpha`, `beta`: factors of the published score,
    α·CI + β·USS/10 (DBLP study, equation 17; those of its Table 5, since the equation states none)."""

    kind: ScoreKind
    models: tuple[str, ...] = ()
    alpha: float = 0.638
    beta: float = 0.352

    @property
    def name(self) -> str:
        """Its name in tables."""
        if self.kind == "published":
            return f"{self.alpha:g}·CI + {self.beta:g}·USS/10"
        titles = {"rating": "predicted rating", "reviewer": "expected rating by", "panel": "rubric by"}
        return " ".join([titles[self.kind], ", ".join(self.models)]).strip()


def read_objective(text: str, alpha: float | None = None, beta: float | None = None) -> Objective:
    """An objective as a user names it: `published`, `rating`, `judge:NAME`, or models of a panel with commas.

    Raises BadInput for a name that is none of them.
    """
    if text == "rating":
        return Objective("rating")
    if text == "published":
        standard = Objective("published")
        factors = (standard.alpha if alpha is None else alpha, standard.beta if beta is None else beta)
        return Objective("published", (), *factors)
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    try:
        models = [ModelName.parse(name) for name in names]
    except BadInput as error:
        raise BadInput(f"--objective {text!r} is neither published nor rating, and names no model: {error}") from error
    if not models:
        raise BadInput("--objective is empty: write published, rating, or the names of models.")
    writing = [model.provider.writes_reports for model in models]
    if any(writing) and (not all(writing) or len(models) > 1):
        raise BadInput(f"--objective {text!r}: name one reviewer (judge:NAME), or models that answer questions.")
    return Objective("reviewer" if all(writing) else "panel", names)


class Scorer:
    """Scores ideas by an objective. `metrics`: the name of the fitted metrics."""

    def __init__(self, workplace: Workplace, metrics: str) -> None:
        self._workplace = workplace
        self._metrics = metrics
        self._fitted: FittedMetrics | None = None

    @property
    def fitted(self) -> FittedMetrics:
        """The fitted metrics. Raises BadInput where there are none."""
        if self._fitted is None:
            place = self._workplace
            self._fitted = load_model(self._metrics, place.settings.metrics_folder, place.library.embedder)
        return self._fitted

    async def scores(self, objective: Objective, ideas: Sequence[WrittenIdea]) -> list[float | None]:
        """A score for each idea; None where it is not usable or could not be judged."""
        usable = [row for row, idea in enumerate(ideas) if idea.usable]
        if not usable:
            return [None] * len(ideas)
        found = await self._scores(objective, [ideas[row] for row in usable])
        by_row = dict(zip(usable, found, strict=True))
        return [by_row.get(row) for row in range(len(ideas))]

    async def _scores(self, objective: Objective, ideas: Sequence[WrittenIdea]) -> Sequence[float | None]:
        if objective.kind == "reviewer":
            return await _expected_ratings(self._workplace, objective.models[0], ideas)
        if objective.kind == "panel":
            return await _rubric_shares(self._workplace, objective.models, ideas)
        cards = await self.fitted.score([idea.subject for idea in ideas], explain=False)
        if objective.kind == "rating":
            return [card.of("rating") for card in cards]
        return [
            None
            if (creativity := card.creativity.value) is None or (satisfaction := card.satisfaction.value) is None
            else objective.alpha * creativity + objective.beta * _LOCAL_USS * satisfaction
            for card in cards
        ]


async def _rubric_shares(
    workplace: Workplace, judges: Sequence[str], ideas: Sequence[WrittenIdea]
) -> list[float | None]:
    """The share of the rubric's items that each idea satisfies, averaged over the judges that answered."""
    given = [idea.idea("") for idea in ideas]
    marks = await start(RUBRIC_MARKS, workplace, RubricTask(ideas=_once(given), judges=tuple(judges)))
    shares: dict[str, list[float]] = {}
    for sheet in marks.sheets:
        if sheet.marks:
            share = sum(mark.satisfied for mark in sheet.marks) / len(sheet.marks)
            shares.setdefault(sheet.idea_id, []).append(share)
    return [sum(own) / len(own) if (own := shares.get(idea.id)) else None for idea in given]


def _once(ideas: Sequence[Idea]) -> tuple[Idea, ...]:
    return tuple({idea.id: idea for idea in ideas}.values())


async def _expected_ratings(workplace: Workplace, judge: str, ideas: Sequence[WrittenIdea]) -> list[float | None]:
    """The ratings that a reviewer model expects, 0 to 1, from its probabilities (docs/training.md)."""
    models_folder = workplace.settings.models_folder
    prompt = workplace.prompts.get("judge_idea_review")
    conversations = [
        [
            {"role": turn.role, "content": turn.content.replace(FENCE, _fence(idea))}
            for turn in prompt.render({"title": idea.title, "abstract": idea.abstract}).messages
        ]
        for idea in ideas
    ]
    request = {
        "model": find_trained(ModelName.parse(judge).model, models_folder).folder,
        "models_folder": str(models_folder), "conversations": conversations, "values": _RATINGS,
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "request.json", Path(folder) / "ratings.json"
        source.write_bytes(orjson.dumps(request))
        await run_module(_RATE, [str(source), str(target)], f"{judge} rated no ideas")
        return [float(each) for each in orjson.loads(read_plain(target))["ratings"]]


def _fence(idea: WrittenIdea) -> str:
    return blake2b(idea.text.encode("utf-8", "replace"), digest_size=4).hexdigest()
