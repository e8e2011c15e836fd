"""Novelty by a panel: several models compare an idea with the same papers, and the majority decides."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from novum.core import Idea, NoveltyCheck, PriorWork
from novum.errors import NoUsableAnswer
from novum.judges import judge
from novum.judges.novelty import Likeness
from novum.literature import Hit
from novum.llm import ModelName, Question
from novum.reading import Bibliography

Asked = Generator[Sequence[Question[Likeness]], Sequence[Likeness | NoUsableAnswer], NoveltyCheck]


@judge("novelty-panel")
def novelty_panel(idea: Idea, nearest: Sequence[Hit], panel: Sequence[ModelName]) -> Asked:
    """Every model of `panel` is asked once. A tie, or a panel that is silent, leaves `novel` None: not known.

    A vote that calls the idea known without naming the paper does not count.
    """
    shelf = Bibliography([hit.paper for hit in nearest])
    needs = {"idea": idea.text, "papers": shelf.entries}
    answers = yield [Question("check_novelty", needs, Likeness, role=model, temperature=0.0) for model in panel]
    usable = [answer for answer in answers if not isinstance(answer, NoUsableAnswer)]
    against = [found for answer in usable if answer.known == "yes" and (found := shelf.paper(answer.closest))]
    votes = [True for answer in usable if answer.known != "yes"] + [False for _ in against]
    balance = sum(1 if vote else -1 for vote in votes)
    return NoveltyCheck(
        idea_id=idea.id,
        round=1,
        novel=balance > 0 if balance else None,
        nearest=tuple(PriorWork(paper_id=hit.paper.id, similarity=hit.similarity) for hit in nearest),
        closest_id=against[0].id if against else None,
        reason=f"{votes.count(True)} of {len(panel)} call it new, {votes.count(False)} name a paper that has it.",
    )
