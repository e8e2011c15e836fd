"""What the requests of a run cost, by process: answered, without an answer, and reserved for requests under way.

A reservation is committed before its request is sent, so that a process that is killed leaves it behind: what it had
reserved counts as spent. All processes that work on a run see each other's reservations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

import orjson

from novum.ledger.records import Call
from novum.ledger.transaction import Statements, repeated
from novum.ledger.workers import Worker, living

Kind = Literal["answered", "unanswered", "reserved"]
BEFORE = ""
"""Stands in the place of a process for calls that were recorded without an account, by an earlier Novum."""


@dataclass(frozen=True)
class CallCost:
    """What a call costs, or at worst may cost."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 1

    def __add__(self, other: CallCost) -> CallCost:
        return CallCost(self.usd + other.usd, self.tokens + other.tokens, self.calls + other.calls)

    def __sub__(self, other: CallCost) -> CallCost:
        return CallCost(self.usd - other.usd, self.tokens - other.tokens, self.calls - other.calls)


NOTHING = CallCost(calls=0)


BYTES_PER_TOKEN = 1
"""Of UTF-8, at least: tokenizers fall back to bytes, in scripts that they were not trained on, formulas and codes."""


def cost_of(call: Call) -> CallCost:
    """What an answered call cost, as far as it is known. Tokens that were not reported count at their highest."""
    known = call.prompt_tokens, call.completion_tokens
    return CallCost(call.usd or 0.0, _tokens(*known, call.messages, call.settings))


def _tokens(prompt: int | None, completion: int | None, messages: str, settings: str) -> int:
    highest = len(messages.encode()) // BYTES_PER_TOKEN if prompt is None else prompt
    if completion is not None:
        return highest + completion
    limit = orjson.loads(settings).get("max_tokens")
    return highest + (limit if isinstance(limit, int) else 0)


@dataclass(frozen=True)
class Change:
    """Adds to what a run has in its account; a request that ends gives back its reservation."""

    run_id: str
    answered: CallCost = NOTHING
    unanswered: CallCost = NOTHING
    reserved: CallCost = NOTHING


@dataclass(frozen=True)
class Reservation:
    """Sets `worst` aside for one request, if then the total of the run still `fits`."""

    run_id: str
    worst: CallCost
    fits: Callable[[CallCost], bool]


class Verdict(Enum):
    """What came of a reservation."""

    GRANTED = "granted"
    WAIT = "wait"
    """It may fit when requests that are under way have ended."""
    SPENT = "spent"


@dataclass(frozen=True)
class ReservationResult:
    """A verdict, and what the run has spent for good when it was given."""

    verdict: Verdict
    spent: CallCost


Accounts = dict[tuple[str, Kind], CallCost]
"""By worker and kind."""


class AccountHandler:
    """Writes the accounts of runs."""

    rank = 0

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._known: dict[str, Accounts] = {}
        """What this process has in the account of each run. Nobody else changes that, so it is read once."""

    def forget(self) -> None:
        """A transaction was undone: what is known of it is not true."""
        self._known.clear()

    def apply(self, tx: Statements, payloads: Sequence[Change | Reservation]) -> Sequence[ReservationResult | None]:
        """Carries these out in order. A reservation that does not fit changes nothing."""
        results: list[ReservationResult | None] = [None] * len(payloads)
        for run_id in sorted({each.run_id for each in payloads}):
            numbers = [number for number, each in enumerate(payloads) if each.run_id == run_id]
            own, others = self._read(tx, run_id, any(isinstance(payloads[each], Reservation) for each in numbers))
            before = dict(own)
            for number in numbers:
                results[number] = self._apply_one(tx, payloads[number], own, others)
            write_accounts(tx, run_id, {place: cost for place, cost in own.items() if before.get(place) != cost})
            self._known[run_id] = own
        return results

    def _read(self, tx: Statements, run_id: str, with_others: bool) -> tuple[Accounts, Accounts]:
        """The account of this process, and those of others where they are needed to decide on a reservation."""
        if not with_others and run_id in self._known:
            return dict(self._known[run_id]), {}
        if with_others and not tx.is_sqlite:  # one process at a time decides; SQLite has only one writer anyway
            tx.run("SELECT id FROM runs WHERE id = ? FOR NO KEY UPDATE", (run_id,))
        accounts = accounts_of(tx, run_id)
        own = {place: cost for place, cost in accounts.items() if place[0] == self._worker.id}
        return own, {place: cost for place, cost in accounts.items() if place not in own}

    def _apply_one(
        self, tx: Statements, payload: Change | Reservation, own: Accounts, others: Accounts
    ) -> ReservationResult | None:
        if isinstance(payload, Change):
            self._add(own, "answered", payload.answered)
            self._add(own, "unanswered", payload.unanswered)
            self._add(own, "reserved", payload.reserved)
            return None
        total = _sum([*own.values(), *others.values()])
        if payload.fits(total + payload.worst):
            self._add(own, "reserved", payload.worst)
            return ReservationResult(Verdict.GRANTED, total)
        spent = total - under_way(tx, own | others)
        may_fit = spent != total and payload.fits(spent + payload.worst)
        return ReservationResult(Verdict.WAIT if may_fit else Verdict.SPENT, spent)

    def _add(self, accounts: Accounts, kind: Kind, cost: CallCost) -> None:
        if cost is not NOTHING:
            place: tuple[str, Kind] = (self._worker.id, kind)
            accounts[place] = accounts.get(place, NOTHING) + cost


