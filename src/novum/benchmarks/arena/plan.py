"""Estimates of calls, tokens, dollars and minutes of an arena before anything is sent.

What an idea takes is the average of earlier arenas of the same ledger with the same method and options, else the table
of `methods/effort_costs.py`, which was measured with a scripted model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, comb

from novum.benchmarks.arena.entries import ENTRY
from novum.benchmarks.arena.protocol import ENTRIES_AT_ONCE
from novum.benchmarks.arena.task import ArenaTask
from novum.core import Cost
from novum.core.comparison import ArenaEntry, Entrant
from novum.core.cost import sum_costs
from novum.core.record import Value
from novum.errors import BadInput
from novum.ledger import Ledger
from novum.llm import ModelName, PriceTable
from novum.llm.settings import ModelRoles
from novum.methods.effort import LEVELS, effort_options, has_effort
from novum.methods.effort_costs import SECONDS_TO_FIRST_TOKEN, TOKENS_PER_SECOND, estimate_run
from novum.runs.attempts import recorded_in

MOST_ARENAS = 20
"""Earlier arenas that are looked at for averages, the newest first."""
TOKENS_PER_WORD = 1.4
_USUAL_WORDS = 700
"""Of an idea as it was written."""
_RESTATING, _JUDGING, _VERDICTS = 600, 900, 350
"""Tokens of the instructions for restating and for judging, and of a judge's answer."""
_CHAINS = 3
"""Chains of the measured run of Chain of Ideas; calls grow with their number."""


class IdeaAverage(Value):
    """What one idea of an entrant took on average, and the average duration of its calls one after the other."""

    cost: Cost
    seconds: float
    ideas: int


class ArenaPlanRow(Value):
    """One part of the work. Unknown values are None."""

    work: str
    model: str
    calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    seconds: float
    basis: str
    """What the numbers come from."""


