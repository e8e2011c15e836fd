"""Estimates of calls, tokens, cost, time and CO2 of each model before a measurement.

The number of calls follows from the protocol. Tokens and seconds of a call are the default averages here, or those of
a pilot: a run on a few keywords, whose answers the real run uses again. The averages of a pilot include refusals,
repeated requests and long reasoning; the default averages do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import product
from math import comb
from typing import Literal

from novum.benchmarks.liveidea.panel import same_model
from novum.benchmarks.liveidea.records import LiveIdeaProtocol
from novum.benchmarks.liveidea.task import LiveIdeaTask
from novum.core.record import Value
from novum.ledger import Share
from novum.llm import ModelName, PriceTable

PromptName = Literal["liveidea_idea", "liveidea_judge", "liveidea_fluency", "liveidea_judge_informed"]
ROLES: Mapping[PromptName, str] = {
    "liveidea_idea": "ideas",
    "liveidea_judge": "judging",
    "liveidea_fluency": "judging",
    "liveidea_judge_informed": "judging",
}


class CallAverage(Value):
    """What one call takes."""

    prompt_tokens: float
    completion_tokens: float
    seconds: float


DEFAULT_AVERAGES: Mapping[PromptName, CallAverage] = {
    "liveidea_idea": CallAverage(prompt_tokens=150, completion_tokens=170, seconds=5.0),
    "liveidea_judge": CallAverage(prompt_tokens=470, completion_tokens=170, seconds=5.0),
    "liveidea_fluency": CallAverage(prompt_tokens=600, completion_tokens=5, seconds=1.5),
    "liveidea_judge_informed": CallAverage(prompt_tokens=800, completion_tokens=170, seconds=5.0),
}
"""Prompts at four characters a token, ideas of about 110 words, analyses of about 90, and a model without reasoning at
40 tokens a second; without shown papers."""
PER_PAPER = 250
"""Tokens of the title and of the part of the abstract that is shown."""


class PlanRow(Value):
    """One model in one role. Unknown values are None."""

    model: str
    role: str
    calls: float
    """Expected number, since judges are drawn."""
    prompt_tokens: float
    completion_tokens: float
    usd: float | None
    energy_kwh: float | None
    co2_kg: float | None
    seconds: float
    """With as many calls at once as its provider allows."""


class MeasurementPlan(Value):
    """All rows, and their sums."""

    rows: tuple[PlanRow, ...]
    basis: str
    """The source of the averages."""
    pairs: int
    """Of model and keyword."""
    anchors: int = 0
    """Ideas of a calibration set, which every judge judges."""

    @property
    def calls(self) -> float:
        return sum(row.calls for row in self.rows)

    @property
    def usd(self) -> float:
        """Of models whose price is known."""
        return sum(row.usd or 0.0 for row in self.rows)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models whose price is unknown."""
        return tuple(dict.fromkeys(row.model for row in self.rows if row.usd is None))

    @property
    def co2_kg(self) -> float:
        return sum(row.co2_kg or 0.0 for row in self.rows)

    @property
    def unfooted(self) -> tuple[str, ...]:
        """Models whose footprint is unknown."""
        return tuple(dict.fromkeys(row.model for row in self.rows if row.co2_kg is None))

    @property
    def seconds(self) -> float:
        """Of the busiest model, since all work at the same time."""
        by_model: dict[str, float] = {}
        for row in self.rows:
            by_model[row.model] = by_model.get(row.model, 0.0) + row.seconds
        return max(by_model.values(), default=0.0)


def make_plan(
    task: LiveIdeaTask,
    prices: PriceTable,
    shares: Sequence[Share] = (),
    *,
    in_flight: int | None = None,
    basis: str = "",
) -> MeasurementPlan:
    """The plan. `shares`: what the calls of a pilot took; none: the default averages. `in_flight`: calls at once for
    each model, by default what its provider usually allows.
    """
    rows: dict[tuple[str, str], PlanRow] = {}
    for (name, prompt), calls in sorted(expected_calls(task).items()):
        model = ModelName.parse(name)
        each = _average(name, prompt, shares, task.protocol)
        row = _row(model, prompt, calls, each, prices, in_flight or model.provider.in_flight)
        known = rows.get((row.model, row.role))
        rows[row.model, row.role] = _sum(known, row) if known else row
    order = {ModelName.parse(name).short: place for place, name in enumerate(task.models)}
    arranged = sorted(rows.values(), key=lambda row: (row.role, order.get(row.model, len(order)), row.model))
    return MeasurementPlan(
        rows=tuple(arranged),
        basis=basis or "default averages",
        pairs=len(task.models) * len(task.keywords),
        anchors=len(task.anchors.anchors) if task.anchors else 0,
    )


