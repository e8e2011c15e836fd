"""The workplace: ledger, library, prompts and connections opened together; and the lab that a run works in."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import TracebackType
from typing import Self

from novum.core import content_id
from novum.errors import BadInput
from novum.ledger import Ledger, Run, RunRecord
from novum.literature import Embedder, Library, PaperLibrary, StaticEmbedder
from novum.literature.embedding_local import PREFIX as LOCAL
from novum.literature.embedding_local import LocalEmbedder
from novum.literature.embedding_minilm import SentenceEncoder
from novum.literature.fetching.live import PATIENCE, LiveSearchResult, LiveSources
from novum.literature.services.client import SourceClient
from novum.literature.sources import Source, sources
from novum.llm import BudgetGuard, Connections, Models
from novum.llm.embeddings import EmbeddingAccount, RemoteEmbedder, SpendingLimit
from novum.llm.prices import PriceTable
from novum.prompts import PromptBook, builtin_prompts
from novum.settings import LoadedSettings

STATIC = "static"
"""The name of the embedder that needs neither network nor download."""
SINGLE_TOPIC_RUNS = frozenset({"ideate", "explore"})
"""The kinds of runs that fetch papers from the usual services without being told to."""
LIVE_SEARCH = "gathered"
"""The event of papers that were fetched for a run; the name is the one that stored runs have."""


@dataclass(frozen=True)
class Lab:
    """What a run works with: every method, judge and benchmark receives it."""

    settings: LoadedSettings
    library: PaperLibrary
    models: Models
    run: Run
    prompts: PromptBook
    live: LiveSources | None = None
    """The services that this run may fetch papers from."""
    opportunities_used: int = 0
    """Number of opportunities of the topic that earlier ideas of the run started from."""
    began: float = field(default_factory=time.perf_counter)
    """Start of this session of work, on the clock of `time.perf_counter`."""

    @property
    def seconds(self) -> float:
        """Duration of this session of work so far."""
        return time.perf_counter() - self.began

    def going_on(self) -> Lab:
        """The same lab for work that goes on without an answer whose call failed; `models.lost` counts them."""
        return replace(self, models=self.models.going_on())

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence about the answers that are missing; empty where none is."""
        lost = self.models.lost
        return (lost.note,) if lost and lost.prompts else ()

    def rng(self, unit: str) -> random.Random:
        """A random generator for one unit of work: the same for the same seed, whatever finishes first."""
        return random.Random(content_id("seed", [self.settings.values.seed, unit]))  # noqa: S311  # not for secrets


def open_source(settings: LoadedSettings, name: str) -> Source:
    """The source of papers of this name. Raises BadInput when there is none."""
    return sources.get(name)(settings.values.source_addresses.get(name, ""))


def source_client(settings: LoadedSettings, *, patience: float | None = None) -> SourceClient:
    """The client for sources of papers, to be used in an `async with`. Their answers are stored for a week. `patience`:
    seconds that one request may take in all; None: as long as the service asks to wait."""
    values = settings.values
    configured = values.source_addresses.values()
    return SourceClient(settings.answers_folder, contact=values.contact, configured=configured, patience=patience)


def sentence_encoder(settings: LoadedSettings) -> SentenceEncoder | None:
    """The encoder that ranks the best papers of a search again; None without the weights or where it is not wanted."""
    if settings.values.reranker == "none":
        return None
    from novum.llm.offline import ENCODER, ENCODERS, locate_model  # noqa: PLC0415  not on every system

    try:
        return SentenceEncoder(locate_model(ENCODER, settings.models_folder, ENCODERS))
    except BadInput:
        return None


class Workplace:
    """Ledger, library, prompts and connections to models, opened together. An asynchronous context manager."""

    def __init__(self, settings: LoadedSettings) -> None:
        self.settings = settings
        folder = settings.values.prompts
        self.prompts = PromptBook(folder) if folder else builtin_prompts()
        self.model_settings = settings.for_models()
        self.connections = Connections(self.model_settings, settings.models_folder)
        self._named = {name: open_source(settings, name) for name in settings.live_sources(single=False)}
        self._source_client = source_client(settings, patience=PATIENCE)
        embedder = self.embedder(settings.values.embedder)
        self.library = Library.open(
            settings.library_folder, url=settings.library_url, embedder=embedder, reranker=sentence_encoder(settings)
        )

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger, opened at first use: whoever only reads the library needs none. Raises LedgerError."""
        return Ledger.open(self.settings.ledger_place)

    def lab(self, record: RunRecord, *, fresh: bool = False) -> Lab:
        """The lab for one session of work on a run. What earlier sessions spent counts against the budget."""
        run = Run(self.ledger, record, fresh=fresh)
        self.ledger.on_note(run.note)
        budget = BudgetGuard.opened(self.settings.budget, self.ledger.account(record.id))
        models = Models(self.model_settings, self.prompts, self.connections, run, budget)
        if isinstance(embedder := self.library.embedder, RemoteEmbedder):
            embedder.dimensions = embedder.dimensions or self.library.vector_width()
            embedder.account = EmbeddingAccount(run, budget, PriceTable(self.model_settings.prices))
        return Lab(self.settings, self.library, models, run, self.prompts, self._live_sources(run))

    def embedder(self, name: str) -> Embedder:
        """The embedder of this name. Raises BadInput for a name that cannot be read."""
        if name in {STATIC, StaticEmbedder.name}:
            return StaticEmbedder()
        if name.startswith(LOCAL):
            return LocalEmbedder(name.removeprefix(LOCAL))
        model = self.settings.model_named(name)
        limit = SpendingLimit(self.settings.budget, PriceTable(self.model_settings.prices), model)
        return RemoteEmbedder(model, self.connections, limit)

    async def close(self) -> None:
        """Closes everything; what is queued is written first."""
        await self._source_client.__aexit__(None, None, None)
        await self.connections.close()
        self.library.close()
        if "ledger" in vars(self):
            self.ledger.close()

    async def __aenter__(self) -> Self:
        if self.settings.live_sources():
            await self._source_client.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _live_sources(self, run: Run) -> LiveSources | None:
        """The sources that a run may search; None where it works with the library alone."""
        named = self.settings.live_sources(single=run.record.kind in SINGLE_TOPIC_RUNS)
        if not named:
            return None
        earlier = [LiveSearchResult.model_validate(event.data) for event in run.earlier(LIVE_SEARCH)]

        def record(gathered: LiveSearchResult) -> None:
            run.emit(LIVE_SEARCH, **gathered.model_dump(mode="json"))

        chosen = [self._named.get(name) or open_source(self.settings, name) for name in named]
        return LiveSources(self.library, self._source_client, chosen, earlier=earlier, progress=record)