_PUT = """INSERT INTO accounts (run_id, worker, kind, calls, tokens, usd) VALUES ...
ON CONFLICT (run_id, worker, kind) DO UPDATE SET calls = excluded.calls, tokens = excluded.tokens, usd = excluded.usd"""


def accounts_of(tx: Statements, run_id: str) -> Accounts:
    """The accounts of a run."""
    rows = tx.run("SELECT worker, kind, usd, tokens, calls FROM accounts WHERE run_id = ?", (run_id,))
    return {(worker, kind): CallCost(*cost) for worker, kind, *cost in rows}


def write_accounts(tx: Statements, run_id: str, accounts: Mapping[tuple[str, Kind], CallCost]) -> None:
    """Puts these in the place of what a run has under the same worker and kind."""
    if not accounts:
        return
    values = [
        value
        for (worker, kind), cost in accounts.items()
        for value in (run_id, worker, kind, cost.calls, cost.tokens, cost.usd)
    ]
    tx.run(repeated(_PUT, len(accounts), "(?, ?, ?, ?, ?, ?)"), values)


def under_way(tx: Statements, accounts: Accounts) -> CallCost:
    """What processes that are alive have reserved: it becomes less when their requests end."""
    reserved = {worker: cost for (worker, kind), cost in accounts.items() if kind == "reserved" and cost.calls > 0}
    alive = living(tx, reserved)
    return _sum(cost for worker, cost in reserved.items() if worker in alive)


@dataclass(frozen=True)
class UnsettledRequests:
    """Requests of a run without a recorded answer. The budget counts both kinds at their highest possible cost."""

    under_way: int
    """Of processes that are alive: an answer may come."""
    spent: int
    """Sent without an answer, or reserved by a process that has ended and perhaps sent."""


def unsettled_of(tx: Statements, run_id: str) -> UnsettledRequests:
    """The requests of a run without a recorded answer."""
    accounts = accounts_of(tx, run_id)
    alive = under_way(tx, accounts)
    total = _sum(cost for (_, kind), cost in accounts.items() if kind != "answered")
    return UnsettledRequests(alive.calls, total.calls - alive.calls)


def open_accounts(tx: Statements, run_id: str) -> CallCost:
    """What a run has spent and reserved. Calls that were recorded without an account are taken in."""
    accounts = accounts_of(tx, run_id)
    [(usd, tokens, calls)] = tx.run(
        "SELECT sum(usd), sum(prompt_tokens + completion_tokens), count(*) FROM calls WHERE run_id = ?", (run_id,)
    )
    paid = CallCost(usd or 0.0, int(tokens or 0) + _unreported_tokens(tx, run_id), calls)
    known = _sum(cost for (_, kind), cost in accounts.items() if kind == "answered")
    if paid.calls > known.calls:
        lacking = paid - known
        missing = CallCost(max(lacking.usd, 0.0), max(lacking.tokens, 0), lacking.calls)
        accounts[(BEFORE, "answered")] = accounts.get((BEFORE, "answered"), NOTHING) + missing
        write_accounts(tx, run_id, {(BEFORE, "answered"): accounts[(BEFORE, "answered")]})
    return _sum(accounts.values())


def _unreported_tokens(tx: Statements, run_id: str) -> int:
    """The highest possible tokens of those calls of a run of which a server did not report both numbers."""
    rows = tx.run(
        "SELECT prompt_tokens, completion_tokens, messages, settings FROM calls WHERE run_id = ? AND "
        "(prompt_tokens IS NULL OR completion_tokens IS NULL)",
        (run_id,),
    )
    return sum(_tokens(*row) for row in rows)


def _sum(costs: Iterable[CallCost]) -> CallCost:
    return sum(costs, NOTHING)
