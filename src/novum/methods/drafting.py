"""Drafts of a simple method, with the treatment that ideas of Chain of Ideas get.

A comparison of methods is to show what their structure is worth. So a plain prompt can have as many drafts, the same
novelty check and the same write-up: what is left as a difference is what the writer saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Protocol

import numpy as np
from pydantic import Field

from novum.core import Candidate, Idea, Match, NoveltyCheck, Paper, Topic
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.idea_metrics.near_duplicates import distinct_rows
from novum.judges.pair import CheckedIdea, compare_checked_ideas
from novum.lab import Lab
from novum.literature import Filters
from novum.literature.embedding import vectors_of
from novum.llm import conduct
from novum.methods.finishing import ConcludingOptions
from novum.methods.prior_work import finding_text, is_known, novelty_check_of
from novum.methods.proposal import Draft, RejectedDraft
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.statistics.best_item import pairs_about_best, probability_of_leader, strength_posterior
from novum.statistics.ranking_posterior import Comparisons
from novum.statistics.win_rates import position_free_points, win_rates

SIMILARITY = 0.95
"""Cosine of two drafts from which the later one is a near-duplicate. Drafts on one topic are alike in any case."""
_SURE = 0.95
"""Probability of the best draft from which no more pairs are compared."""
_ROUNDS = 3
"""Most versions of a draft while the novelty check finds it known, as by default in Chain of Ideas."""
_CHECKED = 3
"""Most drafts that `check_best` checks."""
_SAMPLES = 1000
"""Distance of the sample numbers of two versions: more than there are drafts."""


class DraftingOptions(ConcludingOptions):
    """Options that give a simple method the treatment of Chain of Ideas, so that comparisons isolate structure."""

    drafts: int = Field(
        1, ge=1, le=100, description="Drafts of the idea; near-duplicates are dropped, and the best one is chosen"
    )
    comparisons: int = Field(
        24, ge=0, le=1000, description="Most pairs of drafts that are compared, each in both orders by every judge"
    )
    novelty: bool = Field(False, description="Check each draft against the nearest papers, and revise it where known")
    check_best: bool = Field(
        False, description="Check the best draft against the nearest papers; where it is known, the next best, up to 3"
    )
    write_up: bool = Field(False, description="Have each draft written up by the step that other methods end with")


class DraftWriter(Protocol):
    """Writes a draft. `sent_back`: earlier versions that were found to be known. `sample` distinguishes equal requests.
    Raises NoUsableAnswer."""

    async def __call__(self, sent_back: Sequence[RejectedDraft], sample: int) -> Draft: ...


@dataclass(frozen=True)
class DraftedIdeas:
    """Candidates, the best first, the matches that ranked them, and sentences on what is missing."""

    candidates: tuple[Candidate, ...]
    matches: tuple[tuple[Match, Match], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class DraftingTask:
    """What drafts are made from: the topic, the papers that the writer sees, and the writer. `generator`: the name of
    the method."""

    topic: Topic
    options: DraftingOptions
    papers: Sequence[Paper]
    write: DraftWriter
    generator: str

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)


async def drafted_ideas(lab: Lab, task: DraftingTask) -> DraftedIdeas:
    """All drafts, written side by side; without near-duplicates, compared, the best first."""
    with lab.run.step("idea"):
        made = await run_concurrently(_candidate(lab, task, number) for number in range(task.options.drafts))
    usable = [each.candidate for each in made if each is not None]
    if not usable:
        return DraftedIdeas((), notes=("The writer gave no usable idea.",))
    notes = [f"{lacking} of {len(made)} drafts were not usable."] if (lacking := len(made) - len(usable)) else []
    distinct = await _without_near_duplicates(lab, usable, notes)
    matches, strengths = await _compare(lab, task, distinct)
    rates = win_rates(matches, [each.idea.id for each in distinct])
    order = sorted(range(len(distinct)), key=lambda place: (is_known(distinct[place]), -strengths[place]))
    ranked = [distinct[place].model_copy(update={"win_rate": rates[distinct[place].idea.id]}) for place in order]
    if task.options.check_best and not task.options.novelty:
        drafts = {each.candidate.idea.id: each.draft for each in made if each is not None}
        ranked = await _checked_from_the_best(lab, task, ranked, drafts)
    return DraftedIdeas(tuple(ranked), tuple(matches), tuple(notes))


async def _checked_from_the_best(
    lab: Lab, task: DraftingTask, ranked: Sequence[Candidate], drafts: Mapping[str, Draft]
) -> list[Candidate]:
    """The candidates in their order, the first ones with a check until one is not known; those that are known last."""
    checked = list(ranked)
    with lab.run.step("novelty"):
        for place, each in enumerate(ranked[:_CHECKED]):
            check = await novelty_check_of(lab, drafts[each.idea.id], task.papers, task.filters)
            checked[place] = each.model_copy(update={"checks": (check,)})
            if not is_known(checked[place]):
                break
    return sorted(checked, key=is_known)  # stable


@dataclass(frozen=True)
class _Drafted:
    """A candidate, and the last version of its draft."""

    candidate: Candidate
    draft: Draft


async def _candidate(lab: Lab, task: DraftingTask, number: int) -> _Drafted | None:
    """One draft with its later versions and checks; None when the writer gives nothing usable."""
    checks: list[NoveltyCheck] = []
    sent_back: list[RejectedDraft] = []
    draft: Draft | None = None
    for turn in range(_ROUNDS if task.options.novelty else 1):
        try:
            draft = await _version(lab, task, sent_back, number + _SAMPLES * turn)
        except NoUsableAnswer:
            break
        if not task.options.novelty:
            break
        check = await novelty_check_of(lab, draft, task.papers, task.filters, turn=turn + 1)
        checks.append(check)
        if check.novel is not False and (check.known != "partly" or turn > 0):
            break
        sent_back.append(
            RejectedDraft(draft.idea, check, lab.library.get(check.closest_id) if check.closest_id else None)
        )
    if draft is None:
        return None
    earlier = tuple(each.idea for each in sent_back if each.idea.id != draft.idea.id)
    return _Drafted(Candidate(idea=draft.idea, earlier_drafts=earlier, checks=tuple(checks)), draft)


async def _version(lab: Lab, task: DraftingTask, sent_back: Sequence[RejectedDraft], sample: int) -> Draft:
    draft = await task.write(sent_back, sample)
    if not task.options.write_up:
        return draft
    material = WriteUpMaterial(_sections(draft.idea), task.papers)
    return await write_up(lab, task.topic, material, task.filters, generator=task.generator, sample=sample)


def _sections(idea: Idea) -> list[MaterialSection]:
    """The parts of a draft as material of a write-up. The short form comes last: a small model sees that alone."""
    parts = (
        ("The problem", idea.motivation),
        ("The mechanism", idea.mechanism),
        ("What is new", idea.novelty),
        ("How it works", idea.method),
        ("What it rests on", idea.assumption),
        ("How this could be refuted", idea.check),
        ("Its strongest rival", idea.rival),
        ("What could not be checked", idea.unchecked),
        ("The idea in short", f"{idea.title}. {idea.summary}"),
    )
    return [MaterialSection(heading, text) for heading, text in parts if text]


async def _without_near_duplicates(lab: Lab, candidates: Sequence[Candidate], notes: list[str]) -> list[Candidate]:
    """The candidates that resemble no earlier one; a note names the others."""
    if len(candidates) < 2:
        return list(candidates)
    texts = [f"{each.idea.title}\n{each.idea.mechanism}\n{each.idea.summary}" for each in candidates]
    places = set(distinct_rows(await vectors_of(lab.library.embedder, texts), SIMILARITY))
    dropped = [f"«{each.idea.title}»" for place, each in enumerate(candidates) if place not in places]
    if dropped:
        notes.append(f"Dropped as near-duplicates of another draft: {'; '.join(dropped)}.")
    return [each for place, each in enumerate(candidates) if place in places]


async def _compare(
    lab: Lab, task: DraftingTask, candidates: Sequence[Candidate]
) -> tuple[list[tuple[Match, Match]], list[float]]:
    """The matches, and the strength of each candidate: rounds of those pairs that tell most about the best one."""
    count = len(candidates)
    comparisons, judged = Comparisons.none(count), np.eye(count, dtype=bool)
    checked = [CheckedIdea(each.idea, finding_text(each, lab.library)) for each in candidates]
    draws = np.random.default_rng(lab.rng(f"{task.generator}, comparison").getrandbits(64))
    matches: list[tuple[Match, Match]] = []
    posterior, left = strength_posterior(comparisons), task.options.comparisons if count > 1 else 0
    with lab.run.step("comparison"):
        while left > 0 and (not matches or probability_of_leader(posterior) < _SURE):
            pairs = pairs_about_best(posterior, judged, draws)[:left]
            if not pairs:
                break
            left -= len(pairs)
            met = await _judge_pairs(lab, task.topic, [(checked[one], checked[other]) for one, other in pairs])
            first, second = np.array(pairs, dtype=np.int64).T
            judged[first, second] = judged[second, first] = True
            comparisons += Comparisons.of(count, first, second, np.array([_score(each) for each in met]))
            posterior = strength_posterior(comparisons)
            matches += [match for of_pair in met for match in of_pair]
    return matches, posterior.strengths.tolist()


async def _judge_pairs(
    lab: Lab, topic: Topic, pairs: Sequence[tuple[CheckedIdea, CheckedIdea]]
) -> list[list[tuple[Match, Match]]]:
    """For each pair the matches of every judge of the panel, in both orders."""
    panel = lab.models.settings.roles.judges
    met = await run_concurrently(
        conduct(lab.models, compare_checked_ideas(topic, one, other, judge)) for one, other in pairs for judge in panel
    )
    return [met[place : place + len(panel)] for place in range(0, len(met), len(panel))]


def _score(matches: Sequence[tuple[Match, Match]]) -> float:
    """The mean share of the first of a pair over judges and criteria, 0 to 1; NaN when nothing was decided."""
    points = [point for there, back in matches for point in position_free_points(there, back).values()]
    return mean(points) if points else float("nan")
