"""The account of one run, as a process that works on it sees and changes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from novum.ledger.accounts import NOTHING, AccountHandler, CallCost, Change, Reservation, ReservationResult, Verdict
from novum.ledger.writer import GroupWriter

_POLL = 0.25
"""Seconds between two looks at what other processes have reserved."""


class RunAccount:
    """What the requests of a run cost."""

    def __init__(
        self, run_id: str, writer: GroupWriter, handler: AccountHandler, open_totals: Callable[[str], CallCost]
    ) -> None:
        """`open_totals` takes in the calls of a run that were recorded without an account, and returns its total."""
        self._run_id = run_id
        self._writer = writer
        self._handler = handler
        self._open_totals = open_totals
        self._changed: asyncio.Event | None = None
        self.changes = 0
        """Grows with every change by this process."""

    def total(self) -> CallCost:
        """What the run has spent and reserved. Calls that were recorded without an account are taken in."""
        self._writer.catch_up()
        return self._open_totals(self._run_id)

    async def reserve(self, worst: CallCost, fits: Callable[[CallCost], bool]) -> ReservationResult:
        """Sets `worst` aside if the total still `fits`; the reservation is committed when this returns."""
        reservation = Reservation(self._run_id, worst, fits)
        result = await self._writer.write_or_undo((self._handler, reservation), lambda done: self._undo(done, worst))
        assert isinstance(result, ReservationResult)
        return result

    def change_soon(self, *, reserved: CallCost = NOTHING, unanswered: CallCost = NOTHING) -> None:
        """Queues a change."""
        change = self.change(reserved=reserved, unanswered=unanswered)
        self._writer.write_soon((self._handler, change))

    def change(
        self, *, reserved: CallCost = NOTHING, unanswered: CallCost = NOTHING, answered: CallCost = NOTHING
    ) -> Change:
        """A change that is to be written now."""
        self.changes += 1
        if self._changed is not None:
            self._changed.set()
            self._changed = None
        return Change(self._run_id, answered, unanswered, reserved)

    async def changed(self, seen: int) -> None:
        """Returns when this process has changed the account since `changes` was `seen`, or after a short while: other
        processes change it too."""
        if self.changes != seen:
            return
        if self._changed is None:
            self._changed = asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL):
                await self._changed.wait()

    def _undo(self, done: ReservationResult, worst: CallCost) -> list[tuple[AccountHandler, Change]]:
        granted = done.verdict is Verdict.GRANTED
        return [(self._handler, self.change(reserved=NOTHING - worst))] if granted else []
