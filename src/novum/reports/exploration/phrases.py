"""Phrases about an exploration, for the Markdown file, the page and the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from novum.core import Exploration, Paper, Round, Sentence, Snippet, shorten
from novum.reports import phrases

DEMONSTRATION = (
    "The answer was written by a very small model that runs on this machine, to show how Novum works: do not rely on "
    "it. The papers and the passages quoted from them are real. For an answer worth reading, set a key such as "
    "`OPENAI_API_KEY` and run the same command again, or add `--model provider:name`."
)
"""Markdown."""
ORDER = (
    "Numbered by relevance, less what an earlier one says already; shown by paper. "
    "What the answer does not cite is marked."
)
ACCOUNT = "From a short account in the library, not the paper's own words:"
WITHOUT_QUOTE = "⚠ The reader quoted no sentence that stands in it; this is how the passage begins."
_WITHOUT_QUOTE = 400
"""Characters of a passage shown where no sentence of it is quoted; the whole of it is in report.json."""
_SAID = 200
_ORIGINS = {"full text": "full text", "abstract": "abstract", "summary": "an account by somebody else"}


@dataclass(frozen=True)
class NumberedSnippet:
    """A snippet of evidence with its place in the list, from 1. `used`: the answer cites it, or there is none."""

    number: int
    snippet: Snippet
    used: bool


@dataclass(frozen=True)
class EvidenceSource:
    """A paper with its evidence. `paper` is None where the report does not hold it."""

    paper: Paper | None
    evidence: Sequence[NumberedSnippet]

    @property
    def used(self) -> bool:
        """Whether the answer cites any of it; without an answer all counts as used."""
        return any(each.used for each in self.evidence)


def headline(exploration: Exploration) -> str:
    """The result of a question in one or two sentences."""
    found = f"{phrases.count(len(exploration.evidence), 'snippet')} of evidence from "
    found += f"{phrases.count(exploration.sources, 'paper')}, after {phrases.count(len(exploration.rounds), 'round')}."
    if exploration.reply is None:
        return f"{found} No answer was written."
    sentences = exploration.reply.sentences
    bare = sum(not sentence.grounded for sentence in sentences)
    without = "" if not bare else f"; {phrases.count(bare, 'sentence')} of {len(sentences)} without evidence"
    return f"{found} The answer rests on {len(cited_places(exploration)) or 'none'} of them{without}."


def scope(exploration: Exploration) -> str:
    """What was searched and how much of it was read; empty where nobody noted it down."""
    held = exploration.scope
    if held is None:
        return ""
    snippets = (*exploration.evidence, *exploration.passed_over)
    papers = phrases.count(len({one.paper_id for one in snippets}), "paper")
    read = f"{phrases.count(len(snippets), 'passage')} of {papers}"
    accounts = len({one.paper_id for one in snippets if one.is_account})
    only = f", {accounts} of them only by a short account" if accounts else ""
    library = f"a library of {phrases.count(held.papers, 'paper')}, {held.full_texts:,} of them in full text"
    return f"Searched: {library}, and {'live sources' if held.live else 'no live sources'}. Read: {read}{only}."


def unread_text(exploration: Exploration) -> str:
    """Which sections on outcomes were at hand and not read; empty when there are none."""
    if not exploration.unread:
        return ""
    titles = {paper.id: paper.title for paper in exploration.papers}
    of_paper: dict[str, list[str]] = {}
    for each in exploration.unread:
        of_paper.setdefault(each.paper_id, []).append(f"“{each.section}”" if each.section else "the opening")
    told = (f"{', '.join(sections)} of {titles.get(paper, paper)}" for paper, sections in of_paper.items())
    return f"At hand in full, and not read by this search: {'; '.join(told)}."


def citation_flag(sentence: Sentence) -> str:
    """A warning about a sentence; empty when it cites existing evidence."""
    if sentence.unknown:
        return "cites what is not there"
    return "" if sentence.cites else "no evidence cited"


def place(snippet: Snippet) -> str:
    """The position of a passage in its paper."""
    if snippet.origin != "full text":
        return _ORIGINS[snippet.origin]
    section = f"section “{snippet.section}”, " if snippet.section else ""
    return f"{section}full text, characters {snippet.start:,} to {snippet.end:,}"


def circumstances(snippet: Snippet, judged: str) -> str:
    """The kind of a passage, its score, and the query that found it."""
    kind = f"{snippet.kind}, " if snippet.kind else ""
    scored = f"{kind}{'similarity' if judged == 'similarity' else 'relevance'} {snippet.score} of 10"
    found = f"query “{snippet.query}”" if snippet.query else "read on in the paper"
    return f"{scored}, cosine {phrases.cosine(snippet.similarity)}, round {snippet.round}, {found}"


def passage_words(snippet: Snippet) -> str:
    """The words of a passage that a report shows: the quotation, else its beginning."""
    return snippet.quote or shorten(snippet.passage, _WITHOUT_QUOTE)


def cited_places(exploration: Exploration) -> set[int]:
    """Places in the list of evidence that the answer names."""
    sentences = exploration.reply.sentences if exploration.reply else ()
    return {number for sentence in sentences for number in sentence.cites}


def sources(exploration: Exploration) -> list[EvidenceSource]:
    """The evidence by paper, papers in the order of their first snippet."""
    papers, used = {paper.id: paper for paper in exploration.papers}, cited_places(exploration)
    of_paper: dict[str, list[NumberedSnippet]] = {}
    for number, snippet in enumerate(exploration.evidence, 1):
        numbered = NumberedSnippet(number, snippet, exploration.reply is None or number in used)
        of_paper.setdefault(snippet.paper_id, []).append(numbered)
    return [EvidenceSource(papers.get(paper_id), evidence) for paper_id, evidence in of_paper.items()]


def rejected_rows(exploration: Exploration) -> list[tuple[str, str, str]]:
    """Passages that were read and are not evidence: score, place, and the reader's summary."""
    papers = {paper.id: paper for paper in exploration.papers}
    return [
        (str(snippet.score), _whereabouts(snippet, papers.get(snippet.paper_id)), _made_of(snippet))
        for snippet in exploration.passed_over
    ]


def round_queries(turn: Round) -> str:
    """The queries of a round, and how much was read beside what they found."""
    on = f"{phrases.count(turn.read_on, 'passage')} read on in papers at hand" if turn.read_on else ""
    return "; ".join(filter(None, [*turn.queries, on]))


def _whereabouts(snippet: Snippet, paper: Paper | None) -> str:
    named = f"{paper.short_citation}: {paper.title}" if paper else snippet.paper_id
    return f"{shorten(named, 120)} ({snippet.section or _ORIGINS[snippet.origin]})"


def _made_of(snippet: Snippet) -> str:
    if snippet.summary:
        return (f"{snippet.kind}: " if snippet.kind else "") + shorten(snippet.summary, _SAID)
    return "nothing" if snippet.score == 1 else "no more than the field, or words, of the question"
