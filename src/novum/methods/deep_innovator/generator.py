"""DeepInnovator as a method: a context from the library, a first idea, and improved ideas under comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from novum.core import Candidate, DraftComment, Idea, Ideation, Match, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.judges.pair import compare_in_both_orders
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import conduct
from novum.methods.deep_innovator.episode import Episode
from novum.methods.deep_innovator.refining import EpisodeTask, play_episode, rank_versions, version_of
from novum.methods.deep_innovator.sources import ContextPapers, context_chain, context_papers
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading.research_context.building import context_of_papers
from novum.reading.research_context.encoding import CONTEXT_TOKENS, encode_context
from novum.statistics.win_rates import win_rates

NAME = "deep-innovator"
_ENDS = {
    "no idea": "A response of the writer held no idea, so refinement ended there.",
    "no comment": "The comment model gave no usable comment, so refinement ended there.",
    "satisfied": "The comment model found nothing serious, so refinement ended there.",
}


class DeepInnovatorOptions(ConcludingOptions):
    """What the context is made from, and how long ideas are refined."""

    papers: int = Field(16, ge=2, le=100, description="Papers whose ideas make the context")
    nearest: int = Field(4, ge=1, le=40, description="Papers found by search; the others are among their references")
    rounds: int = Field(3, ge=0, le=5, description="Comments on an idea, each followed by an improved idea")
    ideas: int = Field(1, ge=1, le=10, description="Ideas from one context, each refined by itself, then compared")
    tokens: int = Field(CONTEXT_TOKENS, ge=256, le=100_000, description="Limit of the context in tokens")
    small_prompts: bool = Field(
        False, description="Short prompts for the writer, as a very small policy was trained on"
    )
    write_up: bool = Field(True, description="Write the best version up in the form that all methods share")


@method(NAME, DeepInnovatorOptions)
async def deep_innovator(lab: Lab, topic: Topic, options: DeepInnovatorOptions) -> Ideation:
    """An idea from a structured context of the literature, refined under comments; its best version is kept.

    Source: DeepInnovator (sections 3 and 4.1 to 4.3). From the source: ideas extracted from papers, grouped, related
    and condensed into insights, trends and unexpected links; a first idea; comments without scores; up to 5 improved
    ideas. Changed: the context comes from the papers nearest to the topic and their references, since there is no
    target paper; the best version is chosen by judges that compare successive versions, instead of the last one;
    it is written up in the form that all methods share. A model trained with `novum train next-idea` is used as the
    writer of the run.
    """
    filters = Filters(before=options.before)
    with lab.run.step("papers"):
        papers = await context_papers(lab, topic, options.papers, options.nearest, filters)
    if not papers.all:
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=[_nothing_found(filters)]))
    with lab.run.step("context"):
        context = await context_of_papers(lab.models, lab.library, papers.all)
    if not context.ideas:
        return await ideation_from(lab, topic, MethodOutcome(NAME, options, (), notes=context.notes))
    work = _Work(lab, topic, options, papers, encode_context(context, options.tokens).text)
    made = await run_concurrently(_refined(work, number) for number in range(options.ideas))
    usable = [each for each in made if each.candidate]
    ranked, matches = await _ranked(work, [each.candidate for each in usable if each.candidate])
    notes = [*context.notes, *dict.fromkeys(note for each in made for note in each.notes)]
    matches = [*(pair for each in made for pair in each.matches), *matches]
    chain = context_chain(topic, papers, context)
    candidates = [each.model_copy(update={"chain": chain}) for each in ranked]
    outcome = MethodOutcome(NAME, options, candidates, matches, notes, context=context)
    return await ideation_from(lab, topic, outcome)


@dataclass(frozen=True)
class _Work:
    lab: Lab
    topic: Topic
    options: DeepInnovatorOptions
    papers: ContextPapers
    context: str


@dataclass(frozen=True)
class _Refined:
    """One refined idea; without a candidate the writer gave none."""

    candidate: Candidate | None
    matches: tuple[tuple[Match, Match], ...] = ()
    notes: tuple[str, ...] = ()


async def _refined(work: _Work, number: int) -> _Refined:
    lab, topic = work.lab, work.topic
    with lab.run.step("refinement"):
        episode = await play_episode(
            lab, EpisodeTask(topic.text, work.context, work.options.rounds, number, work.options.small_prompts)
        )
    notes = _notes(episode)
    if not episode.ideas:
        return _Refined(None, notes=(*notes, "The writer gave no usable idea."))
    versions = [version_of(each, topic, NAME) for each in episode.ideas]
    with lab.run.step("comparison"):
        ranked = await rank_versions(lab, topic, versions)
    best = ranked.versions[ranked.best]
    final = await _written_up(work, best, number) if work.options.write_up else best
    earlier = tuple(each for each in ranked.versions if each.id != final.id)
    comments = tuple(
        DraftComment(draft_id=version.id, text=text)
        for version, text in zip(versions, episode.comments, strict=False)  # there is none on the last version
    )
    return _Refined(Candidate(idea=final, earlier_drafts=earlier, comments=comments), ranked.matches, notes)


def _notes(episode: Episode) -> tuple[str, ...]:
    ended = _ENDS.get(episode.ended, "")
    malformed = sum(not each.well_formed for each in episode.ideas)
    counted = (
        (malformed, "versions of the idea lack a part or its marks."),
        (episode.scores_removed, "sentences with a score were removed from comments."),
    )
    return (*filter(None, (ended,)), *(f"{many} {what}" for many, what in counted if many))


async def _written_up(work: _Work, best: Idea, number: int) -> Idea:
    """The best version in the common form; as it is where the writer gives nothing usable."""
    sections = [
        MaterialSection(heading, text)
        for heading, text in (
            ("The problem", best.motivation),
            ("How it works", best.method),
            ("What is new", best.novelty),
            ("The idea in short", best.summary),
            ("Title so far", best.title),
        )
        if text
    ]
    try:
        with work.lab.run.step("write-up"):
            draft = await write_up(
                work.lab, work.topic, WriteUpMaterial(sections, work.papers.all),
                Filters(before=work.options.before), generator=NAME, sample=number,
            )  # fmt: skip
    except NoUsableAnswer:
        return best
    return draft.idea


async def _ranked(work: _Work, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[tuple[Match, Match]]]:
    """The candidates by their win rates against each other, and the matches."""
    if len(candidates) < 2:
        return list(candidates), []
    pairs = [(one, other) for at, one in enumerate(candidates) for other in candidates[at + 1 :]]
    with work.lab.run.step("comparison"):
        matches = await run_concurrently(
            conduct(work.lab.models, compare_in_both_orders(work.topic, one.idea, other.idea, judge))
            for one, other in pairs
            for judge in work.lab.models.settings.roles.judges
        )
    rates = win_rates(matches, [each.idea.id for each in candidates])
    rated = [each.model_copy(update={"win_rate": rates[each.idea.id]}) for each in candidates]
    return sorted(rated, key=lambda each: -(each.win_rate or 0.0)), matches


def _nothing_found(filters: Filters) -> str:
    sure = f" that was surely published before {filters.before}" if filters.before else ""
    return f"The library holds no paper on this topic{sure}."
