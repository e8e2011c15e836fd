"""The options of Chain of Ideas."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from novum.methods.starting_points import StartingOptions

NAME = "chain-of-ideas"


class ChainOptions(StartingOptions):
    """Defaults are those of the paper's main results (section 4.1)."""

    branches: int = Field(
        3, ge=1, le=10, description="Perspectives on the topic, each with a chain and an idea of its own"
    )
    length: int = Field(5, ge=0, le=12, description="Most papers in a chain; 0: the nearest papers without a chain")
    least: int = Field(3, ge=1, le=12, description="Fewest papers in a chain, where the literature allows")
    drafts: int = Field(2, ge=1, le=4, description="First drafts for each chain, of which the best is taken further")
    rounds: int = Field(
        3, ge=1, le=10, description="Most checked drafts of an idea, while the novelty check finds it known"
    )
    guide: Literal["auto", "reader", "library"] = Field(
        "auto",
        description="Who finds and reads papers: the reader model, or the library alone (no calls; similarity and "
        "citations decide); auto: the reader, unless it is the small offline model",
    )
    trends: bool = Field(True, description="Determine how each paper led to the next one")
    future: bool = Field(True, description="Determine the direction of the chain before the idea is written")
    entities: bool = Field(True, description="Show the writer the entities of the field")