def expected_calls(task: LiveIdeaTask) -> dict[tuple[str, PromptName], float]:
    """Calls of each model (by its full name) with each prompt, if nothing is refused, excluded or repeated."""
    protocol, keywords = task.protocol, len(task.keywords)
    of_ideas: list[PromptName] = ["liveidea_judge", *_extra_prompts(protocol)]
    calls: defaultdict[tuple[str, PromptName], float] = defaultdict(float)
    for name in task.models:
        calls[name, "liveidea_idea"] += keywords * protocol.ideas
        short = ModelName.parse(name).short
        others = [each for each in task.panel.judges if not same_model(each.model, short)]
        graders = task.panel.judges if protocol.as_released else others
        judged = keywords * protocol.ideas * min(protocol.judges, len(others))
        for judge, prompt in product(others, of_ideas):
            calls[task.addresses[judge.model], prompt] += judged / len(others)
        for judge in graders:
            calls[task.addresses[judge.model], "liveidea_fluency"] += keywords * _pairs(task) / len(graders)
    if task.anchors is not None:
        for address in task.judges:
            calls[address, "liveidea_judge"] += len(task.anchors.anchors)
    return dict(calls)


def _extra_prompts(protocol: LiveIdeaProtocol) -> list[PromptName]:
    """Further prompts for the judges of an idea."""
    return ["liveidea_judge_informed"] if protocol.papers else []


def _pairs(task: LiveIdeaTask) -> int:
    ideas = task.protocol.ideas
    return {"first": min(1, ideas - 1), "neighbours": ideas - 1, "all": comb(ideas, 2)}[task.protocol.pairs]


def _average(name: str, prompt: PromptName, shares: Sequence[Share], protocol: LiveIdeaProtocol) -> CallAverage:
    """Of this model with this prompt in the pilot; else of all models with this prompt; else the default."""
    alike = [share for share in shares if share.prompt.partition("_published")[0] == prompt]
    used = [share for share in alike if share.model == name] or alike
    calls = sum(share.calls for share in used)
    if not calls:
        return default_average(prompt, protocol)
    return CallAverage(
        prompt_tokens=sum(share.prompt_tokens for share in used) / calls,
        completion_tokens=sum(share.completion_tokens for share in used) / calls,
        seconds=sum(share.seconds for share in used) / calls,
    )


def default_average(prompt: PromptName, protocol: LiveIdeaProtocol) -> CallAverage:
    """What a call takes without a pilot."""
    usual = DEFAULT_AVERAGES[prompt]
    if prompt != "liveidea_judge_informed":
        return usual
    return usual.model_copy(update={"prompt_tokens": usual.prompt_tokens + PER_PAPER * protocol.papers})


def _row(
    model: ModelName, prompt: PromptName, calls: float, each: CallAverage, prices: PriceTable, in_flight: int
) -> PlanRow:
    written = max(1, round(each.completion_tokens))
    usd = prices.usd(model, round(each.prompt_tokens), written)
    footprint = prices.footprint(model, written, each.seconds)
    return PlanRow(
        model=model.short,
        role=ROLES[prompt],
        calls=calls,
        prompt_tokens=calls * each.prompt_tokens,
        completion_tokens=calls * each.completion_tokens,
        usd=None if usd is None else calls * usd,
        energy_kwh=calls * footprint.energy_kwh if footprint else None,
        co2_kg=calls * footprint.co2_kg if footprint else None,
        seconds=calls * each.seconds / in_flight,
    )


def _sum(first: PlanRow, second: PlanRow) -> PlanRow:
    """The sum of two rows of one model and role; unknown when one of the two is unknown."""
    numbers = {}
    for name in ("calls", "prompt_tokens", "completion_tokens", "usd", "energy_kwh", "co2_kg", "seconds"):
        one, other = getattr(first, name), getattr(second, name)
        numbers[name] = None if one is None or other is None else one + other
    return first.model_copy(update=numbers)
