"""Twenty made-up opportunities of all kinds, as a library on language models might have them."""

from __future__ import annotations

import random
from itertools import pairwise

from novum.core import Identifiers, Paper
from novum.core.opportunity import ConceptLink, ConceptSummary, Opportunity, OpportunityList, OpportunitySide

UNTIL = 2025
PAIRS = (
    ("rising", "test time scaling", "formal verification"),
    ("bridge", "causal discovery", "retrieval augmented generation"),
    ("transfer", "speculative decoding", "protein language model"),
    ("dormant", "inductive logic programming", "chain of thought"),
    ("follow-up", "scratchpad", "program synthesis"),
    ("rising", "process reward model", "theorem proving"),
    ("bridge", "cognitive load", "instruction tuning"),
    ("transfer", "conformal prediction", "long form generation"),
    ("dormant", "case based reasoning", "in context learning"),
    ("rising", "mechanistic interpretability", "tool use"),
    ("follow-up", "self consistency", "speech translation"),
    ("bridge", "argument mining", "reward hacking"),
    ("transfer", "mixture of experts", "dialogue state tracking"),
    ("rising", "test time scaling", "multi agent debate"),
    ("bridge", "item response theory", "benchmark contamination"),
    ("dormant", "grammar induction", "sparse autoencoder"),
    ("transfer", "direct preference optimization", "theorem proving"),
    ("follow-up", "knowledge editing", "legal question answering"),
    ("rising", "world model", "program synthesis"),
    ("bridge", "causal discovery", "mechanistic interpretability"),
)
REASONS = (
    "They share 14 neighbours that few other pairs share, above all reasoning trace and verifier",
    "Papers on both grew by half in the last two years",
    "Their nearest papers cite 9 works in common",
)


def paper(title: str, year: int, *authors: str) -> Paper:
    return Paper(
        title=title, year=year, authors=authors, venue="arXiv", ids=Identifiers(arxiv=f"{year % 100}01.{len(title):05}")
    )


def openings(pairs=PAIRS, **more) -> OpportunityList:
    """`pairs`: kinds with two names. The same pairs are the same openings."""
    lot = random.Random(8)
    papers: dict[str, Paper] = {}
    found = []
    known: dict[str, OpportunitySide] = {}
    names = list(dict.fromkeys(name for _, *pair in pairs for name in pair))
    for name in names:
        first = lot.randint(1998, 2021)
        joined = [f"{name.capitalize()} for {lot.choice(names)}", f"What {name} cannot do", f"A survey of {name}"]
        own = [
            paper(title, UNTIL - at, "Ada Lovelace", "Kurt Gödel", "Emmy Noether") for at, title in enumerate(joined)
        ]
        papers |= {each.id: each for each in own}
        growth, size = lot.uniform(1.02, 1.5), lot.randint(3, 60)
        counts = {
            year: round(size * growth ** (year - UNTIL) * lot.uniform(0.7, 1.3)) for year in range(first, UNTIL + 1)
        }
        known[name] = OpportunitySide(
            concept=name, first_year=first, papers_by_year=counts, papers=tuple(each.id for each in own)
        )
    for at, (kind, one, other) in enumerate(pairs):
        chance = 0.42 * 0.88**at
        attempt = paper(f"Towards {one} with {other}?", 2009 + at % 9, "Alan Turing")
        papers |= {attempt.id: attempt} if at % 3 else {}
        found.append(
            Opportunity(
                kind=kind, pair=(one, other), until=UNTIL, one=known[one], other=known[other], probability=chance,
                probability_interval=(chance * 0.6, min(chance * 1.5, 1)), attention=lot.uniform(0.3, 0.8),
                attention_interval=(0.2, 0.9), reasons=REASONS, attempts=(attempt.id,) if at % 3 else (),
                unusual=lot.uniform(0.5, 0.99),
            )
        )  # fmt: skip
    told = {
        "topic": "making language models reason reliably in several steps",
        "until": UNTIL,
        "horizon": 3,
        "near": ("chain of thought", "test time scaling", "program synthesis"),
        "papers": tuple(papers.values()),
        "looked_at": 1204,
        "notes": ("The library ends in 2025: what came since is not known to it.",),
    }
    told["concepts"] = tuple(
        ConceptSummary(
            concept=name, first_year=side.first_year, papers_by_year=side.papers_by_year, typical=side.papers[:2],
            beside=tuple(sorted(names, key=lambda other: (len(other), other))[:3]),
        )
        for name, side in sorted(known.items())
    )  # fmt: skip
    told["links"] = tuple(
        ConceptLink(one=min(pair), other=max(pair), papers=lot.randint(1, 9))
        for pair in pairwise(names)
        if at_chance(lot)
    )
    return OpportunityList(**(told | more), openings=tuple(found))


def at_chance(lot: random.Random) -> bool:
    """Two of three."""
    return lot.random() < 2 / 3
