"""The steps of SPARK: exploration, starts, plans, removal of near-duplicates, fixing of weak points, comparison."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from pydantic import AliasChoices, Field

from novum.core import Candidate, Ideation, Match, Topic
from novum.core.concurrency import run_concurrently
from novum.core.evidence import Exploration
from novum.idea_metrics.near_duplicates import distinct_rows
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.literature.embedding import vectors_of
from novum.llm import conduct
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.prior_work import is_known
from novum.methods.spark.grounding import (
    DrawnStarts,
    SparkStart,
    draw_starts,
    field_of,
    nearest_problems,
    starts_from_opportunities,
    with_fallback_starts,
)
from novum.methods.spark.plans import FinishedSparkIdea, GroundedPlan, SparkContext, finish_idea, propose_plan
from novum.methods.starting_points import StartingOptions, StartingPoint, starting_points
from novum.reading.exploration import ExploreOptions, explore
from novum.statistics.tournament import Standings, swiss_round
from novum.statistics.win_rates import win_rates

NAME = "spark"
_COVERAGE = 5
"""Papers that the evidence is to come from."""


class SparkOptions(StartingOptions):
    """Options of the exploration and of the number of ideas."""

    ideas: int = Field(3, ge=1, le=100, description="Ideas, each from another problem or other concepts")
    concepts: int = Field(3, ge=0, le=6, description="Random concepts that an idea may use, in addition to its problem")
    field: str = Field(
        "", max_length=200, description="Field of work that ideas are to belong to; empty: that of the papers found"
    )
    rounds: int = Field(2, ge=1, le=10, description="Most rounds of searching and reading")
    passages: int = Field(10, ge=1, le=100, description="Passages read in a round, one call each")
    snippets: int = Field(8, ge=1, le=60, description="Passages of evidence that are enough to start")
    judge: Literal["auto", "reader", "similarity"] = Field(
        "auto",
        description="Who judges passages: the reader model, or their similarity to the question alone (no calls); "
        "auto: the reader, unless it is the small offline model",
    )
    fixes: int = Field(
        1,
        ge=0,
        le=3,
        validation_alias=AliasChoices("fixes", "mends"),
        description="Most weak points of each idea that are looked up and fixed, one after the other",
    )
    similarity: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Cosine to an earlier idea from which an idea is a near-duplicate and dropped; 1: none is",
    )
    comparison_rounds: int = Field(
        3,
        ge=0,
        le=20,
        validation_alias=AliasChoices("comparison_rounds", "bouts"),
        description="Rounds of comparison between ideas; 0: they stay in the order of generation",
    )

    @property
    def beginning(self) -> ExploreOptions:
        """How the topic is explored."""
        return ExploreOptions(
            before=self.before,
            rounds=self.rounds,
            passages=self.passages,
            snippets=self.snippets,
            coverage=min(_COVERAGE, self.snippets),
            judge=self.judge,
        )

    @property
    def looking_up(self) -> ExploreOptions:
        """How a weak point is looked up: one round, and whatever it finds is welcome."""
        passages = min(6, self.passages)
        return ExploreOptions(
            before=self.before, rounds=1, passages=passages, snippets=3, coverage=2, outcome=False, judge=self.judge
        )


@method(NAME, SparkOptions)
async def spark(lab: Lab, topic: Topic, options: SparkOptions) -> Ideation:
    """Ideas from open problems and concepts of explored literature, with a second search for their weak points.

    Source: SPARK (Sanyal et al. 2025), its idea generator. From the source: the literature is explored with the
    research question (XPLOR); open problems and concepts come from what was read; a problem with some concepts and the
    field of work becomes a proposal with a reasoning plan, novel concepts, title and abstract; a further, targeted
    exploration where the proposal names a point to improve. Changed: problems and concepts name the passages that show
    them; concepts are drawn at random, so that one exploration yields several ideas; near-duplicates by embedding are
    left out; the proposal is written in the common form and checked against the literature. Ideas found to be known are
    ranked last, the others by win rate. Left out: the filter by reviewers, which works on the ideas of any method.
    """
    notes: list[str] = []
    with lab.run.step("exploration"):
        exploration = await _explore_topic(lab, topic, options, notes)
    if exploration is None:
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=notes))
    field = options.field.strip() or field_of(exploration)
    world = SparkContext(lab, topic, field, Filters(before=options.before), options.looking_up, NAME, exploration.notes)
    points = await starting_points(lab, topic, options, notes)
    with lab.run.step("proposals"):
        across = starts_from_opportunities(exploration, points, await _problems_for(lab, exploration, points))
        starts = _starts(exploration, options, across, lab.rng(f"{NAME}, concepts"))
        plans = await _without_near_duplicates(lab, await _proposals(world, starts, notes), options.similarity, notes)
    made = await run_concurrently(finish_idea(world, planned, options.fixes) for planned in plans)
    notes += [note for each in made for note in each.notes]
    candidates = _each_once(made, notes)
    with lab.run.step("comparison"):
        matches = await _compare_ideas(lab, topic, candidates, options.comparison_rounds)
    grounds = {each.ground.idea_id: each.ground for each in reversed(made) if each.ground is not None}
    started = [each.started for each in made if each.started is not None]
    ranked = _ranked(candidates, matches)
    ordered = [grounds[each.idea.id] for each in ranked]
    return await ideation_from(
        lab, topic, MethodOutcome(NAME, options, ranked, matches, notes, grounds=ordered, starts=started)
    )


async def _explore_topic(lab: Lab, topic: Topic, options: SparkOptions, notes: list[str]) -> Exploration | None:
    """What was found of problems and concepts; None, and a note why, when nothing counts as evidence.

    The small offline model gets no request for them.
    """
    small = lab.models.model_for("writer").provider.small
    settings = options.beginning.model_copy(update={"prospects": not small})
    exploration = await explore(lab, topic.text, settings)
    notes += exploration.notes
    if not exploration.evidence:
        notes.append(f"Without evidence no idea can be generated. {exploration.ended}")
        return None
    return with_fallback_starts(exploration, notes)


async def _problems_for(lab: Lab, exploration: Exploration, points: Sequence[StartingPoint]) -> list[int]:
    """For each opportunity the nearest open problem, by its position."""
    if not points:
        return []
    texts = [*(point.query for point in points), *(problem.text for problem in exploration.problems)]
    vectors = await vectors_of(lab.library.embedder, texts)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return nearest_problems(units[: len(points)] @ units[len(points) :].T)


def _starts(
    exploration: Exploration, options: SparkOptions, across: tuple[SparkStart, ...], rng: random.Random
) -> DrawnStarts:
    """Starts from opportunities, then random ones up to the number of ideas."""
    if (others := options.ideas - len(across)) <= 0:
        return DrawnStarts(across, 0)
    lots = draw_starts(exploration, others, options.concepts, rng)
    renumbered = [replace(start, number=number) for number, start in enumerate(lots.starts, len(across) + 1)]
    return DrawnStarts((*across, *renumbered), lots.lacking)


async def _proposals(world: SparkContext, starts: DrawnStarts, notes: list[str]) -> list[GroundedPlan]:
    """A plan for each start, in parallel; missing ones are noted."""
    if starts.lacking:
        requested = len(starts.starts) + starts.lacking
        notes.append(f"Of {requested} requested ideas, {starts.lacking} had no start of their own.")
    plans = await run_concurrently(propose_plan(world, start) for start in starts.starts)
    if silent := [str(start.number) for start, plan in zip(starts.starts, plans, strict=True) if plan is None]:
        notes.append(f"The writer gave no usable proposal for start {', '.join(silent)} of {len(plans)}.")
    return [plan for plan in plans if plan is not None]


async def _without_near_duplicates(
    lab: Lab, plans: Sequence[GroundedPlan], similarity: float, notes: list[str]
) -> list[GroundedPlan]:
    """The plans whose cosine to every earlier one is below `similarity`; the notes name the others."""
    if similarity >= 1 or len(plans) < 2:
        return list(plans)
    distinct = set(
        distinct_rows(await vectors_of(lab.library.embedder, [each.plan.text for each in plans]), similarity)
    )
    duplicates = [f"«{each.plan.title}»" for place, each in enumerate(plans) if place not in distinct]
    if duplicates:
        notes.append(f"Dropped as near-duplicates of another idea: {'; '.join(duplicates)}.")
    return [each for place, each in enumerate(plans) if place in distinct]


def _each_once(made: Sequence[FinishedSparkIdea], notes: list[str]) -> list[Candidate]:
    candidates = [each.candidate for each in made if each.candidate is not None]
    different = {candidate.idea.id: candidate for candidate in reversed(candidates)}
    if duplicates := len(candidates) - len(different):
        notes.append(f"{duplicates} of the ideas were identical to another one.")
    return list(reversed(different.values()))


async def _compare_ideas(
    lab: Lab, topic: Topic, candidates: Sequence[Candidate], rounds: int
) -> list[tuple[Match, Match]]:
    """Swiss rounds, every pair in both orders by every judge of the panel; few ideas are all compared."""
    ideas = [each.idea for each in candidates]
    matches: list[tuple[Match, Match]] = []
    standings = Standings.at_start(len(ideas))
    draws = np.random.default_rng(lab.rng(f"{NAME}, comparison").getrandbits(64))
    panel = lab.models.settings.roles.judges
    all_met = len(ideas) - 1 + len(ideas) % 2 if len(ideas) > 1 else 0
    for number in range(1, min(rounds, all_met) + 1):
        paired = swiss_round(standings, draws)
        with lab.run.step(f"round {number}"):
            met = await run_concurrently(
                conduct(lab.models, compare_in_both_orders(topic, ideas[one], ideas[other], judge))
                for one, other in paired.pairs
                for judge in panel
            )
        rates = [
            win_rates(met[at * len(panel) : (at + 1) * len(panel)], [ideas[one].id])
            for at, (one, _) in enumerate(paired.pairs)
        ]
        standings = standings.after(paired, [each for rate in rates for each in rate.values()])
        matches += met
    return matches


def _ranked(candidates: Sequence[Candidate], matches: Sequence[tuple[Match, Match]]) -> list[Candidate]:
    """Best first: known ideas last, then by win rate; equal ones in the order of their starts."""
    rates = win_rates(matches, [each.idea.id for each in candidates])
    rated = [each.model_copy(update={"win_rate": rates[each.idea.id]}) for each in candidates]
    return sorted(rated, key=lambda each: (is_known(each), -(0.5 if each.win_rate is None else each.win_rate)))
