"""What a measurement will take, before anything is spent: calls, tokens, money, time and CO2 of each model.

Calls follow from the protocol. What one call takes comes from the averages stated here, or from a pilot: a run on a few
keywords, whose answers the real run then uses again. Refusals, askings for the second time and answers of models that
think at length are in a pilot's averages, and not in ours.
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
"""Our prompts at four characters a token, ideas of some 110 words, analyses of some 90; a model that does not think
before it speaks, at 40 tokens a second. Papers that are shown come to it."""
PER_PAPER = 250
"""Tokens of a title and of an abstract as long as it is shown."""


class PlanRow(Value):
    """One model in one role. What nobody can state is None."""

    model: str
    role: str
    calls: float
    """Expected: who judges whom is drawn."""
    prompt_tokens: float
    completion_tokens: float
    usd: float | None
    energy_kwh: float | None
    co2_kg: float | None
    seconds: float
    """At so many calls at once as its provider allows."""


class MeasurementPlan(Value):
    """All rows, and what they come to."""

    rows: tuple[PlanRow, ...]
    basis: str
    """Where the averages are from."""
    pairs: int
    """Of model and keyword."""
    anchors: int = 0
    """Ideas of a calibration set, which every judge judges."""

    @property
    def calls(self) -> float:
        return sum(row.calls for row in self.rows)

    @property
    def usd(self) -> float:
        """Of those whose price is known."""
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
        """Of the busiest model: all work at once."""
        by_model: dict[str, float] = {}
        for row in self.rows:
            by_model[row.model] = by_model.get(row.model, 0.0) + row.seconds
        return max(by_model.values(), default=0.0)


def make_plan(
    assignment: LiveIdeaTask,
    tariff: PriceTable,
    shares: Sequence[Share] = (),
    *,
    in_flight: int | None = None,
    basis: str = "",
) -> MeasurementPlan:
    """The plan. `shares`: what the calls of a pilot took; none: the stated averages. `in_flight`: calls at once for
    each model, else what its provider usually allows.
    """
    rows: dict[tuple[str, str], PlanRow] = {}
    for (name, asked), calls in sorted(expected_calls(assignment).items()):
        model = ModelName.parse(name)
        each = _average(name, asked, shares, assignment.protocol)
        row = _row(model, asked, calls, each, tariff, in_flight or model.provider.in_flight)
        known = rows.get((row.model, row.role))
        rows[row.model, row.role] = _sum(known, row) if known else row
    order = {ModelName.parse(name).short: place for place, name in enumerate(assignment.models)}
    arranged = sorted(rows.values(), key=lambda row: (row.role, order.get(row.model, len(order)), row.model))
    return MeasurementPlan(
        rows=tuple(arranged),
        basis=basis or "stated averages",
        pairs=len(assignment.models) * len(assignment.keywords),
        anchors=len(assignment.anchors.anchors) if assignment.anchors else 0,
    )


def expected_calls(assignment: LiveIdeaTask) -> dict[tuple[str, PromptName], float]:
    """Calls of each model (by its full name) with each prompt, when nothing is refused, excluded or asked again."""
    protocol, keywords = assignment.protocol, len(assignment.keywords)
    of_ideas: list[PromptName] = ["liveidea_judge", *_extra_prompts(protocol)]
    calls: defaultdict[tuple[str, PromptName], float] = defaultdict(float)
    for name in assignment.models:
        calls[name, "liveidea_idea"] += keywords * protocol.ideas
        short = ModelName.parse(name).short
        others = [each for each in assignment.panel.judges if not same_model(each.model, short)]
        graders = assignment.panel.judges if protocol.as_released else others
        judged = keywords * protocol.ideas * min(protocol.judges, len(others))
        for judge, asked in product(others, of_ideas):
            calls[assignment.addresses[judge.model], asked] += judged / len(others)
        for judge in graders:
            calls[assignment.addresses[judge.model], "liveidea_fluency"] += keywords * _pairs(assignment) / len(graders)
    if assignment.anchors is not None:
        for address in assignment.judges:
            calls[address, "liveidea_judge"] += len(assignment.anchors.anchors)
    return dict(calls)


def _extra_prompts(protocol: LiveIdeaProtocol) -> list[PromptName]:
    """What the judges of an idea are asked besides."""
    return ["liveidea_judge_informed"] if protocol.papers else []


def _pairs(assignment: LiveIdeaTask) -> int:
    ideas = assignment.protocol.ideas
    return {"first": min(1, ideas - 1), "neighbours": ideas - 1, "all": comb(ideas, 2)}[assignment.protocol.pairs]


def _average(name: str, asked: PromptName, shares: Sequence[Share], protocol: LiveIdeaProtocol) -> CallAverage:
    """Of this model with this prompt in the pilot; else of all models with it; else as stated."""
    its = [share for share in shares if share.prompt == asked and share.model == name]
    found = its or [share for share in shares if share.prompt == asked]
    calls = sum(share.calls for share in found)
    if not calls:
        return default_average(asked, protocol)
    return CallAverage(
        prompt_tokens=sum(share.prompt_tokens for share in found) / calls,
        completion_tokens=sum(share.completion_tokens for share in found) / calls,
        seconds=sum(share.seconds for share in found) / calls,
    )


def default_average(asked: PromptName, protocol: LiveIdeaProtocol) -> CallAverage:
    """What a call takes by our own reckoning."""
    usual = DEFAULT_AVERAGES[asked]
    if asked != "liveidea_judge_informed":
        return usual
    return usual.model_copy(update={"prompt_tokens": usual.prompt_tokens + PER_PAPER * protocol.papers})


def _row(
    model: ModelName, asked: PromptName, calls: float, each: CallAverage, tariff: PriceTable, in_flight: int
) -> PlanRow:
    spoken = max(1, round(each.completion_tokens))
    usd = tariff.usd(model, round(each.prompt_tokens), spoken)
    footprint = tariff.footprint(model, spoken, each.seconds)
    return PlanRow(
        model=model.short,
        role=ROLES[asked],
        calls=calls,
        prompt_tokens=calls * each.prompt_tokens,
        completion_tokens=calls * each.completion_tokens,
        usd=None if usd is None else calls * usd,
        energy_kwh=calls * footprint.energy_kwh if footprint else None,
        co2_kg=calls * footprint.co2_kg if footprint else None,
        seconds=calls * each.seconds / in_flight,
    )


def _sum(first: PlanRow, second: PlanRow) -> PlanRow:
    """Of one model in one role; unknown where one of the two is."""
    numbers = {}
    for name in ("calls", "prompt_tokens", "completion_tokens", "usd", "energy_kwh", "co2_kg", "seconds"):
        one, other = getattr(first, name), getattr(second, name)
        numbers[name] = None if one is None or other is None else one + other
    return first.model_copy(update=numbers)
