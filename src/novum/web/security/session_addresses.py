"""Passwords in addresses of models, apart for each browser session: no run of one person uses those of another."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from novum.credentials.addresses import AddressMemory, remembered_apart

_MOST = 1_000
"""Sessions of which something is remembered; the one that was away longest is forgotten first."""


class SessionAddresses:
    """What each session has given, as long as the server lives."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, AddressMemory] = OrderedDict()
        self._requests: Counter[str] = Counter()
        """Of each session, those that are under way."""

    @contextmanager
    def of(self, session: str) -> Iterator[None]:
        """Within, addresses are remembered for this session alone."""
        memory = self._of.setdefault(session, {})
        self._of.move_to_end(session)
        self._requests[session] += 1
        try:
            with remembered_apart(memory):
                yield
        finally:
            self._requests[session] -= 1
            if not self._requests[session]:
                del self._requests[session]
                if not memory:  # else a session that gave nothing would take the place of one that did
                    self._of.pop(session, None)
            while len(self._of) > _MOST:
                self._of.popitem(last=False)
