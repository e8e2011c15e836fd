"""The options of the method `portfolio`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from novum.methods.starting_points import StartingOptions

NAME = "portfolio"
SeedSource = Literal["chain", "opportunity", "concepts", "analogy", "assumption", "plain"]
"""Where a seed comes from."""
SOURCES: tuple[SeedSource, ...] = get_args(SeedSource)
_MEASURED: tuple[SeedSource, ...] = ("chain", "assumption", "plain")
"""The sources of the study in `docs/evidence.md`, whose other options are the defaults too."""


def _separated(value: object) -> object:
    """The parts of a text between commas or plus signs: a comma ends an option where several stand in one argument."""
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.replace("+", ",").split(",") if part.strip())


class PortfolioOptions(StartingOptions):
    """How many seeds are written, how many are developed, and how often they are attacked. `from_opportunities`: 0
    takes those that are known or quickly computed, as one of the sources."""

    sources: Annotated[tuple[SeedSource, ...], BeforeValidator(_separated)] = Field(
        _MEASURED, min_length=1, description="Sources of seeds, separated by commas or +"
    )
    seeds: int = Field(20, ge=2, le=60, description="Short ideas, spread over the sources that have something to offer")
    chains: int = Field(1, ge=1, le=6, description="Short chains of papers that seeds come from")
    chain_length: int = Field(4, ge=2, le=8, description="Most papers in a chain")
    batches: int = Field(2, ge=1, le=3, description="Requests for seeds to each other source, with other material each")
    guide: Literal["auto", "reader", "library"] = Field(
        "library",
        description="Who finds and reads the papers of chains: the reader model, or the library alone (no calls); "
        "auto: the reader, unless it is the small offline model",
    )
    similarity: float = Field(
        0.8, ge=0, le=1, description="Cosine to an earlier seed from which a seed is a near-duplicate; 1: none is"
    )
    nearest: int = Field(3, ge=1, le=8, description="Papers that each seed is screened against")
    screened: int = Field(10, ge=1, le=12, description="Seeds that are screened in one request")
    contenders: int = Field(
        8, ge=2, le=60, description="Seeds that enter the tournament: those with the highest promise in the screening"
    )
    tournament_rounds: int = Field(2, ge=0, le=6, description="Rounds of the tournament between seeds; 0: none")
    pairs: int = Field(6, ge=1, le=8, description="Pairs of seeds that are compared in one request")
    developed: int = Field(2, ge=1, le=6, description="Seeds that are developed into ideas")
    drafts: int = Field(
        1, ge=0, le=4, description="Whole drafts from the topic alone, without a seed, that join the final comparison"
    )
    papers: int = Field(8, ge=2, le=16, description="Papers retrieved for each seed that is developed")
    critics: int = Field(1, ge=1, le=4, description="Critics of each draft, each with another question in mind")
    attack_rounds: int = Field(1, ge=0, le=5, description="Rounds of attack and revision of each idea")
    compare_revisions: bool = Field(True, description="A revision replaces its draft only if judges prefer it")
