"""One working place tied together, and the lab that a run works in."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from novum.core import content_id
from novum.ledger import Ledger, Run, RunRecord
from novum.literature import Embedder, Library
from novum.llm import Connections, ModelName, Models, Purse
from novum.llm.embeddings import RemoteEmbedder
from novum.prompts import PromptBook
from novum.settings import LoadedSettings


@dataclass(frozen=True)
class Lab:
    """What every method, judge and benchmark is given: the library, the models, the ledger's run and the settings."""

    settings: LoadedSettings
    library: Library
    models: Models
    run: Run

    def rng(self, unit: str) -> random.Random:
        """A generator for the draws of one unit: the same for the same seed, whatever finishes first."""
        return random.Random(content_id("seed", [self.settings.values.seed, unit]))  # noqa: S311  # science, not secrecy


class Workplace:
    """Ledger, library, prompts and ways to the models, opened together; an async context manager."""

    def __init__(self, settings: LoadedSettings) -> None:
        self.settings = settings
        self.prompts = PromptBook(settings.values.prompts)
        self.model_settings = settings.for_models()
        self.connections = Connections(self.model_settings, settings.models_folder)
        self.ledger = Ledger.open(settings.ledger_place)
        self.library = Library.open(settings.library_folder, url=settings.library_url, embedder=self._embedder())

    def lab(self, record: RunRecord, *, fresh: bool = False) -> Lab:
        """The lab for one session of work on a run; what the run spent before counts against its budget."""
        run = Run(self.ledger, record, fresh=fresh)
        purse = Purse.opened(self.settings.budget, self.ledger.spend(record.id))
        return Lab(
            self.settings, self.library, Models(self.model_settings, self.prompts, self.connections, run, purse), run
        )

    async def close(self) -> None:
        """Closes everything, in the order in which nothing is lost."""
        await self.connections.close()
        self.library.close()
        self.ledger.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _embedder(self) -> Embedder | None:
        """None: the library's own default."""
        name = self.settings.values.embedder
        return None if name == "static" else RemoteEmbedder(ModelName.parse(name), self.connections)
