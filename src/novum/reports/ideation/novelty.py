"""A novelty check in words: its verdict, and the paper that is closest according to the checker."""

from __future__ import annotations

import re
from dataclasses import dataclass

from novum.core import Candidate, Idea, NoveltyCheck, Paper, normal_title
from novum.core.sentences import sentences_of
from novum.reports.ideation.cited_papers import CitedPapers
from novum.reports.sanitizing import clean_line, paper_label
from novum.reports.sentences import first_sentences

_LONGEST_QUOTE = 360
_OWN = re.compile(r"\b(?:we|our|this (?:paper|work|study))\b", re.IGNORECASE)
_OWN_WORK = 2
"""Shared words that a sentence on the paper's own work is worth: others tell the background."""
_TELLING_WORD = 5
"""Letters from which a word counts when a sentence of an abstract is chosen."""


@dataclass(frozen=True)
class QuotedPaper:
    """The paper that an idea must differ from. `quote`: a sentence of its abstract, or of its summary where there is
    no abstract; empty without either."""

    paper: Paper
    quote: str
    from_abstract: bool
    by_checker: bool
    """Whether a checker that read the papers named it; else it is the one whose text is most similar."""


def last_check_of(idea: Idea, candidate: Candidate) -> NoveltyCheck | None:
    """The last check of one draft."""
    return next((check for check in reversed(candidate.checks) if check.idea_id == idea.id), None)


def other_checks(candidate: Candidate) -> list[NoveltyCheck]:
    """Checks that are neither the last of the idea nor the last of one of its drafts."""
    shown = [last_check_of(text, candidate) for text in (candidate.idea, *candidate.earlier_drafts)]
    return [check for check in candidate.checks if not any(check is known for known in shown)]


def closest_id(check: NoveltyCheck | None) -> str | None:
    """The id of the paper that the checker calls closest, else of the most similar one; None without any."""
    return check.closest.paper_id if check and check.closest else None


def verdict(check: NoveltyCheck | None, shelf: CitedPapers) -> str:
    """The verdict of a novelty check in words. A paper that has the idea in part or whole is named as in citations."""
    if check is None:
        return "not checked"
    paper = shelf.paper(check.closest_id)
    if paper is None or check.novel is None or (check.novel and check.known != "partly"):
        return check.verdict
    return f"{'partly anticipated by' if check.novel else 'already contained in'} {paper_label(paper)}"


def quoted_paper(candidate: Candidate, shelf: CitedPapers) -> QuotedPaper | None:
    """The paper closest to the final form of an idea; None when none is known."""
    check = candidate.final_check
    paper = shelf.paper(closest_id(check))
    if check is None or paper is None:
        return None
    quote = _telling_sentence(paper.gist, f"{candidate.idea.title} {candidate.idea.mechanism} {check.difference}")
    return QuotedPaper(paper, quote, bool(paper.abstract), bool(check.closest_id or check.relevant_ids))


def difference(candidate: Candidate) -> str:
    """What the idea has that the closest paper lacks: by the checker, else its reason, else by the idea's writer."""
    check = candidate.final_check
    said = (check.difference or check.reason) if check else ""
    return said or first_sentences(candidate.idea.novelty, 2)


def _telling_sentence(text: str, idea: str) -> str:
    """The sentence that shares most of the longer words with the idea, those on the paper's own work preferred."""
    wanted = _words(idea)
    given = [each for each in sentences_of(clean_line(text)) if 30 < len(each) <= _LONGEST_QUOTE]
    return max(given, key=lambda each: len(_words(each) & wanted) + _OWN_WORK * bool(_OWN.search(each)), default="")


def _words(text: str) -> set[str]:
    return {word[:8] for word in re.split(r"\s+", normal_title(text)) if len(word) >= _TELLING_WORD}
