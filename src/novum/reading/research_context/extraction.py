"""The research idea of one paper, in four parts (DeepInnovator, section 4.1, "Idea Extraction")."""

from __future__ import annotations

from novum.core import Paper
from novum.core.research_context import PaperIdea
from novum.errors import NoUsableAnswer
from novum.llm import Answer, Models, Question, prose

TEXT_LIMIT = 24_000
"""Characters of a paper that the reader sees: about 6,000 tokens."""


class IdeaParts(Answer):
    """The answer to `extract_research_idea`."""

    problem: str = prose(500, "the problem that the work addresses, and why earlier work leaves it open")
    approach: str = prose(700, "what is done: the central mechanism, step by step, without results")
    contribution: str = prose(500, "what the work adds to what was known, without figures of results")
    limitation: str = prose(400, "limits that the text states or that follow from it; empty if there are none")


async def extract_idea(models: Models, paper: Paper, full_text: str | None = None) -> PaperIdea | None:
    """The idea of a paper from its full text or its abstract; None when the reader gives no usable answer."""
    needs = {"paper": paper, "text": full_text or paper.gist, "limit": TEXT_LIMIT}
    try:
        parts = await models.ask(Question("extract_research_idea", needs, IdeaParts, role="reader", temperature=0.0))
    except NoUsableAnswer:
        return None
    return PaperIdea(
        paper_id=paper.id,
        title=paper.title,
        year=paper.year,
        problem=parts.problem,
        approach=parts.approach,
        contribution=parts.contribution,
        limitation=parts.limitation,
    )
