"""Evidence from an exploration of the literature: passages of papers, with what each says on a question."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from novum.core.account import Account
from novum.core.paper import Paper
from novum.core.record import Record, Value

Origin = Literal["full text", "abstract", "summary"]
"""The kind of text that a passage is from."""
Kind = Literal["result", "method", "claim", "limitation", "background"]
"""The content of a passage: a result, a method, a claim without figures, a limitation, or background."""
OUTCOMES: tuple[Kind, ...] = ("result", "limitation")
"""Kinds that report an outcome."""
Basis = Literal["stated", "measured", "contradiction"]
"""Why a problem is known to be open: a passage says so, a failure was measured, or two passages disagree."""
Judge = Literal["reader", "similarity"]
"""Who gave the scores: a model that read the passages, or their cosine to the question alone."""
Ending = Literal["enough", "rounds", "nothing new", "no query"]
"""Which criterion ended an exploration."""


class Snippet(Value):
    """One passage of a paper, judged with a view to the question. Positions count characters of the text it is from."""

    paper_id: str
    origin: Origin
    start: int
    end: int
    section: str = ""
    """The heading of its section, if the text has headings."""
    passage: str
    """The whole passage, word for word."""
    quote: str = ""
    """Its words that matter most, exactly as they stand in it; empty when the reader quoted what is not there."""
    summary: str
    """What it says to the question, in the reader's words."""
    kind: Kind | None = None
    """Its kind; None when no model read it."""
    score: int = Field(ge=1, le=10)
    """Relevance to the question: 1 none at all, 10 answers it."""
    similarity: float
    """Cosine of the embeddings of passage and query, -1 to 1, centred on the passages of the session."""
    query: str
    """The query that found it; empty when the paper was read on because of another passage, and then `similarity` is
    to the question.
    """
    round: int
    """The round that found it, from 1."""

    @property
    def is_account(self) -> bool:
        """Whether these are somebody else's words about the paper."""
        return self.origin == "summary"


class Round(Value):
    """One turn of searching and reading."""

    number: int
    queries: tuple[str, ...]
    papers: int
    """The number of new papers."""
    judged: int
    """Passages read in it."""
    read_on: int = 0
    """Those of them that no query found: they stand in papers that an earlier round had opened."""
    unreadable: int = 0
    """Passages on which the reader gave no usable answer."""
    evidence: int
    """Passages read in it that count as evidence."""
    missing: str = ""
    """What was missing before this round, according to the reader; its queries search for that."""


class Sentence(Value):
    """One sentence of an answer. `cites`: places in the list of evidence, from 1; `unknown`: labels that lead
    nowhere. One with neither rests on nothing that was found.
    """

    text: str
    cites: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()
    opens_paragraph: bool = False

    @property
    def grounded(self) -> bool:
        """It cites evidence, and none that is not there."""
        return bool(self.cites) and not self.unknown


class Reply(Value):
    """An answer out of evidence, and what it leaves open."""

    sentences: tuple[Sentence, ...]
    gaps: str = ""
    """What the passages do not contain, and where it may be found."""
    stated_open: str = ""
    """What a passage itself says to be open."""

    @property
    def text(self) -> str:
        """The answer as one text, its citations as `[1]`."""
        breaks = ("\n\n" if each.opens_paragraph else " " for each in self.sentences)
        return "".join(lead + each.text for lead, each in zip(breaks, self.sentences, strict=True)).strip()


class OpenProblem(Value):
    """Something that the evidence shows to be unsolved. `cites`: places in the list of evidence, from 1; `quote`: the
    words there that show it, exactly as they stand; empty when none were quoted that stand in the evidence.
    """

    text: str
    cites: tuple[int, ...]
    basis: Basis | None = None
    quote: str = ""


class Concept(Value):
    """A notion of the field that the evidence speaks of, told so that it stands by itself."""

    name: str
    description: str
    cites: tuple[int, ...]


class Scope(Value):
    """What was there to be searched."""

    papers: int
    """Papers of the library."""
    full_texts: int
    """Those of them that it holds in full."""
    live: bool
    """Whether live sources were asked too."""


class Unread(Value):
    """A section on outcomes that nobody read, in a paper that is held in full and that evidence is from."""

    paper_id: str
    section: str


class Exploration(Record):
    """The outcome of one question: evidence from papers, best first, and how it was come by."""

    id_prefix: ClassVar[str] = "exploration"
    id_fields: ClassVar[tuple[str, ...]] = ("question", "weakness", "before", "options", "evidence", "reply")

    question: str
    asked: str = ""
    """The words of the person, where the question had to be told so that it stands by itself."""
    weakness: str = ""
    """The weak point of an idea that the evidence was sought for; empty when a person asked."""
    before: dt.date | None = None
    options: dict[str, JsonValue] = {}
    judge: Judge = "reader"
    scope: Scope | None = None
    evidence: tuple[Snippet, ...] = ()
    """Passages that reached the least score, relevance and diversity weighed (maximal marginal relevance)."""
    passed_over: tuple[Snippet, ...] = ()
    """Passages that were read and are no evidence, highest score first."""
    unread: tuple[Unread, ...] = ()
    rounds: tuple[Round, ...] = ()
    ending: Ending = "rounds"
    ended: str = ""
    """The same in a sentence."""
    reply: Reply | None = None
    problems: tuple[OpenProblem, ...] = ()
    concepts: tuple[Concept, ...] = ()
    papers: tuple[Paper, ...] = ()
    """Every paper that a snippet names by id."""
    notes: tuple[str, ...] = ()
    """Plain sentences on what did not go as asked."""

    @property
    def sources(self) -> int:
        """How many papers the evidence is from."""
        return len({snippet.paper_id for snippet in self.evidence})


class ExplorationReport(Value):
    """Questions put one after the other, the later ones following up the first, with the circumstances of the run."""

    explorations: tuple[Exploration, ...] = Field(min_length=1)
    account: Account
