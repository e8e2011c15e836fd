"""The doors: a question, a weak point of an idea, a follow-up. Each goes through the same rounds."""

from __future__ import annotations

from collections.abc import Sequence

from novum.core.evidence import Exploration
from novum.reading.exploration.answering import answered
from novum.reading.exploration.live_search import Desk, LiveSearch
from novum.reading.exploration.options import ExploreOptions
from novum.reading.exploration.question import question_about_weakness, question_by_itself
from novum.reading.exploration.search_rounds import Pursuit
from novum.reading.exploration.session import Session


async def explore(
    desk: Desk,
    question: str,
    options: ExploreOptions | None = None,
    *,
    live: LiveSearch | None = None,
    queries: Sequence[str] = (),
    session: Session | None = None,
) -> Exploration:
    """Evidence for `question` from the library, and through `live` from other sources.

    `queries`: searched for in the first round beside the question itself. `session`: goes on in an earlier one, with
    its options. The outcome holds no answer yet: `answered` writes one.
    """
    session = session or Session(desk, options, live)
    return await Pursuit(session, question).pursue(queries)


async def explore_weakness(
    desk: Desk,
    idea: str,
    weakness: str,
    options: ExploreOptions | None = None,
    *,
    live: LiveSearch | None = None,
    session: Session | None = None,
) -> Exploration:
    """Evidence that would help to mend a given `weakness` of an idea (its text). The question is written by a model.

    Without a usable question the weakness itself is searched for.
    """
    session = session or Session(desk, options, live)
    with desk.run.step("question"):
        inquiry = await question_about_weakness(desk.models, idea, weakness, session.options.queries)
    return await Pursuit(session, inquiry.question, weakness=weakness).pursue(inquiry.queries)


async def ask(session: Session, words: str) -> Exploration:
    """One question of a talk with its answer. It may lean on those before it in `session`, whose passages it reuses."""
    models, question = session.desk.models, words
    if session.explorations:
        with session.desk.run.step("question"):
            question = await question_by_itself(models, session.explorations, words)
    found = await Pursuit(session, question, asked=words).pursue(())
    with session.desk.run.step("answer"):
        told = await answered(models, found, session.options.shown)
    session.explorations.append(told)
    return told
