"""The durable record of all requests, answers and decisions; a run that was ended is replayed from it."""

from novum.ledger.claims import Claim, ClaimLost, ClaimResult
from novum.ledger.ledger import Ledger
from novum.ledger.records import Call, Event, RunRecord, RunStatus, Share, StepCost
from novum.ledger.run import Run

__all__ = [
    "Call", "Claim", "ClaimLost", "ClaimResult", "Event", "Ledger", "Run", "RunRecord", "RunStatus", "Share",
    "StepCost",
]  # fmt: skip
