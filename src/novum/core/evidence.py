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
    """One passage of a paper and its relevance to the question. `start` and `end` count characters of its text."""

    paper_id: str
    origin: Origin
    start: int
    end: int
    section: str = ""
    """The heading of its section, if the text has headings."""
    passage: str
    """The whole passage, word for word."""
    quote: str = ""
    """The most important words of the passage, verbatim; empty when the reader quoted words that it does not
    contain."""
    summary: str
    """What the passage says on the question, in the reader's words."""
    kind: Kind | None = None
    """None when no model read the passage."""
    score: int = Field(ge=1, le=10)
    """Relevance to the question, from 1 (none) to 10 (answers it)."""
    similarity: float
    """Cosine of the embeddings of passage and query, -1 to 1, centred on the passages of the session."""
    query: str
    """The query that returned the passage. Empty when the passage was read because an earlier round had read another
    passage of the same paper; then `similarity` is that to the question."""
    round: int
    """Number of the round that returned it, from 1."""

    @property
    def is_account(self) -> bool:
        """Whether the text is not by the authors of the paper."""
        return self.origin == "summary"


class Round(Value):
    """One round of searching and reading."""

    number: int
    queries: tuple[str, ...]
    papers: int
    """The number of new papers."""
    judged: int
    """Passages read in this round."""
    read_on: int = 0
    """Those of them that no query returned, from papers of earlier rounds."""
    unreadable: int = 0
    """Passages on which the reader gave no usable answer."""
    evidence: int
    """Passages read in this round that count as evidence."""
    missing: str = ""
    """What was missing before this round, according to the reader; its queries search for that."""


class Sentence(Value):
    """One sentence of an answer. `cites`: positions in the list of evidence, from 1; `unknown`: labels that no evidence
    has. A sentence with neither is not based on evidence."""

    text: str
    cites: tuple[int, ...] = ()
    unknown: tuple[str, ...] = ()
    opens_paragraph: bool = False

    @property
    def grounded(self) -> bool:
        """Whether it cites evidence, and only evidence that exists."""
        return bool(self.cites) and not self.unknown


class Reply(Value):
    """An answer based on evidence, and what it does not answer."""

    sentences: tuple[Sentence, ...]
    gaps: str = ""
    """What the passages do not contain, and where it might be found."""
    stated_open: str = ""
    """What a passage itself calls open."""

    @property
    def text(self) -> str:
        """The answer as one text with citations such as `[1]`."""
        breaks = ("\n\n" if each.opens_paragraph else " " for each in self.sentences)
        return "".join(lead + each.text for lead, each in zip(breaks, self.sentences, strict=True)).strip()


class OpenProblem(Value):
    """Something that the evidence shows to be unsolved. `cites`: positions in the list of evidence, from 1; `quote`:
    the words there that show it, verbatim; empty when the quoted words are not in the evidence."""

    text: str
    cites: tuple[int, ...]
    basis: Basis | None = None
    quote: str = ""


class Concept(Value):
    """A concept of the field that occurs in the evidence. The description can be understood on its own."""

    name: str
    description: str
    cites: tuple[int, ...]


class Scope(Value):
    """What could be searched."""

    papers: int
    """Papers in the library."""
    full_texts: int
    """Those of them with a full text."""
    live: bool
    """Whether live sources were searched too."""


class Unread(Value):
    """A section on outcomes that was not read, in a paper that evidence is from and whose full text is known."""

    paper_id: str
    section: str


class Exploration(Record):
    """The outcome of one question: evidence from papers, best first, and how it was collected."""

    id_prefix: ClassVar[str] = "exploration"
    id_fields: ClassVar[tuple[str, ...]] = ("question", "weakness", "before", "options", "evidence", "reply")

    question: str
    asked: str = ""
    """The original question, where `question` was reworded so that it can be understood on its own."""
    weakness: str = ""
    """The weak point of an idea for which evidence was searched; empty for a question of a person."""
    before: dt.date | None = None
    options: dict[str, JsonValue] = {}
    judge: Judge = "reader"
    scope: Scope | None = None
    evidence: tuple[Snippet, ...] = ()
    """Passages with at least the minimal score, ordered by relevance and diversity (maximal marginal relevance)."""
    passed_over: tuple[Snippet, ...] = ()
    """Passages that were read and are not evidence, highest score first."""
    unread: tuple[Unread, ...] = ()
    rounds: tuple[Round, ...] = ()
    ending: Ending = "rounds"
    ended: str = ""
    """`ending` in a sentence."""
    reply: Reply | None = None
    problems: tuple[OpenProblem, ...] = ()
    concepts: tuple[Concept, ...] = ()
    papers: tuple[Paper, ...] = ()
    """All papers whose ids occur in snippets."""
    notes: tuple[str, ...] = ()
    """Sentences on what could not be done as requested."""

    @property
    def sources(self) -> int:
        """The number of papers that the evidence is from."""
        return len({snippet.paper_id for snippet in self.evidence})


class ExplorationReport(Value):
    """A question and its follow-up questions, in order, with the circumstances of the run."""

    explorations: tuple[Exploration, ...] = Field(min_length=1)
    account: Account
