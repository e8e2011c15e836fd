"""The embedder that `novum liveidea report` measures distances between ideas with; only a remote one costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.idea_distances import Distances
    from novum.benchmarks.liveidea.records import LiveIdeaRun
    from novum.lab import Workplace
    from novum.literature.embedding import Embedder
    from novum.llm.embeddings import RemoteEmbedder

NO_EMBEDDER = "none"
_STOPPED = "Stopped. No report was written; run the same command again."
_CHARACTERS_A_TOKEN = 4


def measured_distances(run: LiveIdeaRun, name: str) -> Distances | None:
    """Distances by the embedder of this name; None where it is switched off, or no keyword has two ideas.

    Where it costs, that is told before and after. Raises BadInput for a name that cannot be read, and what the
    embedder raises.
    """
    from novum.benchmarks.liveidea.idea_distances import distances, to_compare
    from novum.cli.shell.interrupt import print_last_words, run_stoppable
    from novum.cli.shell.workplace import in_workplace
    from novum.lab import STATIC
    from novum.literature.embedding import StaticEmbedder

    if name == NO_EMBEDDER:
        return None
    units = to_compare(run)
    if not units:
        return None
    if name in {STATIC, StaticEmbedder.name}:  # needs no working place: none is opened, and none can be in the way
        work = distances(run, StaticEmbedder())
        return run_stoppable(work, lambda: _STOPPED, lambda: print_last_words(_STOPPED))
    characters = sum(len(idea.idea) for ideas in units.values() for idea in ideas)

    async def by_workplace(place: Workplace) -> Distances:
        embedder = place.embedder(name)
        _tell_beforehand(place, embedder, sum(map(len, units.values())), characters)
        found = await distances(run, embedder)
        _tell_bill(place, embedder)
        return found

    return in_workplace(by_workplace, _STOPPED)


def _tell_beforehand(place: Workplace, embedder: Embedder, ideas: int, characters: int) -> None:
    from novum.cli.shell.terminal import print_message
    from novum.llm.embeddings import RemoteEmbedder
    from novum.reports.phrases import count

    if isinstance(embedder, RemoteEmbedder):
        tokens = characters // _CHARACTERS_A_TOKEN
        print_message(
            f"{count(ideas, 'idea')} for {embedder.name}: about {tokens:,} tokens, {_cost(place, embedder, tokens)}."
        )


def _tell_bill(place: Workplace, embedder: Embedder) -> None:
    from novum.cli.shell.terminal import print_message
    from novum.llm.embeddings import RemoteEmbedder

    if isinstance(embedder, RemoteEmbedder):
        if embedder.tokens is None:
            print_message(f"{embedder.name} does not say how many tokens it took.")
        else:
            print_message(
                f"{embedder.name} took {embedder.tokens:,} tokens, {_cost(place, embedder, embedder.tokens)}."
            )


def _cost(place: Workplace, embedder: RemoteEmbedder, tokens: int) -> str:
    from novum.llm.prices import PriceTable

    usd = PriceTable(place.model_settings.prices).usd(embedder.model, tokens, 0)
    return "price unknown" if usd is None else f"about ${usd:,.4f}"
