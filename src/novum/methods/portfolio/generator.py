"""The steps of the method: seeds from several sources, screening, tournament, development, comparison."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core import Candidate, Ideation, SeedOrigin, Topic
from novum.core.concurrency import run_concurrently
from novum.core.seed_origin import WHOLE_DRAFT, SeedFate
from novum.lab import Lab
from novum.literature import Filters
from novum.methods.chain_of_ideas.comparison import compare_candidates, ranked
from novum.methods.finishing import MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.portfolio.development import DevelopedSeed, SeedWork, develop_seed, plain_draft
from novum.methods.portfolio.options import NAME, PortfolioOptions
from novum.methods.portfolio.screening import (
    DuplicateSeed,
    ScreenedSeed,
    screen_seeds,
    without_near_duplicates,
)
from novum.methods.portfolio.seeds import PortfolioSeed, write_seeds
from novum.methods.portfolio.selection import RankedSeed, rank_seeds
from novum.methods.portfolio.sources import SourceContext, seed_requests
from novum.reports.phrases import count

_FOR_SMALL_MODELS = {
    "sources": ("chain", "assumption", "plain"),
    "seeds": 6,
    "chains": 1,
    "tournament_rounds": 0,
    "developed": 2,
    "drafts": 0,
    "critics": 1,
    "attack_rounds": 1,
    "compare_revisions": False,
}
"""What the small offline model can do: it cannot compare texts."""


@method(NAME, PortfolioOptions)
async def portfolio(lab: Lab, topic: Topic, options: PortfolioOptions) -> Ideation:
    """Many short ideas from different sources, of which the best are developed, attacked by critics, and revised.

    Source: none; a method of Novum's own. It takes up what studies of ideation agree on: to generate many ideas, to
    force variety on their sources, and to choose among them (Si et al. 2024; Gottweis et al. 2025). Short chains of
    linked papers are from Chain of Ideas, problems and concepts from SPARK, the Swiss tournament from Si et al. Own:
    opportunities, analogies found by retrieval and inverted assumptions as further sources; a whole draft, written from
    the topic alone, that joins the final comparison, as it is sometimes the best; screening in which only a
    named paper removes a seed; attacks that name the strongest objection, the closest paper, the cheapest check and
    the strongest rival; revisions that answer each of them, and that judges must prefer to the draft in both orders.
    Every seed keeps its source.
    """
    notes: list[str] = []
    small = lab.models.model_for("writer").provider.small
    work = options.model_copy(update=_FOR_SMALL_MODELS) if small else options
    with lab.run.step("seeds"):
        seeds = await _seeds(lab, topic, work, notes)
    distinct, dropped = await without_near_duplicates(lab, seeds, work.similarity)
    if dropped:
        notes.append(f"{len(dropped)} of {len(seeds)} seeds were dropped as near-duplicates of another one.")
    with lab.run.step("screening"):
        screened = await _screened(lab, topic, work, distinct, notes, small=small)
    remaining = [each for each in screened if not each.contained]
    with lab.run.step("tournament"):
        order = await rank_seeds(lab, topic, work, remaining, notes)
    chosen = order[: work.developed]
    results = await run_concurrently(
        [
            *(_developed(lab, topic, work, each) for each in chosen),
            *(_whole_draft(lab, topic, work, number) for number in range(1, work.drafts + 1)),
        ]
    )
    made, drafts = results[: len(chosen)], [each for each in results[len(chosen) :] if each is not None]
    notes += [note for each in made if each is not None for note in each.notes]
    notes += [
        f"The writer gave no usable draft for the seed {each.screened.seed.name}."
        for each, developed in zip(chosen, made, strict=True)
        if developed is None
    ]
    if lacking := work.drafts - len(drafts):
        notes.append(f"{lacking} of {count(work.drafts, 'whole draft')} were not usable.")
    candidates = _candidates(lab, topic, work, chosen, made, drafts)
    matches = await compare_candidates(lab, topic, candidates)
    origins = [*_origins(order, chosen, made), *_anticipated(screened), *_duplicates(dropped)]
    by_number = [origin for _, origin in sorted(origins, key=lambda each: each[0])]
    outcome = MethodOutcome(
        NAME,
        options,
        ranked(candidates, matches),
        matches,
        notes,
        origins=[*by_number, *map(_origin_of_draft, drafts)],
    )
    return await ideation_from(lab, topic, outcome)


async def _seeds(lab: Lab, topic: Topic, options: PortfolioOptions, notes: list[str]) -> list[PortfolioSeed]:
    requests = await seed_requests(SourceContext(lab, topic, options, notes))
    with lab.run.step("writing"):
        seeds = await write_seeds(lab, topic, requests, options.seeds, Filters(before=options.before), notes)
    if not seeds:
        notes.append("The writer gave no usable seeds.")
    return seeds


async def _screened(
    lab: Lab, topic: Topic, options: PortfolioOptions, seeds: Sequence[PortfolioSeed], notes: list[str], *, small: bool
) -> list[ScreenedSeed]:
    if small:
        notes.append("The small offline model wrote few seeds, and neither screened nor compared them.")
        return [ScreenedSeed(seed) for seed in seeds]
    return await screen_seeds(lab, topic, options, seeds, notes)


async def _developed(lab: Lab, topic: Topic, options: PortfolioOptions, chosen: RankedSeed) -> DevelopedSeed | None:
    with lab.run.step(f"seed {chosen.screened.seed.number}"):
        lab.run.emit("note", text=chosen.screened.seed.title)
        return await develop_seed(SeedWork(lab, topic, options, chosen.screened))


async def _whole_draft(lab: Lab, topic: Topic, options: PortfolioOptions, number: int) -> DevelopedSeed | None:
    with lab.run.step(f"whole draft {number}"):
        return await plain_draft(lab, topic, Filters(before=options.before), number)


def _candidates(
    lab: Lab,
    topic: Topic,
    options: PortfolioOptions,
    chosen: Sequence[RankedSeed],
    made: Sequence[DevelopedSeed | None],
    drafts: Sequence[DevelopedSeed],
) -> list[Candidate]:
    """The developed ideas and the whole drafts, each once."""
    candidates = [
        developed.candidate(SeedWork(lab, topic, options, each.screened))
        for each, developed in zip(chosen, made, strict=True)
        if developed is not None
    ]
    candidates += [Candidate(idea=each.draft.idea, checks=each.checks) for each in drafts]
    return list({candidate.idea.id: candidate for candidate in candidates}.values())


# -- where every seed came from, and what became of it -----------------------------------------------------------------

_NumberedOrigin = tuple[int, SeedOrigin]


def _origins(
    order: Sequence[RankedSeed], chosen: Sequence[RankedSeed], made: Sequence[DevelopedSeed | None]
) -> list[_NumberedOrigin]:
    developed_of = {each.screened.seed.number: developed for each, developed in zip(chosen, made, strict=True)}
    origins = []
    for each in order:
        number = each.screened.seed.number
        fate: SeedFate = "not chosen" if number not in developed_of else "developed"
        developed = developed_of.get(number)
        if fate == "developed" and developed is None:
            fate = "not written up"
        origin = _origin(each.screened, fate).model_copy(
            update={
                "win_rate": each.win_rate,
                "idea_id": developed.draft.idea.id if developed else "",
                "objections": developed.objections if developed else (),
            }
        )
        origins.append((number, origin))
    return origins


def _origin_of_draft(draft: DevelopedSeed) -> SeedOrigin:
    idea = draft.draft.idea
    return SeedOrigin(
        source=WHOLE_DRAFT, title=idea.title, problem=idea.motivation, mechanism=idea.mechanism,
        test=idea.check, fate="developed", idea_id=idea.id,
    )  # fmt: skip


def _anticipated(screened: Sequence[ScreenedSeed]) -> list[_NumberedOrigin]:
    return [(each.seed.number, _origin(each, "anticipated")) for each in screened if each.contained]


def _duplicates(dropped: Sequence[DuplicateSeed]) -> list[_NumberedOrigin]:
    return [(each.seed.number, _origin(ScreenedSeed(each.seed), "near-duplicate", each.like.title)) for each in dropped]


def _origin(each: ScreenedSeed, fate: SeedFate, like: str = "") -> SeedOrigin:
    seed = each.seed
    parts = {name: getattr(seed, name) for name in ("source", "title", "problem", "mechanism", "test", "nearest")}
    return SeedOrigin(
        **parts,
        paper_ids=tuple(paper.id for paper in seed.papers),
        fate=fate,
        like=like,
        closest_id=each.closest.id if each.closest else None,
        finding=each.finding,
        promise=each.promise,
    )
