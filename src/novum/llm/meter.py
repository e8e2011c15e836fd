"""What counts the HTTP requests of one call: asked before each of them, and informed of how it ended."""

from __future__ import annotations

from enum import Enum
from typing import Protocol


class Outcome(Enum):
    """How one HTTP request ended, as far as its cost is concerned."""

    NOT_SENT = "not sent"
    """Nothing reached the server: no address, or the connection was refused. It costs nothing."""
    REFUSED = "refused"
    """The server answered with a status of 400 to 499. It counts as a call that used no tokens."""
    LOST = "lost"
    """It was sent and brought no answer: a cut connection, a status of 500 or more, a web page, a time limit. The
    server may have done the work, so it counts at its highest possible cost."""
    ANSWERED = "answered"
    """A reply that could be parsed."""


class RequestMeter(Protocol):
    """Counts the HTTP requests of one call."""

    async def begin(self) -> None:
        """Awaited right before each HTTP request, also before retries. Raises BudgetSpent when the budget does not
        allow another one."""

    def end(self, outcome: Outcome) -> None:
        """Called once after each `begin`. A request that is not ended counts as LOST."""


class Unmetered:
    """A meter that counts nothing."""

    async def begin(self) -> None:
        """Allows every request."""

    def end(self, outcome: Outcome) -> None:
        """Ignores the outcome."""


UNMETERED: RequestMeter = Unmetered()
