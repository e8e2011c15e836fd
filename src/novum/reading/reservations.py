"""Which chain has which paper while several chains grow at once, so that they differ in most of their papers.

Chains grow in rounds. In each round every chain that still grows says which papers it would take, the best first. When
all have said so, the papers are given out in the order of the chains. So the outcome does not depend on which answers
of models and services come first, and no chain is built twice.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_SHARED = 0.4
"""Largest share of a chain's papers that other chains have too: two of five."""


@dataclass(frozen=True)
class PaperRequest:
    """What one end of a chain would take: ids of papers, the best first. `shared`: papers of other chains, because no
    other one was relevant."""

    paper_ids: tuple[str, ...] = ()
    shared: bool = False


@dataclass(frozen=True)
class _Turn:
    """What a chain says in one round: its requests, and the papers that it gives up."""

    requests: Sequence[PaperRequest]
    dropped: frozenset[str]
    granted: asyncio.Future[list[str | None]]


class PaperReservations:
    """The papers of `chains` chains, which are numbered from 0. `least`: the fewest papers that a chain should have;
    the share of shared papers is taken of this number while a chain is shorter.

    All chains must grow at the same time, each until it calls `leave`: a round waits for all of them.
    """

    def __init__(self, chains: int = 1, least: int = 1) -> None:
        self._least = least
        self._owners: dict[str, list[int]] = defaultdict(list)
        self._growing = set(range(chains))
        self._turns: dict[int, _Turn] = {}

    def reserve(self, chain: int, paper_id: str) -> None:
        """Gives a chain its anchor, before any chain grows."""
        if chain not in self._owners[paper_id]:
            self._owners[paper_id].append(chain)

    def is_free(self, paper_id: str) -> bool:
        """Whether no chain has the paper."""
        return not self._owners[paper_id]

    def may_be_shared(self, chain: int, paper_id: str) -> bool:
        """Whether one other chain has the paper, and both chains may share one more of their papers."""
        owners = self._owners[paper_id]
        return len(owners) == 1 and chain not in owners and all(self._may_share(each) for each in (chain, *owners))

    async def take(self, chain: int, requests: Sequence[PaperRequest], dropped: Iterable[str] = ()) -> list[str | None]:
        """For each request the best paper that the chain got; None where it got none. Waits for all growing chains.

        `dropped`: papers that the chain does not need any more, which are free before any are given out.
        """
        granted: asyncio.Future[list[str | None]] = asyncio.get_running_loop().create_future()
        self._turns[chain] = _Turn(requests, frozenset(dropped), granted)
        self._end_round()
        return await granted

    def leave(self, chain: int) -> None:
        """The chain has all its papers, or failed: nobody waits for it any more."""
        self._growing.discard(chain)
        self._end_round()

    def _end_round(self) -> None:
        """Gives out the papers when all growing chains have said what they would take."""
        if self._growing - self._turns.keys():
            return
        turns = sorted(self._turns.items())
        self._turns = {}
        for chain, turn in turns:
            for paper_id in turn.dropped:
                self._owners[paper_id] = [each for each in self._owners[paper_id] if each != chain]
        for chain, turn in turns:
            if not turn.granted.done():  # it is when its chain was cancelled
                turn.granted.set_result([self._granted(chain, request) for request in turn.requests])

    def _granted(self, chain: int, request: PaperRequest) -> str | None:
        for paper_id in request.paper_ids:
            if self.is_free(paper_id) or (request.shared and self.may_be_shared(chain, paper_id)):
                self._owners[paper_id].append(chain)
                return paper_id
        return None

    def _may_share(self, chain: int) -> bool:
        owners = [each for each in self._owners.values() if chain in each]
        shared = sum(len(each) > 1 for each in owners)
        return shared + 1 <= MOST_SHARED * max(len(owners), self._least)
