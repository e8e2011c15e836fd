"""The panel of judges: the best of a ranked list, from several organisations, and the judges drawn for each idea.

The panel has the top ten, at most two of one organisation and one of several that differ only in reasoning effort; the
next ones move up. No model judges its own ideas. Draws are a pure function of the run's seed and of what is judged: a
resumed run draws the same judges, and losing a judge changes only its own assignments.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from novum.benchmarks.liveidea.ranking import RankedModel
from novum.benchmarks.liveidea.records import ExcludedJudge
from novum.core import content_id
from novum.core.record import Value
from novum.errors import BadInput
from novum.llm.providers import PROVIDERS

PANEL_SIZE = 10
MOST_PER_ORGANISATION = 2
JUDGES_PER_IDEA = 3
_HOSTS = frozenset({"groq", "offline", "ollama", "openrouter", "server", "together"})
"""Providers that serve models of other organisations."""


class Panel(Value):
    """The judges, best first."""

    judges: tuple[RankedModel, ...]
    passed_over: tuple[ExcludedJudge, ...] = ()
    wanted: int = PANEL_SIZE

    @property
    def short(self) -> int:
        """Number of judges that are missing for lack of eligible models."""
        return self.wanted - len(self.judges)


class DrawnJudges(Value):
    """The judges of one idea or pair, in the order in which they were drawn."""

    judges: tuple[str, ...]
    wanted: int


class NoEligibleJudge(Value):
    """No judge is eligible for a model's ideas: they stay unjudged, and the leaderboard says so."""

    model: str
    reason: str


def make_panel(
    ranked: Sequence[RankedModel], *, size: int = PANEL_SIZE, most_per_organisation: int = MOST_PER_ORGANISATION
) -> Panel:
    """The panel of a ranked list, by score; equal scores by name. Raises BadInput where it would be empty."""
    if size < 1:
        raise BadInput(f"A panel of {size} judges judges nothing: give a size of 1 or more.")
    if not ranked:
        raise BadInput("No panel can be made of an empty ranking: give a CSV with at least one model and its score.")
    judges: list[RankedModel] = []
    passed_over: list[ExcludedJudge] = []
    for model in sorted(ranked, key=lambda each: (-(each.score or 0.0), each.model)):
        if len(judges) == size:
            break
        if why := _why_not(model, judges, most_per_organisation):
            passed_over.append(ExcludedJudge(model=model.model, why=why))
        else:
            judges.append(model)
    return Panel(judges=tuple(judges), passed_over=tuple(passed_over), wanted=size)


def draw_judges(
    panel: Panel,
    seed: int,
    *,
    model: str,
    keyword: str,
    idea: int,
    count: int = JUDGES_PER_IDEA,
    lost: Collection[str] = (),
) -> DrawnJudges | NoEligibleJudge:
    """The judges of one idea; fewer than `count` where fewer are eligible. `lost`: judges that failed for good."""
    return _draw(panel, seed, ["idea", model, keyword, idea], model, count, lost)


def draw_fluency_judge(
    panel: Panel,
    seed: int,
    *,
    model: str,
    keyword: str,
    pair: int = 0,
    lost: Collection[str] = (),
    own_too: bool = False,
) -> DrawnJudges | NoEligibleJudge:
    """The one judge of a pair of ideas of one keyword. `own_too`: from the whole panel, as the released code draws."""
    return _draw(panel, seed, ["fluency", model, keyword, pair], "" if own_too else model, 1, lost)


def same_model(first: str, second: str) -> bool:
    """Whether two names mean one model: `openrouter:openai/o1` and `o1` do, `o3-mini` and `o3-mini-high` do not."""
    return _bare(first) == _bare(second)


def models_without_judge(panel: Panel, models: Iterable[str]) -> list[str]:
    """Those of `models` whose ideas no judge of the panel may judge."""
    return [model for model in models if all(same_model(judge.model, model) for judge in panel.judges)]


def maker_of(name: str) -> str:
    """The organisation in a model's name, as in `openrouter:openai/o1` and `openai:o1`; empty for `ollama:qwen3`."""
    before, slash, _ = name.rpartition("/")
    if slash:
        return before.rpartition(":")[2].rpartition("/")[2].lstrip("~")
    provider = name.partition(":")[0] if ":" in name else ""
    return "" if provider in _HOSTS else provider


def _why_not(model: RankedModel, judges: Sequence[RankedModel], most: int) -> str:
    for judge in judges:
        if same_model(judge.model, model.model):
            return f"the same model as {judge.model}"
        if _bare(judge.base) == _bare(model.base):
            return f"differs from {judge.model} only in its effort of reasoning"
    if Counter(judge.organisation.casefold() for judge in judges)[model.organisation.casefold()] >= most:
        return f"{model.organisation} has {most} judges already"
    return ""


def _draw(
    panel: Panel, seed: int, unit: Sequence[str | int], own: str, count: int, lost: Collection[str]
) -> DrawnJudges | NoEligibleJudge:
    order = sorted(judge.model for judge in panel.judges)
    # The whole panel is shuffled before judges that may not judge are removed: losing one only moves others up.
    random.Random(content_id("seed", [seed, unit])).shuffle(order)  # noqa: S311  # science, not secrecy
    eligible = [judge for judge in order if judge not in lost and not (own and same_model(judge, own))]
    if not eligible:
        reason = "the panel is empty" if not order else "all judges are the model itself or have failed for good"
        return NoEligibleJudge(model=own, reason=reason)
    return DrawnJudges(judges=tuple(eligible[:count]), wanted=count)


def _bare(name: str) -> str:
    """Without the provider and the organisation in front, and without an address behind."""
    provider, colon, rest = name.strip().partition("@http")[0].casefold().partition(":")
    model = rest if colon and provider in PROVIDERS else provider + colon + rest
    return model.rsplit("/", 1)[-1]
