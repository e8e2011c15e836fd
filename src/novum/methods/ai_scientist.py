"""The AI Scientist: ideas one after the other, each refined by reflection and compared with the literature.

An author is shown the topic and everything that it came up with before, writes down one idea with marks for it, and
reflects on it until it is content. Then the literature is searched, round by round, for who has done it already. The
idea joins the archive, found known or not, and the next one must differ from all that is in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from novum.core import Candidate, Ideation, Paper, Topic
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.prior_work import is_known, novelty_check_of
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading import Bibliography

NAME = "ai-scientist"
_HITS = 6
"""Papers taken from each search."""
_SHOWN = 6
"""Papers from earlier searches shown in search prompts and in the write-up prompt."""
_MARKS = ("interestingness", "feasibility", "novelty")


class ScientistOptions(ConcludingOptions):
    """Rounds as in the source would be `reflections=2` and `searches=10`."""

    ideas: int = Field(
        3, ge=1, le=20, description="Number of ideas, written one after the other; each sees all earlier ones"
    )
    reflections: int = Field(2, ge=0, le=10, description="Most rounds of reflection; the author may stop earlier")
    searches: int = Field(
        2, ge=0, le=10, description="Most rounds of literature search for each idea, two queries each"
    )
    start_papers: int = Field(
        6, ge=0, le=20, description="Papers nearest to the topic that the author starts from; 0: none"
    )


class Thought(Answer):
    """The answer to `scientist_idea`."""

    reasoning: str = prose(1100, "what suggests the idea, and how it differs from every idea of the notebook")
    title: str = Field(description="specific title", min_length=4, json_schema_extra={"maxLength": 120})
    idea: str = prose(1800, "the problem, the mechanism that is to solve it, and why it should work")
    test: str = prose(1000, "how it would be tested: what is built or collected, compared with what, measured how")
    interestingness: int = Field(description="1 to 10, as the question explains", ge=1, le=10)
    feasibility: int = Field(description="1 to 10, as the question explains", ge=1, le=10)
    novelty: int = Field(description="1 to 10, as the question explains", ge=1, le=10)

    @property
    def marks(self) -> float:
        """Mean of the author's own marks, 1 to 10."""
        return (self.interestingness + self.feasibility + self.novelty) / 3


class Weakness(Answer):
    """What a reflection begins with: fields of a base class are asked for first."""

    weakness: str = prose(900, "what is weak about the idea as it stood, what was done about it, and what remains")


class Reflection(Thought, Weakness):
    """The answer to `scientist_reflection`: the idea as it stands now."""

    done: bool = Field(description="true when a further round would change nothing of weight")


class PriorSearches(Answer):
    """The answer to `scientist_searches`."""

    closest: str = prose(400, "which paper found so far comes nearest, and what a nearer one would have to report")
    queries: list[str] = listed(
        2, "search queries of 3 to 10 words; empty when enough has been seen", longest=120, few=1
    )


@dataclass(frozen=True)
class ArchivedIdea:
    """An earlier idea in the author's archive. `known_from`: title of the paper that contains it."""

    title: str
    idea: str
    known_from: str


@dataclass(frozen=True)
class _FinishedIdea:
    candidate: Candidate
    thought: Thought
    known_from: str


@dataclass(frozen=True)
class _Work:
    """The inputs that all ideas of a run share, and the notes on problems."""

    lab: Lab
    topic: Topic
    options: ScientistOptions
    start: tuple[Paper, ...]
    notes: list[str] = field(default_factory=list)

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)


@method(NAME, ScientistOptions)
async def ai_scientist(lab: Lab, topic: Topic, options: ScientistOptions) -> Ideation:
    """Ideas one after the other, each refined by reflection, scored by its author and searched for in the literature.

    Source: The AI Scientist (Lu et al. 2024), its first stage. From the source: the archive from which each idea must
    differ; rounds of reflection that the author may end; the author's scores for interestingness, feasibility and
    novelty; rounds of literature search with the author's own queries, and a decision. Changed: the author starts from
    the papers nearest to the topic, not from the code of an experiment; a decision that an idea is known must name the
    paper, and is made once, after all searches; such an idea is ranked last instead of dropped. Added: the author's
    test of the best idea is the first plan of its experiment. Left out: running it, the written paper and its review.
    Ideas are ordered by the author's scores.
    """
    with lab.run.step("papers"):
        hits = await lab.library.search(topic.text, options.start_papers, Filters(before=options.before))
    desk = _Work(lab, topic, options, tuple(hit.paper for hit in hits))
    if options.start_papers and not hits:
        desk.notes.append("The library holds no paper on this topic that the run may read: ideas start without papers.")
    made: list[_FinishedIdea] = []
    for number in range(1, options.ideas + 1):
        with lab.run.step(f"idea {number}"):
            try:
                made.append(await _write_idea(desk, made, number))
            except NoUsableAnswer:
                desk.notes.append(f"Idea {number}: the writer gave nothing usable.")
    ranked = _ranked(desk, made)
    plan = Bibliography(desk.start).spelled_out(ranked[0].thought.test) if ranked else ""
    candidates = [each.candidate for each in ranked]
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, notes=desk.notes, plan=plan))


