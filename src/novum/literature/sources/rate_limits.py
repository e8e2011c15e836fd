"""How we stand with one service: our key, its pace, our patience, and why it was set aside, if it was."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

from novum.errors import SourceError
from novum.literature.importing.cleaning import clean_text, without_markup
from novum.literature.sources.source import Source, key_of

GONE = frozenset({404, 410})
_REFUSED = frozenset({401, 403})
_WORTH_ANOTHER_TRY = frozenset({408, 425})
_TRIES = 7
_TRIES_TO_CONNECT = 3
"""Where nobody answers at all, waiting longer seldom helps, and the user wants to know."""
_LONGEST_REFUSAL, _LONGEST_WORDS = 65_536, 160
_MESSAGE = re.compile(r'"(?:message|error|detail|reason)"\s*:\s*"((?:[^"\\]|\\.){1,400})"')


@dataclass(frozen=True)
class FailedRequest:
    """Why a request brought nothing."""

    status: int = 0
    """Of the answer; 0: there was none."""
    said: str = ""
    """In the words of the service, or of the network."""
    wait: float | None = None
    """Seconds that the service asks for."""
    connected: bool = True

    @property
    def limited(self) -> bool:
        """Whether we asked too often, which OpenAlex says by 403 too."""
        return self.status == 429 or (self.status == 403 and "rate limit" in self.said.lower())

    @property
    def passing(self) -> bool:
        """Whether another try may help."""
        return self.limited or self.status == 0 or self.status >= 500 or self.status in _WORTH_ANOTHER_TRY

    def __str__(self) -> str:
        return ": ".join(filter(None, (str(self.status or ""), self.said))) or "no answer"


class RateLimitState:
    """Of one visitor with one service. `clock` gives seconds that only grow."""

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
        self.in_flight = asyncio.Semaphore(source.manners.at_once)
        self._pause = source.manners.pause_with_key if self.key else source.manners.pause
        self._clock = clock
        self._sleep = sleep
        self._next = clock()
        self._waited = 0.0
        self._random = random.Random(source.name)  # noqa: S311 - spreads tries in time, guards nothing
        self._aside: SourceError | None = None

    @property
    def is_aside(self) -> bool:
        return self._aside is not None

    def check(self) -> None:
        """Raises SourceError when the service was set aside."""
        if self._aside:
            raise SourceError(str(self._aside))

    async def turn(self) -> None:
        """Wait until the service may be asked again."""
        begin = max(self._clock(), self._next)
        self._next = begin + self._pause
        while (wait := begin - self._clock()) > 0:
            await self._sleep(wait)

    def answered(self) -> None:
        """It did what was asked: our patience is whole again."""
        self._waited = 0.0

    def bear(self, trouble: FailedRequest, tries: int) -> None:
        """Put the next turn off, `tries` having failed. Raises SourceError when there shall be no next try."""
        if trouble.status in _REFUSED and not trouble.limited:
            raise self.set_aside(self._about_the_key(trouble))
        if not trouble.passing:
            raise self.error(f"{self.source.title} cannot answer this ({trouble}): ask differently, or leave it out.")
        wait = self._longer(tries) if trouble.wait is None else trouble.wait
        if tries >= (_TRIES if trouble.connected else _TRIES_TO_CONNECT):
            raise self.set_aside(self._about_waiting(trouble, f"{tries} times in a row"))
        if self._waited + wait > self.source.manners.patience:
            raise self.set_aside(self._about_waiting(trouble, f"and would have us wait {_span(wait)}"))
        self._waited += wait
        self._next = max(self._next, self._clock() + wait)

    def set_aside(self, message: str) -> SourceError:
        """Ask it nothing more; the error to raise."""
        self._aside = self.error(message)
        return self._aside

    def error(self, message: str) -> SourceError:
        """An error without our key in it."""
        return SourceError(self._hidden(message))

    def in_its_words(self, body: bytes) -> str:
        """What an answer of refusal says, on one line; our key is taken out first, as half of it would not be found."""
        text = self._hidden(body[:_LONGEST_REFUSAL].decode("utf-8", "replace"))
        found = _MESSAGE.search(text)
        return without_markup(clean_text(found.group(1) if found else text))[:_LONGEST_WORDS]

    def _hidden(self, text: str) -> str:
        in_json = self.key.replace("/", "\\/")
        for secret in filter(None, (self.key, in_json, quote(self.key), quote_plus(self.key))):
            text = text.replace(secret, "…")
        return text

    def _longer(self, tries: int) -> float:
        """Twice as long each time, and never quite the same."""
        return float(2 ** (tries - 1)) * self._random.uniform(1.0, 1.5)

    def _about_the_key(self, trouble: FailedRequest) -> str:
        title, names = self.source.title, self.source.key_names
        if self.key:
            return f"{title} refused the key in {self.key_name} ({trouble}): correct or remove it, or leave it out."
        if names:
            return f"{title} wants a key ({trouble}): set {names[0]}, or go on with other sources."
        return f"{title} refused us ({trouble}): try again later, or go on with other sources."

    def _about_waiting(self, trouble: FailedRequest, how: str) -> str:
        title, names = self.source.title, self.source.key_names
        if not trouble.connected:
            return f"{title} cannot be reached ({trouble}): check the network and proxy, or go on with other sources."
        key = f"set {names[0]}, " if names and not self.key and trouble.limited else ""
        verb = "refused us" if trouble.limited else "failed"
        return f"{title} {verb} {how} ({trouble}): {key}try again later, or go on with other sources."


def _span(seconds: float) -> str:
    """`40 s`, `12 min`, `9 h`."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
