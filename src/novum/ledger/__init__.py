"""The durable record of everything asked, answered and decided; a run that died is replayed from it."""

from novum.ledger.ledger import Ledger
from novum.ledger.records import Call, Event, RunRecord, RunStatus, Share
from novum.ledger.run import Run

__all__ = ["Call", "Event", "Ledger", "Run", "RunRecord", "RunStatus", "Share"]