class ArenaPlan(Value):
    """All rows, and their sums over what is known."""

    rows: tuple[ArenaPlanRow, ...]

    @property
    def calls(self) -> int:
        return sum(row.calls or 0 for row in self.rows)

    @property
    def tokens(self) -> int:
        return sum((row.prompt_tokens or 0) + (row.completion_tokens or 0) for row in self.rows)

    @property
    def usd(self) -> float:
        return sum(row.usd or 0.0 for row in self.rows)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Models of the work whose price is not known."""
        return tuple(dict.fromkeys(row.model for row in self.rows if row.usd is None))

    @property
    def unknown(self) -> tuple[str, ...]:
        """Work of which nothing is known."""
        return tuple(row.work for row in self.rows if row.calls is None)

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.rows)


@dataclass(frozen=True)
class PlanBasis:
    """What a plan is made from: the models of the roles, their prices, calls at once, and averages by entrant."""

    roles: ModelRoles
    prices: PriceTable
    in_flight: int | None = None
    averages: Mapping[str, IdeaAverage] | None = None

    def at_once(self, model: ModelName) -> int:
        return self.in_flight or model.provider.in_flight or ENTRIES_AT_ONCE


def plan_arena(task: ArenaTask, basis: PlanBasis) -> ArenaPlan:
    """The plan of a task, if nothing fails."""
    rows = [_ideas(each, len(task.topics), basis) for each in task.entrants if each.method]
    # Entrants work side by side: the slowest decides.
    slowest = max((row.seconds for row in rows), default=0.0)
    rows = [row.model_copy(update={"seconds": slowest if at == 0 else 0.0}) for at, row in enumerate(rows)]
    if task.form == "restated":
        rows.append(_restating(task, basis))
    return ArenaPlan(rows=(*rows, *(_judging(task, ModelName.parse(name), basis) for name in task.judges)))


def pairs_of(task: ArenaTask) -> int:
    """The largest number of pairs that the schedule may choose."""
    entrants = len(task.entrants)
    of_topic = entrants - 1 if task.schedule == "reference" else comb(entrants, 2)
    pairs = of_topic * len(task.topics)
    return pairs if task.most_pairs is None else min(pairs, task.most_pairs)


def averages_in(ledger: Ledger, entrants: Sequence[Entrant]) -> dict[str, IdeaAverage]:
    """By entrant, what its method took with the same options in earlier arenas; without those that never worked."""
    entries: dict[str, list[ArenaEntry]] = {}
    arenas = (record for record in ledger.runs() if record.kind == "arena")
    for record, _ in zip(arenas, range(MOST_ARENAS), strict=False):
        try:
            made_by = {each.name: each for each in ArenaTask.model_validate(record.params["assignment"]).entrants}
            events = (event for _, event in ledger.events(record.id))
            recorded = list(recorded_in(events, ENTRY, "entry", ArenaEntry, "entries"))
        except (BadInput, ValueError, KeyError):
            continue  # of another version
        for entrant in entrants:
            alike = {name for name, each in made_by.items() if _alike(each, entrant)}
            entries.setdefault(entrant.name, []).extend(
                each for each in recorded if each.entrant in alike and each.idea is not None and each.cost.calls
            )
    return {name: _average(found) for name, found in entries.items() if found}


def _alike(one: Entrant, other: Entrant) -> bool:
    return bool(one.method) and one.method == other.method and one.options == other.options


def _average(entries: Sequence[ArenaEntry]) -> IdeaAverage:
    total, ideas = sum_costs(each.cost for each in entries), len(entries)
    mean = {name: value / ideas for name, value in total.model_dump().items()}
    whole = {name: round(value) if isinstance(getattr(total, name), int) else value for name, value in mean.items()}
    return IdeaAverage(cost=Cost(**whole), seconds=sum(each.seconds for each in entries) / ideas, ideas=ideas)


def _ideas(entrant: Entrant, topics: int, basis: PlanBasis) -> ArenaPlanRow:
    work, writer = f"ideas of {entrant.name}", basis.roles.writer
    if average := (basis.averages or {}).get(entrant.name):
        cost = average.cost
        return ArenaPlanRow(
            work=work, model=writer.short, calls=cost.calls * topics, prompt_tokens=cost.prompt_tokens * topics,
            completion_tokens=cost.completion_tokens * topics, usd=None if cost.usd_unknown else cost.usd * topics,
            seconds=average.seconds * ceil(topics / basis.at_once(writer)),
            basis=f"average of {average.ideas} earlier ideas",
        )  # fmt: skip
    return _ideas_by_table(entrant, topics, basis)


def _ideas_by_table(entrant: Entrant, topics: int, basis: PlanBasis) -> ArenaPlanRow:
    work, writer = f"ideas of {entrant.name}", basis.roles.writer
    found = estimate_run(entrant.method, _effort_of(entrant), basis.roles, basis.prices, topics)
    if found is None:
        unknown = dict.fromkeys(("calls", "prompt_tokens", "completion_tokens", "usd"))
        return ArenaPlanRow(work=work, model=writer.short, seconds=0.0, basis="not measured", **unknown)
    share = float(str(entrant.options.get("branches", _CHAINS))) / _CHAINS
    pace = found.seconds * ceil(topics / basis.at_once(writer))
    return ArenaPlanRow(
        work=work,
        model=writer.short,
        calls=round(share * found.calls),
        prompt_tokens=round(share * found.prompt_tokens),
        completion_tokens=round(share * found.answer_tokens),
        usd=None if found.unpriced else share * found.usd,
        seconds=max(pace, _duration(share * found.calls, share * found.answer_tokens, basis.at_once(writer))),
        basis=f"measured with a scripted model, {found.effort or 'default options'}, with the experiment",
    )


def _effort_of(entrant: Entrant) -> str:
    """The effort whose options the entrant has; empty: none."""
    if not has_effort(entrant.method):
        return ""
    levels = [(level, options.items()) for level in LEVELS if (options := effort_options(entrant.method, level))]
    given = {name: str(value) for name, value in entrant.options.items()}
    fitting = (level for level, options in levels if all(given.get(name) == str(each) for name, each in options))
    return next(fitting, "")


def _restating(task: ArenaTask, basis: PlanBasis) -> ArenaPlanRow:
    ideas = len(task.topics) * len(task.entrants)
    read = ideas * (_RESTATING + _USUAL_WORDS * TOKENS_PER_WORD)
    return _row("restating ideas", basis.roles.writer, ideas, read, ideas * task.words * TOKENS_PER_WORD, basis)


def _judging(task: ArenaTask, judge: ModelName, basis: PlanBasis) -> ArenaPlanRow:
    calls = 2 * pairs_of(task) * len(task.kinds)
    read = calls * (_JUDGING + 2 * (task.words or _USUAL_WORDS) * TOKENS_PER_WORD)
    return _row("judging", judge, calls, read, calls * _VERDICTS, basis)


def _row(work: str, model: ModelName, calls: int, read: float, written: float, basis: PlanBasis) -> ArenaPlanRow:
    return ArenaPlanRow(
        work=work, model=model.short, calls=calls, prompt_tokens=round(read), completion_tokens=round(written),
        usd=basis.prices.usd(model, round(read), round(written)),
        seconds=_duration(calls, written, basis.at_once(model)), basis="lengths of prompts and answers",
    )  # fmt: skip


def _duration(calls: float, written: float, at_once: int) -> float:
    """Seconds, with so many calls at once."""
    return (calls * SECONDS_TO_FIRST_TOKEN + written / TOKENS_PER_SECOND) / min(at_once, max(calls, 1))
