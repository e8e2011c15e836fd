"""The team: what each role hands on, and what is left of it all when the idea is written up."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from novum.core import Paper, Topic, shorten
from novum.core.concurrency import run_concurrently
from novum.errors import NoUsableAnswer
from novum.lab import Lab
from novum.literature.search.ranking.concept_graph import Relation
from novum.llm import Answer, Question, listed, prose
from novum.methods.starting_points import StartingPoint
from novum.methods.writing_up import MaterialSection
from novum.reading import Bibliography


class Definition(Answer):
    """One concept of the way."""

    concept: str = prose(80, "the concept as it is called above")
    meaning: str = prose(250, "what it is, so that somebody from outside the field understands it")


class Link(Answer):
    """What joins a concept to the next one of the way."""

    pair: str = prose(160, "the two concepts, as they are called above")
    meaning: str = prose(300, "what the one is to the other: part, cause, means, measure, rival, …; by which papers")
    kind: str = prose(60, "the relation in one to four words")


class Ontology(Answer):
    """The answer to `graph_ontology`."""

    concepts: list[Definition] = listed(30, "one for each concept, in the order of the way", least=1)
    relations: list[Link] = listed(30, "one for each step of the way, in its order")


class Hypothesis(Answer):
    """The answer to `graph_hypothesis`."""

    hypothesis: str = prose(700, "what would be so, because of what, measured how, compared with what")
    outcome: str = prose(500, "what would be found or made if it holds, and what instead if it does not")
    mechanism: str = prose(700, "what brings the outcome about, step by step, and which concepts of the way act where")
    design: str = prose(700, "what would be built, changed or combined, and by which rules")
    surprise: str = prose(500, "what else would follow from the mechanism, and by what it would be noticed")
    comparison: str = prose(500, "present means for the same end, named with their papers, and where they fall short")
    novelty: str = prose(500, "what is new against these, and what of it is known")


ASPECTS = {
    "outcome": "The outcome",
    "mechanism": "The mechanism",
    "design": "The design",
    "surprise": "The unexpected consequence",
    "comparison": "The comparison with present means",
    "novelty": "The novelty",
}
"""Parts of a hypothesis that are expanded, and what each is called."""


class Expansion(Answer):
    """The answer to `graph_expansion`."""

    text: str = prose(900, "this part worked out")


class Objection(Answer):
    """One thing that is wrong, and its mending."""

    weakness: str = prose(300, "what would make the hypothesis wrong, empty, known, or impossible to test")
    change: str = prose(300, "one concrete change that mends it")


class Criticism(Answer):
    """The answer to `graph_criticism`."""

    strengths: list[str] = listed(3, "what should stay", longest=250, few=1)
    objections: list[Objection] = listed(4, "in order of weight, each with its change", few=1)
    settled: str = prose(700, "the whole hypothesis with these changes: claim, reason, rival, deciding figure")
    novelty: int = Field(description="1 to 10, as the question explains", ge=1, le=10)
    feasibility: int = Field(description="1 to 10, as the question explains", ge=1, le=10)

    @property
    def marks(self) -> float:
        """Mean of the two marks, 1 to 10."""
        return (self.novelty + self.feasibility) / 2


@dataclass(frozen=True)
class PathGround:
    """One path through the graph with the papers behind its steps. `number` counts the paths from 1."""

    number: int
    way: tuple[str, ...]
    relations: tuple[Relation, ...]
    papers: tuple[Paper, ...]
    point: StartingPoint | None = None
    """The opportunity that it leads across."""

    @property
    def name(self) -> str:
        """As notes call it."""
        return f"Way {self.number} ({' – '.join(self.way)})"


@dataclass(frozen=True)
class HypothesisDraft:
    """The result of the team for one path. `gaps`: notes on missing answers."""

    ontology: Ontology | None
    hypothesis: Hypothesis
    criticism: Criticism | None
    gaps: tuple[str, ...]


class HypothesisTeam:
    """Ontologist, scientist, its expansion, critic: each sees what the earlier ones have written."""

    def __init__(self, lab: Lab, topic: Topic, ground: PathGround) -> None:
        self._lab = lab
        self._ground = ground
        self._gaps: list[str] = []
        self._papers = Bibliography(ground.papers).entries
        self._shown: dict[str, object] = {
            "topic": topic.text,
            "way": ground.way,
            "relations": self._relations(),
            "papers": self._papers,
        }

    async def work(self, *, expand: bool) -> HypothesisDraft:
        """Everything up to the criticism. Raises NoUsableAnswer when there is no hypothesis; all others can fail."""
        with self._lab.run.step("ontologist"):
            ontology = await self._ontology()
        with self._lab.run.step("scientist"):
            needs = {**self._shown, "ontology": ontology, "opening": self._opening()}
            hypothesis = await self._lab.models.ask(
                Question("graph_hypothesis", needs, Hypothesis, sample=self._ground.number)
            )
        if expand:
            with self._lab.run.step("expansion"):
                hypothesis = await self._expanded(hypothesis)
        with self._lab.run.step("critic"):
            criticism = await self._criticism(hypothesis)
        return HypothesisDraft(ontology, hypothesis, criticism, tuple(self._gaps))

    def _opening(self) -> dict[str, object] | None:
        point = self._ground.point
        return point.variables(Bibliography(self._ground.papers), texts=False) if point else None

    def _relations(self) -> list[dict[str, object]]:
        """The steps of the path with the labels of the papers that show them."""
        labels = {entry.paper.id: entry.label for entry in self._papers}
        return [
            {
                "first": each.first,
                "second": each.second,
                "together_in": each.together_in,
                "labels": [labels[paper.id] for paper in each.papers if paper.id in labels],
            }
            for each in self._ground.relations
        ]

    async def _ontology(self) -> Ontology | None:
        try:
            return await self._lab.models.ask(Question("graph_ontology", self._shown, Ontology, role="reader"))
        except NoUsableAnswer:
            self._gaps.append(f"{self._ground.name}: the ontologist gave no usable definitions.")
            return None

    async def _expanded(self, hypothesis: Hypothesis) -> Hypothesis:
        """Expand each aspect in a separate request; without a usable answer it stays unchanged."""
        texts = await run_concurrently(self._expansion(hypothesis, aspect) for aspect in ASPECTS)
        expanded = {aspect: text for aspect, text in zip(ASPECTS, texts, strict=True) if text}
        self._gaps += [
            f"{self._ground.name}: {heading[0].lower()}{heading[1:]} could not be worked out further."
            for aspect, heading in ASPECTS.items()
            if aspect not in expanded
        ]
        return hypothesis.model_copy(update=expanded)

    async def _expansion(self, hypothesis: Hypothesis, aspect: str) -> str:
        needs = {
            "topic": self._shown["topic"],
            "papers": self._papers,
            "hypothesis": hypothesis,
            "headings": ASPECTS,
            "aspect": aspect,
            "asks_for": Hypothesis.model_fields[aspect].description,
        }
        question = Question("graph_expansion", needs, Expansion, sample=self._ground.number)
        try:
            return (await self._lab.models.ask(question)).text
        except NoUsableAnswer:
            return ""

    async def _criticism(self, hypothesis: Hypothesis) -> Criticism | None:
        needs = {
            "topic": self._shown["topic"],
            "papers": self._papers,
            "hypothesis": hypothesis,
            "headings": ASPECTS,
        }
        try:
            return await self._lab.models.ask(
                Question("graph_criticism", needs, Criticism, role="judge", temperature=0.0)
            )
        except NoUsableAnswer:
            self._gaps.append(f"{self._ground.name}: the critic gave nothing usable.")
            return None


def write_up_sections(worked: HypothesisDraft) -> list[MaterialSection]:
    """The notes that the idea is written up from. What it settled on comes last, each part within bounds: a writer
    that reads only so much must not lose it.
    """
    hypothesis, criticism = worked.hypothesis, worked.criticism
    sections = []
    if worked.ontology is not None:
        meant = [_named(each.concept, each.meaning) for each in worked.ontology.concepts]
        joined = [_named(each.pair, each.meaning) for each in worked.ontology.relations]
        sections.append(MaterialSection("Concepts, and what joins them", shorten(" ".join([*meant, *joined]), 2500)))
    sections += [
        MaterialSection(heading, shorten(getattr(hypothesis, aspect), 1100)) for aspect, heading in ASPECTS.items()
    ]
    if criticism is not None and criticism.objections:
        points = [f"{each.weakness} To be mended so: {each.change}" for each in criticism.objections]
        sections.append(
            MaterialSection("Objections, and what is changed because of them", shorten(" ".join(points), 2600))
        )
    settled = criticism.settled if criticism is not None and criticism.settled else hypothesis.hypothesis
    return [*sections, MaterialSection("The hypothesis that the notes settle on", shorten(settled, 1100))]


def _named(name: str, meaning: str) -> str:
    return f"{name}: {meaning}" if name else meaning