async def _write_idea(desk: _Work, earlier: Sequence[_FinishedIdea], number: int) -> _FinishedIdea:
    """One idea from the first request to its novelty check. Raises NoUsableAnswer without a usable answer."""
    thought, weak = await _thought(desk, earlier, number)
    marks = ", ".join(f"{name} {getattr(thought, name)}" for name in _MARKS)
    desk.lab.run.emit("note", text=f"{thought.title} (its author's marks: {marks})")
    with desk.lab.run.step("searches"):
        prior_work = await _search_prior_work(desk, thought, number)
    with desk.lab.run.step("writing up"):
        new = [paper for paper in prior_work if paper not in desk.start]
        material = WriteUpMaterial(_sections(thought, weak), [*desk.start, *new[:_SHOWN]])
        draft = await write_up(desk.lab, desk.topic, material, desk.filters, generator=NAME, sample=number)
    with desk.lab.run.step("novelty check"):
        check = await novelty_check_of(desk.lab, draft, [*desk.start, *prior_work], desk.filters)
    closest = desk.lab.library.get(check.closest_id) if check.novel is False and check.closest_id else None
    return _FinishedIdea(Candidate(idea=draft.idea, checks=(check,)), thought, closest.title if closest else "")


async def _thought(desk: _Work, earlier: Sequence[_FinishedIdea], number: int) -> tuple[Thought, list[str]]:
    """The idea when its author is satisfied or the rounds are used up, and the weakness that each round found."""
    shelf = Bibliography(desk.start)
    archive = [ArchivedIdea(each.thought.title, each.thought.idea, each.known_from) for each in earlier]
    needs = {"topic": desk.topic.text, "papers": shelf.entries, "archive": archive}
    with desk.lab.run.step("first thought"):
        thought = await desk.lab.models.ask(Question("scientist_idea", needs, Thought, sample=number))
    weak: list[str] = []
    for turn in range(1, desk.options.reflections + 1):
        with desk.lab.run.step(f"reflection {turn}"):
            more = needs | {"thought": thought, "weak": tuple(weak), "left": desk.options.reflections - turn}
            try:
                again = await desk.lab.models.ask(
                    Question("scientist_reflection", more, Reflection, sample=number * 100 + turn)
                )
            except NoUsableAnswer:
                desk.notes.append(f"Idea {number}: reflection {turn} gave nothing usable; the idea is unchanged.")
                break
        thought = again
        weak.append(again.weakness)
        if again.done:
            break
    return thought, weak


async def _search_prior_work(desk: _Work, thought: Thought, number: int) -> list[Paper]:
    """Papers found by the author's searches for prior work, nearest to the idea first."""
    text, papers, sent = f"{thought.title}\n{thought.idea}", list[Paper](), list[str]()
    for _ in range(desk.options.searches):
        needs = {
            "topic": desk.topic.text,
            "title": thought.title,
            "idea": thought.idea,
            "papers": Bibliography(papers[:_SHOWN]).entries,
            "asked": tuple(sent),
        }
        try:
            answer = await desk.lab.models.ask(Question("scientist_searches", needs, PriorSearches, role="reader"))
        except NoUsableAnswer:
            desk.notes.append(f"Idea {number}: no usable request for a search of prior work; it ended early.")
            break
        queries = [each for each in dict.fromkeys(answer.queries[:2]) if each.strip() and each not in sent]
        if not queries:
            break
        sent += queries
        for query in queries:
            papers += [hit.paper for hit in await desk.lab.library.search(query, _HITS, desk.filters)]
        papers = [hit.paper for hit in await desk.lab.library.rank(text, _unique(papers))]
    return papers


def _sections(thought: Thought, weak: Sequence[str]) -> list[MaterialSection]:
    seen = MaterialSection(
        "Weaknesses of earlier versions, what was done about them, and what remains", "\n".join(weak)
    )
    return [
        MaterialSection("What suggests it, in the author's words", thought.reasoning),
        *([seen] if weak else []),
        MaterialSection("Test", thought.test),
        MaterialSection(f"Idea: {thought.title}", thought.idea),
    ]


def _unique(papers: Sequence[Paper]) -> list[Paper]:
    return list({paper.id: paper for paper in papers}.values())


def _ranked(desk: _Work, made: Sequence[_FinishedIdea]) -> list[_FinishedIdea]:
    """Best first: known ideas last, then by the author's scores, then in the order of generation."""
    different = list({each.candidate.idea.id: each for each in reversed(made)}.values())[::-1]
    if duplicates := len(made) - len(different):
        desk.notes.append(f"{duplicates} of the ideas were identical to another one.")
    return sorted(different, key=lambda each: (is_known(each.candidate), -each.thought.marks))
