"""The steps of the method: papers, seeds, removal of near-duplicates, proposals, tournament."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from novum.core import Candidate, Ideation, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Question
from novum.methods.ai_researcher.ranking import TournamentResult, play_tournament
from novum.methods.ai_researcher.retrieval import RetrievalLimits, retrieve_papers
from novum.methods.ai_researcher.seeds import Seed, SeedBatches, generate_seeds, without_near_duplicates
from novum.methods.experiment_design import find_visible_paper
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.proposal import Draft, Proposal, draft_from_proposal
from novum.reading import Bibliography
from novum.statistics.win_rates import win_rates

NAME = "ai-researcher"
_PAPERS_PER_PROPOSAL = 8


class ResearcherOptions(ConcludingOptions):
    """The source has some 4,000 seeds a topic, and 5 rounds over all of those that differ."""

    searches: int = Field(
        2, ge=1, le=5, description="Rounds of search for papers, each knowing the results of the last one"
    )
    kept_papers: int = Field(12, ge=1, le=40, description="Best-graded papers that seeds and proposals are based on")
    seeds: int = Field(20, ge=1, le=500, description="Number of short ideas, half of them written with papers")
    batch: int = Field(5, ge=1, le=10, description="Seeds per request")
    similarity: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Cosine to an earlier seed from which a seed is a near-duplicate and dropped; 1: none is",
    )
    proposals: int = Field(8, ge=1, le=100, description="Most seeds that are written out, random ones if more are left")
    rounds: int = Field(5, ge=1, le=20, description="Rounds of the tournament between proposals")


@method(NAME, ResearcherOptions)
async def ai_researcher(lab: Lab, topic: Topic, options: ResearcherOptions) -> Ideation:
    """Many short ideas without near-duplicates, written out and ranked in a Swiss tournament.

    Source: Can LLMs Generate Novel Research Ideas? (Si et al. 2024), section 3. From the source: searches and look-ups
    of reference lists that the model requests; papers graded by relevance, empirical work and usefulness; seeds in
    batches that see the titles of earlier ones, half with papers and half without; near-duplicates by cosine; a full
    proposal for each seed; a Swiss tournament with the question which of two proposals was accepted. Changed: far fewer
    seeds by default; each pair is judged in both orders, and a preference that changes with the order is a tie; the
    tournament counts points per match. Left out: worked examples in the prompts, the filter of finished proposals, the
    change of writing style (all proposals have the common form), and the experts who wrote and reviewed.
    """
    notes: list[str] = []
    filters = Filters(before=options.before)
    with lab.run.step("papers"):
        papers = await retrieve_papers(
            lab, topic, RetrievalLimits(options.kept_papers, options.searches, filters), notes
        )
    if not papers:
        notes.append("The library holds no paper on this topic that the run may read: ideas use no papers.")
    with lab.run.step("seeds"):
        seeds = await generate_seeds(lab, topic, papers, SeedBatches(options.seeds, options.batch), notes)
        chosen = await _choose_seeds(lab, options, seeds, notes)
    with lab.run.step("proposals"):
        candidates = await _write_proposals(lab, topic, options, papers, chosen, notes)
    with lab.run.step("tournament"):
        played = await play_tournament(lab, topic, [each.idea for each in candidates], options.rounds)
    return await ideation_from(
        lab, topic, MethodOutcome(NAME, options, _ranked(candidates, played), played.matches, notes)
    )


async def _choose_seeds(lab: Lab, options: ResearcherOptions, seeds: Sequence[Seed], notes: list[str]) -> list[Seed]:
    """The seeds that are written out, in the order of generation; the notes name the others."""
    if not seeds:
        notes.append("The writer gave no usable seeds.")
        return []
    different = await without_near_duplicates(lab, seeds, options.similarity)
    if duplicates := len(seeds) - len(different):
        notes.append(f"{duplicates} of {len(seeds)} seeds were dropped as near-duplicates of another one.")
    if len(different) <= options.proposals:
        return different
    drawn = sorted(lab.rng(f"{NAME}, seeds written out").sample(range(len(different)), options.proposals))
    left = [seed.title for place, seed in enumerate(different) if place not in drawn]
    notes.append(f"Not written out, because others were drawn: {'; '.join(f'«{title}»' for title in left)}.")
    return [different[place] for place in drawn]


async def _write_proposals(
    lab: Lab, topic: Topic, options: ResearcherOptions, papers: Sequence[Paper], seeds: Sequence[Seed], notes: list[str]
) -> list[Candidate]:
    """A proposal for each seed, no two the same."""
    drafts = await run_concurrently(
        _proposal(lab, topic, options, papers, seed, number) for number, seed in enumerate(seeds, 1)
    )
    notes += [
        f"The writer gave no usable proposal for the seed «{seed.title}»."
        for seed, draft in zip(seeds, drafts, strict=True)
        if draft is None
    ]
    ideas = {draft.idea.id: draft.idea for draft in reversed(drafts) if draft is not None}
    return [Candidate(idea=idea) for idea in reversed(ideas.values())]


async def _proposal(
    lab: Lab, topic: Topic, options: ResearcherOptions, papers: Sequence[Paper], seed: Seed, number: int
) -> Draft | None:
    """The seed written out over the papers that are nearest to it; None when the writer gives nothing usable."""
    near = [hit.paper for hit in await lab.library.rank(seed.text, papers)][:_PAPERS_PER_PROPOSAL]
    shelf = Bibliography(near)
    needs = {"topic": topic.text, "seed": seed, "papers": shelf.entries}
    try:
        answer = await lab.models.ask(Question("researcher_proposal", needs, Proposal, sample=number))
    except NoUsableAnswer:
        return None
    filters = Filters(before=options.before)
    return draft_from_proposal(
        answer, topic, shelf, lambda title: find_visible_paper(lab, title, filters), generator=NAME
    )


def _ranked(candidates: Sequence[Candidate], played: TournamentResult) -> list[Candidate]:
    """By points of the tournament; equals stay in the order of their seeds."""
    rates = win_rates(played.matches, [each.idea.id for each in candidates])
    ordered = sorted(candidates, key=lambda each: -played.rates[each.idea.id])
    return [each.model_copy(update={"win_rate": rates[each.idea.id]}) for each in ordered]
