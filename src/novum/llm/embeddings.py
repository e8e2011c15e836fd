"""Vectors from an embedding model behind an OpenAI-compatible endpoint, for a library.

Requests during a run are calls of that run: they are recorded in its ledger and count against its budget. The vector of
a query is recorded too, so that a resumed run neither pays for it again nor gets another one; the vectors of papers are
in the library.
"""

from __future__ import annotations

import base64
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from novum.core import content_id
from novum.core.concurrency import run_concurrently
from novum.errors import BudgetSpent, LibraryError
from novum.ledger import Call, Run
from novum.ledger.accounts import BYTES_PER_TOKEN, NOTHING, CallCost
from novum.llm.budget import Budget, BudgetGuard, MeteredCall
from novum.llm.connections import Connections
from novum.llm.endpoint import CallOptions, Endpoint, Post
from novum.llm.prices import PriceTable, unknown_price
from novum.llm.providers import ModelName
from novum.llm.tries import AroundTry, TryRecord

Vectors = NDArray[np.float32]

BATCH = 96
"""Texts of one request."""
LONGEST = 20_000
"""Characters of a text that are sent: embedding models refuse what is far longer than their context."""
CHARACTERS_A_TOKEN = 4
"""Of English, for estimates."""
_LARGEST = 64 * 2**20
"""Bytes of a response."""
WIDEST = 8192
"""Numbers of a vector. Known models give at most 4096; the memory that a library takes to compare vectors grows with
the square of their length."""
_PROMPT = "embedding"
"""Stands for the prompt in the records of these calls."""


@dataclass(frozen=True)
class EmbeddingAccount:
    """The run that requests for vectors belong to."""

    run: Run
    budget: BudgetGuard
    prices: PriceTable


