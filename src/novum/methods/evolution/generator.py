"""Ideas that compete, are criticised, and breed, for a bounded number of generations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice

from pydantic import AliasChoices, Field

from novum.core import Candidate, Ideation, Match, Topic
from novum.core.concurrency import run_concurrently
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import conduct
from novum.methods.evolution.population import Contender, ranked_contenders, similarity_groups, similarity_matrix
from novum.methods.evolution.questions import (
    EvolutionContext,
    Lessons,
    Start,
    Way,
    derive_lessons,
    initial_rating,
    review_contender,
    write_first_idea,
    write_variation,
)
from novum.methods.evolution.tournament import Pair, pair_results, pairings, updated_ratings
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.sketch import write_up_sketch
from novum.reading import Bibliography
from novum.statistics.win_rates import win_rates

NAME = "evolution"
_STARTS: tuple[Start, ...] = ("gap", "assumption", "transfer", "contradiction")
_WAYS: tuple[Way, ...] = ("mend", "combine", "simplify", "elsewhere")
_LEADS = 2
_LIKE_EACH_OTHER = 0.3
"""How much a paper is set back for resembling one before it: the shelf is to show several sides of the topic."""


class EvolutionOptions(ConcludingOptions):
    """Options of the tournament of ideas."""

    population: int = Field(6, ge=2, le=20, description="First ideas, and ideas that stay in the tournament")
    generations: int = Field(2, ge=0, le=6, description="How often new ideas are made from the best ones")
    offspring: int = Field(3, ge=1, le=12, description="New ideas in each generation")
    tournament_rounds: int = Field(
        2,
        ge=1,
        le=6,
        validation_alias=AliasChoices("tournament_rounds", "bouts"),
        description="Rounds of the tournament in each generation",
    )
    start_papers: int = Field(10, ge=1, le=30, description="Papers nearest to the topic from which ideas start")


@dataclass
class _History:
    """The state of the run: every idea by its id, which pairs were compared, and notes on problems."""

    pool: dict[str, Contender] = field(default_factory=dict)
    met: set[Pair] = field(default_factory=set)
    matches: list[tuple[Match, Match]] = field(default_factory=list)
    lessons: Lessons | None = None
    notes: list[str] = field(default_factory=list)


@method(NAME, EvolutionOptions)
async def evolution(lab: Lab, topic: Topic, options: EvolutionOptions) -> Ideation:
    """The best of a population of ideas that are reviewed, ranked in a tournament, and varied.

    Source: Towards an AI co-scientist (Gottweis et al. 2025). Agents generate hypotheses from the literature, review
    them, group them by similarity, rank them in an Elo tournament of debates, vary the best ones, and pass on what
    reviews and debates have in common; a supervisor continues as long as there is compute. From the source: all six
    parts; first ideas from different starting points; reviews against the literature that can find an idea to be known;
    ratings that start at 1200; pairings that prefer ideas that are similar, new, and close in rating; new ideas by
    fixing, combining, simplifying and departing from the best ones, which remain unchanged. Left out: the supervisor
    (generations are counted instead), tools other than the library, debates of several turns (a pair is judged by five
    criteria in both orders), verification of assumptions one by one, the scientist in the loop, and the research
    overview. Changed: ideas are sketches until the best one is written up; an idea made from others starts with their
    mean rating, so that one that beats its parent overtakes it even in the last round; ratings are updated after each
    round, so that the order of answers has no effect.
    """
    filters = Filters(before=options.before)
    with lab.run.step("literature"):
        hits = await lab.library.search(topic.text, options.start_papers, filters, diversity=_LIKE_EACH_OTHER)
    if not hits:
        return await ideation_from(
            lab, topic, MethodOutcome(NAME, options, (), notes=["No paper near the topic was found."])
        )
    world = EvolutionContext(topic, Bibliography([hit.paper for hit in hits]), filters, NAME)
    history = _History()
    for generation in range(options.generations + 1):
        with lab.run.step(f"generation {generation}"):
            if not await _generation(lab, world, options, history, generation):
                break
    candidates = await _candidates(lab, world, history)
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, history.matches, history.notes))


async def _generation(
    lab: Lab, world: EvolutionContext, options: EvolutionOptions, history: _History, generation: int
) -> bool:
    """One generation: new ideas, reviews, comparisons and lessons. False when there is no new idea."""
    with lab.run.step("ideas"):
        made = await (
            _offspring(lab, world, options, history, generation) if generation else _seeds(lab, world, options)
        )
    born = {one.id: one for one in made if one is not None and one.id not in history.pool}
    if len(born) < len(made):
        lost = len(made) - len(born)
        history.notes.append(f"Generation {generation}: {lost} of {len(made)} ideas were unusable or duplicates.")
    if not born:
        return False
    survivors = ranked_contenders(history.pool.values())[: options.population]
    with lab.run.step("reviews"):
        entered = await run_concurrently(review_contender(lab, world, one) for one in born.values())
    unread = sum(one.review is None for one in entered)
    history.notes += [f"Generation {generation}: {unread} of {len(entered)} reviews were unusable."] if unread else []
    history.pool |= {one.id: one for one in entered}
    playing = [one.id for one in (*survivors, *entered)]
    before = len(history.matches)
    for round_number in range(1, options.tournament_rounds + 1):
        with lab.run.step(f"tournament, round {round_number}"):
            await _play_round(lab, world, history, playing)
    if generation < options.generations:
        await _learn(lab, world, history, playing, history.matches[before:], generation)
    return True


async def _seeds(lab: Lab, world: EvolutionContext, options: EvolutionOptions) -> list[Contender | None]:
    """First ideas: each from another start, and, while there are enough, from other papers; the nearest go first."""
    labels = [entry.label for entry in world.shelf.entries][: _LEADS * options.population]
    dealt = cycle(lab.rng("evolution leads").sample(labels, len(labels)))
    jobs = []
    for number, start in enumerate(islice(cycle(_STARTS), options.population)):
        leads = sorted(set(islice(dealt, _LEADS)), key=labels.index)
        jobs.append(write_first_idea(lab, world, start, leads, number))
    return [Contender(one) if one else None for one in await run_concurrently(jobs)]


async def _offspring(
    lab: Lab, world: EvolutionContext, options: EvolutionOptions, history: _History, generation: int
) -> list[Contender | None]:
    """Ideas from the best of each group of similar ideas, so that no group dominates; variations in turn."""
    field = _parents(history)
    alike = await similarity_matrix(lab.library.embedder, field)
    first_of: dict[int, Contender] = {}
    for number, one in zip(similarity_groups(alike), field, strict=True):
        first_of.setdefault(number, one)
    leaders = list(first_of.values())
    jobs, ratings = [], []
    for number in range(options.offspring):
        turn = (generation - 1) * options.offspring + number
        parent = leaders[number % len(leaders)]
        way, parents = _match_up(_WAYS[turn % len(_WAYS)], parent, leaders, field)
        taken = [one.sketched.idea.title for one in history.pool.values() if one not in parents]
        jobs.append(write_variation(lab, world, way, parents, taken, history.lessons, turn))
        ratings.append(initial_rating(way, parents))
    made = zip(await run_concurrently(jobs), ratings, strict=True)
    return [Contender(one, rating=rating) if one else None for one, rating in made]


def _parents(history: _History) -> list[Contender]:
    """The ideas that are not known, best first; if all are known, all of them."""
    ranked = ranked_contenders(history.pool.values())
    return [one for one in ranked if not one.known] or ranked


def _match_up(
    way: Way, parent: Contender, leaders: Sequence[Contender], field: Sequence[Contender]
) -> tuple[Way, list[Contender]]:
    """Who an idea is made from: to combine, the best of another group joins in, or else the next best."""
    if way != "combine":
        return way, [parent]
    partner = next((one for one in (*leaders, *field) if one.id != parent.id), None)
    return ("combine", [parent, partner]) if partner else ("mend", [parent])


async def _play_round(lab: Lab, world: EvolutionContext, history: _History, playing: Sequence[str]) -> None:
    """One round: each idea is compared at most once, by every judge of the panel; then ratings are updated."""
    field = [history.pool[idea_id] for idea_id in playing]
    pairs = pairings(field, await similarity_matrix(lab.library.embedder, field), history.met)
    played = await run_concurrently(
        conduct(lab.models, compare_in_both_orders(world.topic, field[a].sketched.idea, field[b].sketched.idea, model))
        for a, b in pairs
        for model in lab.models.settings.roles.judges
    )
    history.met |= {frozenset((field[a].id, field[b].id)) for a, b in pairs}
    history.matches += played
    decided = pair_results(played)
    if len(decided) < len(pairs):
        history.notes.append(f"{len(pairs) - len(decided)} of {len(pairs)} comparisons of a round were unreadable.")
    after = updated_ratings({one.id: one.rating for one in field}, decided)
    busy = [idea_id for each in decided for idea_id in (each.first, each.second)]
    history.pool |= {
        one.id: replace(one, rating=after[one.id], played=one.played + busy.count(one.id)) for one in field
    }


async def _learn(
    lab: Lab,
    world: EvolutionContext,
    history: _History,
    playing: Sequence[str],
    matches: Sequence[tuple[Match, Match]],
    generation: int,
) -> None:
    """The lessons for the next generation; without a usable answer they stay the same."""
    with lab.run.step("meta-review"):
        field = ranked_contenders(history.pool[idea_id] for idea_id in playing)
        learnt = await derive_lessons(lab, world, field, matches, generation)
    if learnt is None:
        history.notes.append(f"Generation {generation}: the meta-review gave no usable answer.")
    history.lessons = learnt or history.lessons


async def _candidates(lab: Lab, world: EvolutionContext, history: _History) -> list[Candidate]:
    """Every idea, the best written up."""
    ranked = ranked_contenders(history.pool.values())
    if not ranked:
        history.notes.append("The writer gave no usable idea.")
        return []
    rates = win_rates(history.matches, [one.id for one in ranked])
    stand = [one.sketched.candidate.model_copy(update={"win_rate": rates[one.id]}) for one in ranked]
    best, papers = ranked[0], [entry.paper for entry in world.shelf.entries]
    written = await write_up_sketch(lab, world.topic, best.sketched, papers, _objections(best), world.filters)
    if written is None:
        history.notes.append("The best idea could not be written up, and remains in its short form.")
        return stand
    return [written.model_copy(update={"win_rate": rates[best.id]}), *stand[1:]]


def _objections(one: Contender) -> str:
    """The objections of its review, without its proposals."""
    if one.review is None:
        return ""
    return "\n".join((*one.review.weaknesses, f"A change that was proposed for the first of these: {one.review.mend}"))
