"""Failed requests, and what is said of them: what happened, in the words of the service, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from novum.literature.services.service_budget import ServiceBudget, clock_time, dollars
from novum.literature.sources.source import Source

_RETRIED = frozenset({408, 425})
FailureKind = Literal["refused", "not connected", "hung", "unreadable", "web page"]


@dataclass(frozen=True)
class FailedRequest:
    """Why a request failed."""

    status: int = 0
    """HTTP status; 0 when there was no response."""
    message: str = ""
    """In the words of the service or of the network."""
    wait: float | None = None
    """Seconds that the service asks the client to wait."""
    kind: FailureKind = "refused"
    """`refused` also when the connection was lost."""
    over_budget: bool = False
    """Whether the service refused because the rest of the budget does not pay for the request."""
    other_host: str = ""
    """The computer that refused, where a redirect led to another server than the service's own."""

    @property
    def is_rate_limited(self) -> bool:
        """Whether there were too many requests, which OpenAlex also reports as 403."""
        return self.status == 429 or (self.status == 403 and "rate limit" in self.message.lower())

    @property
    def is_temporary(self) -> bool:
        """Whether another try may succeed."""
        return self.is_rate_limited or self.status == 0 or self.status >= 500 or self.status in _RETRIED

    @property
    def without_host(self) -> FailedRequest:
        """The same, for a sentence that names the other computer."""
        return replace(self, other_host="")

    def __str__(self) -> str:
        who = f" from {self.other_host}" if self.other_host else ""
        return ": ".join(filter(None, (f"{self.status or ''}{who}".strip(), self.message))) or "no answer"


@dataclass(frozen=True)
class FailureMessages:
    """Messages about one service for one user, each one line that may still show the key."""

    source: Source
    key_name: str
    """The variable that holds the key; empty without one."""
    has_contact: bool

    def about_the_request(self, failure: FailedRequest) -> str:
        """One that the service cannot answer."""
        return f"{self.source.title} cannot answer this ({failure}): ask differently, or leave it out."

    def about_the_key(self, failure: FailedRequest) -> str:
        title, names = self.source.title, self.source.key_names
        if failure.other_host:
            return (
                f"{title} redirects us to {failure.other_host}, which refused us ({failure.without_host}): try again "
                "later, or continue with other sources."
            )
        if self.key_name:
            return f"{title} refused the key in {self.key_name} ({failure}): correct or remove it, or leave it out."
        if names:
            return f"{title} wants a key ({failure}): {self._advice(failure.message)}or continue with other sources."
        return f"{title} refused us ({failure}): try again later, or continue with other sources."

    def about_reading(self, failure: FailedRequest, how: str) -> str:
        return (
            f"{self.source.title} answered {how.removesuffix(' in a row')} with something unreadable ({failure}): try "
            "again later, or continue with other sources."
        )

    def about_waiting(self, failure: FailedRequest, how: str) -> str:
        title = self.source.title
        if failure.kind == "not connected":
            return f"{title} cannot be reached ({failure}): check the network and proxy, or use other sources."
        if failure.kind == "web page":
            return (
                f"{title} did not answer itself ({failure}): check the proxy and whether the network wants you to sign "
                "in, or continue with other sources."
            )
        verb = "refused us" if failure.is_rate_limited else "failed"
        when = f"try again in {duration(failure.wait)}" if failure.wait else "try again later"
        advice = self._advice(failure.message) if failure.is_rate_limited else ""
        return f"{title} {verb} {how} ({failure}): {advice}{when}, or continue with other sources."

    def about_spent(self, failure: FailedRequest, budget: ServiceBudget | None, now: float) -> str:
        """The service's own sentence, and when it answers again."""
        words = failure.message.rstrip(". ") or "the budget is spent"
        return f"{self.source.title}: {words}{_until_reset(budget, now, words)}. {self._what_to_do()}"

    def about_the_budget(self, budget: ServiceBudget, cost: float, reserve: float, now: float) -> str:
        """A request that was not sent."""
        kept = f"; the last {dollars(reserve)} are kept for later requests: one" if reserve else ": a request"
        return (
            f"{self.source.title} has {budget}{kept} that costs {dollars(cost)} was not sent"
            f"{_until_reset(budget, now)}. {self._what_to_do()}"
        )

    def _what_to_do(self) -> str:
        advice = self._advice()
        first = f"{advice[0].upper()}{advice[1:]}" if advice else "Wait until then, "
        return f"{first}or continue with other sources."

    def _advice(self, words: str = "") -> str:
        """What gets more answers, a key or an e-mail address; empty when the user has it. The page where a key is to be
        had is named unless it is in the service's own `words`."""
        if self.source.wants_contact:
            return "" if self.has_contact else "give your e-mail address (setting `contact`) for faster answers, "
        if self.key_name or not self.source.key_names:
            return ""
        page = "" if self.source.key_page in words else self.source.key_page
        offer = ": ".join(filter(None, (self.source.key_offer, page)))
        return f"set {self.source.key_names[0]}{f' ({offer})' if offer else ''}, "


def _until_reset(budget: ServiceBudget | None, now: float, words: str = "") -> str:
    """When the whole budget is there again, as far as the service's own `words` do not say so."""
    left = budget.seconds_to_reset(now) if budget else None
    if left is None:
        return ""
    said = "" if "reset" in words.lower() else f"; it resets at {clock_time(now + left)}"
    return f"{said} (in {duration(left)})"


def tried(tries: int) -> str:
    """`once`, `3 times`."""
    return "once" if tries == 1 else f"{tries} times"


def duration(seconds: float) -> str:
    """`40 s`, `12 min`, `9 h`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
