"""The state of a client with one service: its key, its pace, its retries, and whether it is disabled."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, quote_plus

from novum.errors import SourceError
from novum.literature.importing.cleaning import clean_text, without_markup
from novum.literature.sources.source import Source, key_of

GONE = frozenset({404, 410})
_REFUSED = frozenset({401, 403})
_RETRIED = frozenset({408, 425})
FailureKind = Literal["refused", "not connected", "hung", "unreadable"]
_TRIES: Mapping[FailureKind, int] = {"refused": 7, "not connected": 3, "hung": 3, "unreadable": 3}
"""Fewer where nothing comes at all, or nothing that can be read: more seldom helps, and the user wants to know."""
LONGEST_REFUSAL, _LONGEST_MESSAGE = 65_536, 160
"""Bytes of a refusal that are read; characters of it that are shown."""
_MESSAGE = re.compile(r'"(?:message|error|detail|reason)"\s*:\s*"((?:[^"\\]|\\.){1,400})"')


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

    @property
    def is_rate_limited(self) -> bool:
        """Whether there were too many requests, which OpenAlex also reports as 403."""
        return self.status == 429 or (self.status == 403 and "rate limit" in self.message.lower())

    @property
    def is_temporary(self) -> bool:
        """Whether another try may succeed."""
        return self.is_rate_limited or self.status == 0 or self.status >= 500 or self.status in _RETRIED

    def __str__(self) -> str:
        return ": ".join(filter(None, (str(self.status or ""), self.message))) or "no answer"


class RateLimitState:
    """What one client knows of one service. `clock` gives seconds that only grow."""

    def __init__(
        self,
        source: Source,
        environment: Mapping[str, str],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self.source = source
        key = key_of(source, environment)
        self.key_name, self.key = (key.name, key.key) if key else ("", "")
        self.in_flight = asyncio.Semaphore(source.rate_limits.at_once)
        self._pause = source.rate_limits.pause_with_key if self.key else source.rate_limits.pause
        self._clock = clock
        self._sleep = sleep
        self._next = clock()
        self._waited = 0.0
        self._random = random.Random(source.name)  # noqa: S311 - spreads tries in time, guards nothing
        self._disabled_by: SourceError | None = None

    @property
    def is_disabled(self) -> bool:
        """Whether nothing more is sent to the service."""
        return self._disabled_by is not None

    def check(self) -> None:
        """Raises SourceError when the service is disabled."""
        if self._disabled_by:
            raise SourceError(str(self._disabled_by))

    async def wait_for_turn(self) -> None:
        """Waits until the pace of the service allows another request."""
        start = max(self._clock(), self._next)
        self._next = start + self._pause
        while (wait := start - self._clock()) > 0:
            await self._sleep(wait)

    def succeeded(self) -> None:
        """Records a success: the time waited after failures is counted from 0 again."""
        self._waited = 0.0

    def failed(self, failure: FailedRequest, tries: int) -> None:
        """Delays the next try after `tries` failures in a row. Raises SourceError when there must be no next try."""
        if failure.status in _REFUSED and not failure.is_rate_limited:
            raise self.disable(self._about_the_key(failure))
        if not failure.is_temporary:
            raise self.error(f"{self.source.title} cannot answer this ({failure}): ask differently, or leave it out.")
        wait = self._backoff(tries) if failure.wait is None else failure.wait
        if tries >= _TRIES[failure.kind]:
            if failure.kind == "unreadable":  # of another request it may be readable
                raise self.error(self._about_reading(failure, tries))
            raise self.disable(self._about_waiting(failure, f"{tries} times in a row"))
        if self._waited + wait > self.source.rate_limits.patience:
            raise self.disable(self._about_waiting(failure, f"and would have us wait {_duration(wait)}"))
        self._waited += wait
        self._next = max(self._next, self._clock() + wait)

    def disable(self, message: str) -> SourceError:
        """Sends the service nothing more. Returns the error to raise."""
        self._disabled_by = self.error(message)
        return self._disabled_by

    def error(self, message: str) -> SourceError:
        """An error whose message does not show the key."""
        return SourceError(self._without_key(message))

    def message_in(self, body: bytes) -> str:
        """The message of a refusal, on one line. The key is taken out first: half of it would not be recognised."""
        text = self._without_key(body[:LONGEST_REFUSAL].decode("utf-8", "replace"))
        match = _MESSAGE.search(text)
        return without_markup(clean_text(match.group(1) if match else text))[:_LONGEST_MESSAGE]

    def _without_key(self, text: str) -> str:
        in_json = self.key.replace("/", "\\/")
        for secret in filter(None, (self.key, in_json, quote(self.key), quote_plus(self.key))):
            text = text.replace(secret, "…")
        return text

    def _backoff(self, tries: int) -> float:
        """Seconds: doubled with each try, with some randomness."""
        return float(2 ** (tries - 1)) * self._random.uniform(1.0, 1.5)

    def _about_the_key(self, failure: FailedRequest) -> str:
        title, names = self.source.title, self.source.key_names
        if self.key:
            return f"{title} refused the key in {self.key_name} ({failure}): correct or remove it, or leave it out."
        if names:
            return f"{title} wants a key ({failure}): set {names[0]}, or continue with other sources."
        return f"{title} refused us ({failure}): try again later, or continue with other sources."

    def _about_reading(self, failure: FailedRequest, tries: int) -> str:
        return (
            f"{self.source.title} answered {tries} times with something unreadable ({failure}): try again later, or "
            "continue with other sources."
        )

    def _about_waiting(self, failure: FailedRequest, how: str) -> str:
        title, names = self.source.title, self.source.key_names
        if failure.kind == "not connected":
            return f"{title} cannot be reached ({failure}): check the network and proxy, or use other sources."
        key = f"set {names[0]}, " if names and not self.key and failure.is_rate_limited else ""
        verb = "refused us" if failure.is_rate_limited else "failed"
        return f"{title} {verb} {how} ({failure}): {key}try again later, or continue with other sources."


def _duration(seconds: float) -> str:
    """`40 s`, `12 min`, `9 h`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
