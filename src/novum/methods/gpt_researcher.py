"""GPT-Researcher: planned questions, each answered from its own sources, a report, and an idea from the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from novum.core import Candidate, Ideation, Topic, normal_title, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature import Filters
from novum.llm import Answer, Question, listed, prose
from novum.methods.finishing import ConcludingOptions, MethodOutcome, ideation_from
from novum.methods.method import method
from novum.methods.writing_up import MaterialSection, WriteUpMaterial, write_up
from novum.reading import Bibliography, Labelled

NAME = "gpt-researcher"
_NEARBY = 8
_ITSELF = "What is known on the topic itself?"


class GptResearcherOptions(ConcludingOptions):
    """Options of the number of questions and papers."""

    questions: int = Field(4, ge=1, le=8, description="Questions to research; the topic itself is the first one")
    papers: int = Field(5, ge=1, le=12, description="Most papers read for each question")


class SubQuestion(Answer):
    """One thing to find out."""

    question: str = prose(240, "one question that papers can answer")
    query: str = prose(120, "search query of 3 to 10 words in the terms of the field")


class Plan(Answer):
    """The answer to `gpt_researcher_plan`."""

    questions: list[SubQuestion] = listed(8, "as many as asked for", least=1)


class Findings(Answer):
    """The answer to `gpt_researcher_findings`."""

    answer: str = prose(1800, "what these papers say to the question, labels behind it; empty if none bears on it")
    lacking: str = prose(500, "what the question asks and these papers do not tell; empty if nothing")


class Report(Answer):
    """The answer to `gpt_researcher_report`."""

    state: str = prose(3200, "where the topic stands, labels behind every sentence on a source")
    conflicts: str = prose(1000, "what does not fit together or rests on too little; empty if nothing")
    openings: str = prose(1800, "what is left unsolved and which finding shows it, the most promising first")


class Sketch(Answer):
    """The answer to `gpt_researcher_idea`."""

    problem: str = prose(1200, "the opening that is taken up, and which finding shows that it is open")
    idea: str = prose(1200, "the central thought, the assumption that it rests on, and the nearest work")
    approach: str = prose(2600, "the procedure step by step, the strongest rival, and where each of the two must fail")
    test: str = prose(900, "a cheap check that could refute the assumption, and what would show success or failure")


@dataclass(frozen=True)
class _Finding:
    """The answer of the sources to one question, and what they do not contain."""

    question: str
    answer: str
    lacking: str


@method(NAME, GptResearcherOptions)
async def gpt_researcher(lab: Lab, topic: Topic, options: GptResearcherOptions) -> Ideation:
    """An idea from a report on the topic, whose questions are researched in parallel.

    Source: gpt-researcher (Assafelovic 2023), which Chain of Ideas (section 4.3) uses as a baseline for planning and
    retrieval. From the source: questions planned after a first search, with the topic as a further question; sources
    for each, summarised with their names; one report; an idea from the report. Changed: sources are papers of the
    library instead of web pages, with labels that stay the same to the end; a question without results is mentioned in
    the notes; the idea is written in the common form. Left out: choosing an agent's role by topic; scraping, splitting
    and compressing pages; deeper research in rounds; the layout of the report for readers.
    """
    desk = _Desk(lab, topic, options)
    with lab.run.step("plan"):
        questions = await desk.planned()
    with lab.run.step("research"):
        shelf, findings = await desk.researched(questions)
    candidate = await desk.idea(shelf, findings) if findings else None
    candidates = [candidate] if candidate else []
    return await ideation_from(lab, topic, MethodOutcome(NAME, options, candidates, notes=desk.notes))


@dataclass(frozen=True)
class _Desk:
    """The state of one run. `notes`: remarks on problems."""

    lab: Lab
    topic: Topic
    options: GptResearcherOptions
    notes: list[str] = field(default_factory=list)

    @property
    def filters(self) -> Filters:
        return Filters(before=self.options.before)

    async def planned(self) -> list[SubQuestion]:
        """The topic itself, then the questions planned, each with a query of its own."""
        whole = SubQuestion(question=_ITSELF, query=self.topic.text)
        wanted = self.options.questions - 1
        if not wanted:
            return [whole]
        nearby = [hit.paper for hit in await self.lab.library.search(self.topic.text, _NEARBY, self.filters)]
        needs = {"topic": self.topic.text, "count": wanted, "nearby": nearby}
        try:
            plan = await self.lab.models.ask(Question("gpt_researcher_plan", needs, Plan, role="reader"))
        except NoUsableAnswer:
            self.notes.append("The reader gave no usable plan: the topic itself is the only question.")
            return [whole]
        different = {normal_title(each.query or each.question): each for each in reversed(plan.questions)}
        repeated = {"", normal_title(self.topic.text)}
        return [whole, *[each for name, each in reversed(different.items()) if name not in repeated][:wanted]]

    async def researched(self, questions: Sequence[SubQuestion]) -> tuple[Bibliography, list[_Finding]]:
        """The papers found for all questions under one list of labels, and what they say to each."""
        searches = [each.query or each.question for each in questions]
        hits = await run_concurrently(
            self.lab.library.search(query, self.options.papers, self.filters) for query in searches
        )
        papers = [[hit.paper for hit in of_question] for of_question in hits]
        shelf = Bibliography([paper for of_question in papers for paper in of_question])
        label = {entry.paper.id: entry for entry in shelf.entries}
        requests = [
            (each.question or each.query, [label[paper.id] for paper in of_question])
            for each, of_question in zip(questions, papers, strict=True)
        ]
        answers = await run_concurrently(self._finding(question, entries) for question, entries in requests)
        for (question, entries), finding in zip(requests, answers, strict=True):
            if why := _why_nothing(entries, finding):
                self.notes.append(f"{why} to the question «{shorten(question, 160)}».")
        return shelf, [finding for finding in answers if finding and finding.answer]

    async def _finding(self, question: str, entries: Sequence[Labelled]) -> _Finding | None:
        if not entries:
            return None
        needs = {"topic": self.topic.text, "question": question, "papers": entries}
        try:
            answer = await self.lab.models.ask(
                Question("gpt_researcher_findings", needs, Findings, role="reader", temperature=0.0)
            )
        except NoUsableAnswer:
            return None
        return _Finding(question, answer.answer, answer.lacking)

    async def idea(self, shelf: Bibliography, findings: Sequence[_Finding]) -> Candidate | None:
        """An idea from the report on `findings`, in the common form; None when the writer gives nothing usable."""
        with self.lab.run.step("report"):
            report = await self._report(shelf, findings)
        try:
            with self.lab.run.step("idea"):
                sources = _spoken_of(shelf, [section.text for section in report])
                needs = {"topic": self.topic.text, "report": report, "sources": sources}
                sketch = await self.lab.models.ask(Question("gpt_researcher_idea", needs, Sketch))
            with self.lab.run.step("write-up"):
                material = WriteUpMaterial([*report, *_sections(sketch)], [entry.paper for entry in shelf.entries])
                draft = await write_up(self.lab, self.topic, material, self.filters, generator=NAME)
        except NoUsableAnswer:
            self.notes.append("The writer gave no usable idea.")
            return None
        return Candidate(idea=draft.idea)

    async def _report(self, shelf: Bibliography, findings: Sequence[_Finding]) -> list[MaterialSection]:
        """One report of all findings; the findings themselves when the writer gives none."""
        sources = _spoken_of(shelf, [each.answer for each in findings])
        needs = {"topic": self.topic.text, "findings": findings, "sources": sources}
        try:
            report = await self.lab.models.ask(Question("gpt_researcher_report", needs, Report))
        except NoUsableAnswer:
            self.notes.append("The writer gave no usable report: the idea rests on the findings one by one.")
            return [MaterialSection(each.question, each.answer) for each in findings]
        parts = (
            ("Where the topic stands", report.state),
            ("What does not fit together", report.conflicts),
            ("What is left unsolved", report.openings),
        )
        return [MaterialSection(heading, text) for heading, text in parts if text]


def _why_nothing(entries: Sequence[Labelled], finding: _Finding | None) -> str | None:
    """Why a question has no answer; None when there is one."""
    if not entries:
        return "No paper was found"
    if finding is None:
        return "The reader gave no usable answer"
    return None if finding.answer else "None of the papers found says anything"


def _spoken_of(shelf: Bibliography, texts: Sequence[str]) -> list[Labelled]:
    """The sources that `texts` name by label, so that no other is cited by its title alone; all when none is named."""
    named = {citation.paper_id for citation in shelf.citations(texts)}
    return [entry for entry in shelf.entries if entry.paper.id in named] or shelf.entries


def _sections(sketch: Sketch) -> list[MaterialSection]:
    """The central thought and its working come last: that is what a small writer looks at."""
    parts = (
        ("The problem taken up", sketch.problem),
        ("How it would be tested", sketch.test),
        ("The idea settled on", sketch.idea),
        ("How it works", sketch.approach),
    )
    return [MaterialSection(heading, text) for heading, text in parts if text]
