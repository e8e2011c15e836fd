"""`novum library embed`: vectors for all papers, by the embedder that is set or by another one."""

from __future__ import annotations

import math
import sys
from typing import Annotated

import typer

from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import BudgetCalls, BudgetTokens, BudgetUsd, Ray
from novum.cli.shell.terminal import print_line, print_message
from novum.cli.shell.workplace import in_workplace
from novum.lab import Workplace
from novum.literature import Embedder
from novum.literature.reembedding import MissingVectors
from novum.llm.embeddings import BATCH, CHARACTERS_A_TOKEN, LONGEST, RemoteEmbedder
from novum.llm.prices import PriceTable
from novum.runs.library import check_cluster, embed_library
from novum.settings import load_settings

_STOPPED = "Stopped. The vectors computed so far are stored, and the same command continues from there."


@examples(
    "novum library embed",
    "novum library embed --embedder openai:text-embedding-3-large",
    "novum library embed --embedder local:sentence-transformers/all-MiniLM-L6-v2 --keep",
    "novum library embed --embedder static",
    "novum library embed --embedder local:allenai/specter2_base --ray 10.0.0.1:6379",
)
def embed(
    with_: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            metavar="NAME",
            help="static, PROVIDER:MODEL, or local: and the name or folder of a sentence-transformers model. Without "
            "it: the setting `embedder`.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the old vectors too, so that you can return to them at once.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before it costs money.")] = False,
    budget_usd: BudgetUsd = None,
    budget_tokens: BudgetTokens = None,
    budget_calls: BudgetCalls = None,
    ray: Ray = None,
) -> None:
    """Embed the whole library, also with another embedder. The old vectors serve until all new ones are there.

    Press Ctrl-C at any time. The vectors computed so far are stored, and the same command
    continues from there.
    """
    given = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "budget_calls": budget_calls}
    chosen = with_ or load_settings(given).values.embedder

    async def job(place: Workplace) -> None:
        embedder = place.embedder(chosen)
        check_cluster(embedder, ray)
        left = place.library.unembedded(embedder.name)
        if (estimate := _estimate(place, embedder, left)) is not None:
            print_message(estimate)
            _check_budget(embedder, left)
            if not yes and sys.stdin.isatty() and sys.stderr.isatty():
                typer.confirm("Continue?", abort=True, err=True)
        with library_progress() as progress:
            await embed_library(place.library, embedder, keep=keep, ray=ray, progress=progress)
        print_line(f"{left.papers:,} papers were embedded with {embedder.name}{_bill(place, embedder)}.")
        if chosen != place.settings.values.embedder:
            print_line(f'From now on the library needs the setting `embedder`: put embedder = "{chosen}" into a ')
            print_line(f"novum.toml, or set NOVUM_EMBEDDER={chosen}")

    in_workplace(job, _STOPPED, given)


def _estimate(place: Workplace, embedder: Embedder, left: MissingVectors) -> str | None:
    """What it will cost, in a line; None where it costs nothing."""
    if not isinstance(embedder, RemoteEmbedder) or embedder.model.provider.local or not left.papers:
        return None
    tokens = _tokens(left)
    price = _price(place, embedder, tokens)
    cost = "at a price that is not known" if price is None else f"for about ${price:,.2f}"
    return f"{left.papers:,} papers go to {embedder.model.short}: about {tokens:,} tokens, {cost}."


def _tokens(left: MissingVectors) -> int:
    """About how many tokens the texts have."""
    return min(left.characters, left.papers * LONGEST) // CHARACTERS_A_TOKEN


def _check_budget(embedder: Embedder, left: MissingVectors) -> None:
    """Raises BudgetSpent before anything is sent that the budget has no room for."""
    if isinstance(embedder, RemoteEmbedder):
        embedder.limit.check(_tokens(left), math.ceil(left.papers / BATCH))


def _bill(place: Workplace, embedder: Embedder) -> str:
    """What it took, as a part of a sentence."""
    if not isinstance(embedder, RemoteEmbedder):
        return ""
    if embedder.tokens is None:
        return "; the server does not say with how many tokens"
    price = _price(place, embedder, embedder.tokens)
    cost = "price unknown" if price is None else f"about ${price:,.4f}"
    return f"; {embedder.tokens:,} tokens, {cost}"


def _price(place: Workplace, embedder: object, tokens: int) -> float | None:
    """US dollars, None when unknown."""
    assert isinstance(embedder, RemoteEmbedder)
    return PriceTable(place.model_settings.prices).usd(embedder.model, tokens, 0)
