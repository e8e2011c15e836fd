"""What runs have used: sums over their calls, in the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, case, func, select

from novum.core import Spend
from novum.ledger import schema
from novum.ledger.records import Share, StepCost


def used_numbers(run_id: str) -> Select[Any]:
    """The numbers of the calls whose answers a run used: its own, else the first to the same question."""
    c, uses = schema.calls.c, schema.uses.c
    own = func.min(case((c.run_id == run_id, c.number)))
    used = select(func.coalesce(own, func.min(c.number))).join(schema.uses, uses.key == c.key)
    return used.where(uses.run_id == run_id).group_by(c.key)


def shares_of(connection: Connection, run_id: str) -> list[Share]:
    """What the answers that a run used took, by model and prompt."""
    c = schema.calls.c
    sums = [func.coalesce(func.sum(each), 0).label(each.name) for each in (c.prompt_tokens, c.completion_tokens)]
    sums += [func.coalesce(func.sum(each), 0.0).label(each.name) for each in (c.seconds, c.usd)]
    sums += [func.coalesce(func.sum(each), 0.0).label(each.name) for each in (c.energy_kwh, c.co2_kg)]
    unknown = [(func.count() - func.count(c.usd)).label("usd_unknown")]
    unknown += [(func.count() - func.count(c.co2_kg)).label("footprint_unknown")]
    query = select(c.model, c.prompt, func.count().label("calls"), *sums, *unknown)
    query = query.where(c.number.in_(used_numbers(run_id))).group_by(c.model, c.prompt).order_by(c.model, c.prompt)
    return [Share(**row._asdict()) for row in connection.execute(query)]


def spend_of(connection: Connection, run_id: str) -> Spend:
    """What a run has used so far."""
    c = schema.calls.c
    sums = [
        func.count(),
        func.sum(c.prompt_tokens),
        func.sum(c.completion_tokens),
        func.sum(c.usd),
        func.count(c.usd),
    ]
    sums += [func.sum(c.energy_kwh), func.sum(c.co2_kg), func.count(c.co2_kg)]
    uses = select(func.count()).where(schema.uses.c.run_id == run_id)
    failed = select(func.count()).where(schema.events.c.run_id == run_id, schema.events.c.kind == "no-answer")
    paid, prompt, completion, usd, priced, kwh, co2, footed = connection.execute(
        select(*sums).where(c.run_id == run_id)
    ).one()
    used, unusable = connection.execute(uses).scalar_one(), connection.execute(failed).scalar_one()
    return Spend(
        calls=max(used, paid),
        reused=max(used - paid, 0),
        failed=unusable,
        prompt_tokens=prompt or 0,
        completion_tokens=completion or 0,
        usd=usd or 0.0,
        usd_unknown=paid - priced,
        energy_kwh=kwh or 0.0,
        co2_kg=co2 or 0.0,
        footprint_unknown=paid - footed,
    )


def step_costs_of(connection: Connection, run_id: str) -> list[StepCost]:
    """What the calls that a run paid for took, by the step in which they were sent."""
    c = schema.calls.c
    sums = [func.coalesce(func.sum(each), 0) for each in (c.prompt_tokens, c.completion_tokens)]
    query = select(
        c.step, func.count().label("calls"), (sums[0] + sums[1]).label("tokens"),
        func.coalesce(func.sum(c.usd), 0.0).label("usd"), (func.count() - func.count(c.usd)).label("usd_unknown"),
    ).where(c.run_id == run_id).group_by(c.step)  # fmt: skip
    return [StepCost(**row._asdict()) for row in connection.execute(query)]