class RemoteEmbedder:
    """`name` is recorded with the vectors; `dimensions` is known from stored vectors or after the first answer."""

    def __init__(self, model: ModelName, connections: Connections, limit: SpendingLimit | None = None) -> None:
        """`limit`: what may be spent outside of runs; None: no limit."""
        self.model = model
        self.name = str(model)
        self.dimensions = 0
        self.tokens: int | None = 0
        """Tokens so far as the server counts them; None where it does not report them."""
        self.account: EmbeddingAccount | None = None
        """The run that pays; None outside of runs."""
        self.limit = limit or SpendingLimit(Budget(), PriceTable(), model)
        self._connections = connections
        self._queries: dict[str, Vectors] = {}

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, dimensions) vectors. Raises ModelUnreachable, ModelRefusedUs, CallFailed, BudgetSpent, or LibraryError
        when their length changes."""
        if len(texts) == 1:
            return await self._query(texts[0])
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        vectors = await run_concurrently(self._batch(batch) for batch in batches)
        return np.concatenate(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)

    async def _query(self, text: str) -> Vectors:
        """A single text is a search query, and queries are repeated."""
        if text not in self._queries:
            known = await self._recorded(text)
            self._queries[text] = await self._batch([text]) if known is None else known
            self.dimensions = self._queries[text].shape[1]
        return self._queries[text]

    async def _recorded(self, text: str) -> Vectors | None:
        """The vector that the run, or another one, has recorded for a query."""
        if self.account is None:
            return None
        run = self.account.run
        call = await run.ledger.answer_to(self._key([text]), run.id, only=run.fresh)
        vectors = None if call is None else _stored(call.answer)
        if call is None or vectors is None or self.dimensions not in {0, vectors.shape[1]}:
            return None  # one that cannot be used was recorded by an earlier version
        run.reuse(call)
        return vectors

    async def _batch(self, texts: Sequence[str]) -> Vectors:
        endpoint = await self._connections.endpoint(self.model)
        sent = [text[:LONGEST] or " " for text in texts]
        made = await (
            self._paid(endpoint, sent) if self.account is None else self._recorded_call(endpoint, sent, self.account)
        )
        self.dimensions = made.vectors.shape[1]
        if self.tokens is not None:
            self.tokens = None if made.tokens is None else self.tokens + made.tokens
        return made.vectors

    def _checked(self, made: _Embeddings) -> _Embeddings:
        """Raises LibraryError where earlier vectors had another length: before anything is recorded, so that the same
        text is asked for again when the server is well."""
        width = made.vectors.shape[1]
        if self.dimensions not in {0, width}:
            raise LibraryError(
                f"The embedder {self.name} returned vectors of {width} numbers after ones of {self.dimensions}: check "
                "which model its server runs. Nothing was replaced."
            )
        return made

    async def _paid(self, endpoint: Endpoint, texts: Sequence[str]) -> _Embeddings:
        """The answer to a request outside of runs."""
        worst = _worst_tokens(texts)
        around_try = self.limit.around_tries(worst)
        made = await self._send(endpoint, texts, CallOptions(self._connections.deadline, around_try=around_try))
        self.limit.settle(worst, made.tokens)
        return made

    async def _recorded_call(self, endpoint: Endpoint, texts: Sequence[str], account: EmbeddingAccount) -> _Embeddings:
        """The answer to a request of a run, in its ledger."""
        tokens = _worst_tokens(texts)
        usd = account.prices.usd(self.model, tokens, 0)
        if usd is None and account.budget.budget.usd is not None:
            raise unknown_price(self.model)
        worst = CallCost(usd or 0.0, tokens)
        async with account.budget.call(worst) as meter:
            began = time.perf_counter()
            made = await self._send(
                endpoint, texts, CallOptions(self._connections.deadline, around_try=meter.around_try)
            )
            call = self._call(texts, made, account, meter, time.perf_counter() - began)
            paid = worst.usd if call.usd is None else call.usd
            await account.run.ledger.record(call, meter.answered(CallCost(paid, made.tokens or tokens)))
        return made

    async def _send(self, endpoint: Endpoint, texts: Sequence[str], options: CallOptions) -> _Embeddings:
        post = Post(
            "/embeddings",
            orjson.dumps({"model": self.model.model, "input": texts}),
            lambda data: self._checked(_read(data, len(texts))),
            largest=_LARGEST,
            server_kind="an embedding model",
        )
        async with endpoint.limiter.slot(sum(map(len, texts)) // CHARACTERS_A_TOKEN):
            return await endpoint.post(post, options)

    def _call(
        self, texts: Sequence[str], made: _Embeddings, account: EmbeddingAccount, meter: MeteredCall, seconds: float
    ) -> Call:
        query = len(texts) == 1
        described = texts[0] if query else f"{len(texts)} papers"
        vectors = base64.b64encode(made.vectors.astype(np.float32).tobytes()).decode() if query else ""
        return Call(
            key=self._key(texts),
            run_id=account.run.id,
            prompt=_PROMPT,
            prompt_version=1,
            prompt_digest="",
            model=self.name,
            sample=0,
            settings="{}",
            messages=orjson.dumps([["user", described]]).decode(),
            returns="Vectors",
            answer=vectors,
            prompt_tokens=made.tokens,
            completion_tokens=0,
            usd=account.prices.usd(self.model, made.tokens, 0),
            seconds=round(seconds, 4),
            step=account.run.here,
            at=meter.finished or time.time(),
        )

    def _key(self, texts: Sequence[str]) -> str:
        return content_id("embedding", [self.name, *texts])


class SpendingLimit:
    """Keeps requests that belong to no run within a budget."""

    def __init__(self, budget: Budget, prices: PriceTable, model: ModelName) -> None:
        self._budget = budget
        self._prices = prices
        self._model = model
        self._spent = NOTHING

    def reserve(self, tokens: int) -> None:
        """Sets aside what a request of at most `tokens` costs. Raises BudgetSpent when there is no room for it,
        BadInput for a budget in dollars and an unknown price."""
        worst = self._cost(tokens)
        if not self._budget.fits(self._spent + worst):
            raise BudgetSpent(self._budget.refusal(self._spent, worst))
        self._spent += worst

    def around_tries(self, tokens: int) -> AroundTry:
        """What the endpoint enters before each try of a request of at most `tokens`: each try is reserved, and counts
        as in a run. That of an answer stays reserved until it is settled."""

        @asynccontextmanager
        async def around(number: int) -> AsyncIterator[TryRecord]:
            self.reserve(tokens)
            record = TryRecord(number)
            try:
                yield record
            finally:
                if record.outcome == "not sent":
                    self._spent -= self._cost(tokens)
                elif record.is_refusal:
                    self.settle(tokens, 0)

        return around

    def settle(self, reserved: int, tokens: int | None) -> None:
        """Replaces what was reserved by the tokens that the server has counted; None: it stays."""
        if tokens is not None:
            self._spent = self._spent - self._cost(reserved) + self._cost(tokens)

    def check(self, tokens: int, calls: int) -> None:
        """Raises BudgetSpent when `tokens` in `calls` requests would exceed the budget."""
        whole = CallCost(self._cost(tokens).usd, tokens, calls)
        if not self._budget.fits(self._spent + whole):
            raise BudgetSpent(self._budget.refusal(self._spent, whole))

    def _cost(self, tokens: int) -> CallCost:
        usd = self._prices.usd(self._model, tokens, 0)
        if usd is None and self._budget.usd is not None:
            raise unknown_price(self._model)
        return CallCost(usd or 0.0, tokens)


def _worst_tokens(texts: Sequence[str]) -> int:
    """More tokens than a request with these texts can take."""
    return sum(len(text.encode("utf-8", "replace")) for text in texts) // BYTES_PER_TOKEN + len(texts)


def _stored(answer: str) -> Vectors | None:
    """The vector of a query from its record; None where it cannot be used."""
    try:
        vectors = np.frombuffer(base64.b64decode(answer), np.float32).reshape(1, -1)
    except ValueError:
        return None
    return vectors if vectors.shape[1] and np.isfinite(vectors).all() else None


LARGEST = 1e15
"""Of larger values, which no embedder has, the length is infinite in single precision."""


@dataclass(frozen=True)
class _Embeddings:
    vectors: Vectors
    """(texts, dimensions)"""
    tokens: int | None


def _read(data: Any, count: int) -> _Embeddings:
    """The embeddings of `count` texts in their order. Raises ValueError with what the response is instead."""
    try:
        rows = {int(row["index"]): row["embedding"] for row in data["data"]}
        widths = {len(row) for row in rows.values()}
        given = len(data["data"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError("JSON without a list of embeddings") from error
    if given != count:
        raise ValueError(f"{given} vectors for {count} texts")
    if rows.keys() != set(range(count)):
        raise ValueError(f"vectors whose numbers under `index` are not 0 to {count - 1}, each once")
    if not widths <= set(range(1, WIDEST + 1)):
        raise ValueError(f"vectors of {max(widths):,} numbers (1 to {WIDEST:,} can be used)")
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused below
            vectors = np.array([rows[place] for place in range(count)], dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError("JSON without a list of embeddings") from error
    if vectors.ndim != 2:
        raise ValueError("JSON without a list of embeddings")
    if not np.isfinite(vectors).all():
        raise ValueError("vectors with values that are no finite numbers")
    if np.abs(vectors).max(initial=0) > LARGEST:
        raise ValueError(f"vectors with values above {LARGEST:.0e}")
    usage = data.get("usage")
    tokens = usage.get("prompt_tokens", usage.get("total_tokens")) if isinstance(usage, dict) else None
    return _Embeddings(vectors, tokens if isinstance(tokens, int) else None)
