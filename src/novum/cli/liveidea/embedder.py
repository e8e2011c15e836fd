"""The embedder that `novum liveidea report` measures distances between ideas with; only a remote one costs."""

from __future__ import annotations

from novum.benchmarks.liveidea.idea_distances import Distances, distances, to_compare
from novum.benchmarks.liveidea.records import LiveIdeaRun
from novum.cli.shell.interrupt import print_last_words, run_stoppable
from novum.cli.shell.terminal import print_message
from novum.cli.shell.workplace import in_workplace
from novum.lab import STATIC, Workplace
from novum.literature.embedding import Embedder, StaticEmbedder
from novum.llm.embeddings import RemoteEmbedder
from novum.llm.prices import PriceTable
from novum.reports.phrases import count

NO_EMBEDDER = "none"
_STOPPED = "Stopped. No report was written; run the same command again."
_CHARACTERS_A_TOKEN = 4


def measured_distances(run: LiveIdeaRun, name: str) -> Distances | None:
    """Distances by the embedder `name`; None for `none`, or when no keyword has two ideas.

    The cost of a remote embedder is printed before and after. Raises BadInput for an unknown name, and what the
    embedder raises.
    """
    if name == NO_EMBEDDER:
        return None
    units = to_compare(run)
    if not units:
        return None
    if name in {STATIC, StaticEmbedder.name}:  # needs no workplace, whose library might be in use
        work = distances(run, StaticEmbedder())
        return run_stoppable(work, lambda: _STOPPED, lambda: print_last_words(_STOPPED))
    characters = sum(len(idea.idea) for ideas in units.values() for idea in ideas)

    async def by_workplace(place: Workplace) -> Distances:
        embedder = place.embedder(name)
        _print_estimate(place, embedder, sum(map(len, units.values())), characters)
        found = await distances(run, embedder)
        _print_bill(place, embedder)
        return found

    return in_workplace(by_workplace, _STOPPED)


def _print_estimate(place: Workplace, embedder: Embedder, ideas: int, characters: int) -> None:
    if isinstance(embedder, RemoteEmbedder):
        tokens = characters // _CHARACTERS_A_TOKEN
        print_message(
            f"{count(ideas, 'idea')} for {embedder.name}: about {tokens:,} tokens, {_cost(place, embedder, tokens)}."
        )


def _print_bill(place: Workplace, embedder: Embedder) -> None:
    if isinstance(embedder, RemoteEmbedder):
        if embedder.tokens is None:
            print_message(f"{embedder.name} does not say how many tokens it took.")
        else:
            print_message(
                f"{embedder.name} took {embedder.tokens:,} tokens, {_cost(place, embedder, embedder.tokens)}."
            )


def _cost(place: Workplace, embedder: RemoteEmbedder, tokens: int) -> str:

    usd = PriceTable(place.model_settings.prices).usd(embedder.model, tokens, 0)
    return "price unknown" if usd is None else f"about ${usd:,.4f}"
