"""The comment model: it sees an idea and its context and says what is wrong (DeepInnovator, section 4.3, appendix C).

It gives no score. It does not see the truth, unless `truth` is passed, as the published prompt does: then a comment can
lead the policy to the hidden idea, and the return measures how well the comment leaks.
"""

from __future__ import annotations

from novum.errors import NoUsableAnswer
from novum.llm import Answer, ModelName, Models, Question, Role, listed, prose
from novum.methods.deep_innovator.episode import IdeaComment


class IdeaCritique(Answer):
    """The answer to `comment_on_idea`."""

    analysis: str = prose(700, "whether this could be the plan of real work, and where it only sounds like it")
    red_flags: list[str] = listed(4, "a fault that would make the work fail, with the words that show it", longest=260)
    advice: str = prose(400, "what to change first, and how, without writing the idea anew")
    sound: bool

    @property
    def comment(self) -> IdeaComment:
        """The critique as the policy reads it. Sound and without red flags: the episode needs no further idea."""
        flags = "\n".join(f"- {each}" for each in self.red_flags if each.strip())
        text = "\n\n".join(filter(None, (self.analysis, flags, self.advice)))
        return IdeaComment(text, satisfied=self.sound and not flags)


async def comment_on(
    models: Models,
    context: str,
    idea: str,
    *,
    topic: str = "",
    role: Role | ModelName = "judge",
    truth: str = "",
    sample: int = 0,
) -> IdeaComment | None:
    """A comment on an idea; None when the model gives no usable answer. `topic`: empty for a context alone."""
    needs = {"context": context, "idea": idea, "topic": topic, "truth": truth}
    try:
        critique = await models.ask(Question("comment_on_idea", needs, IdeaCritique, role=role, sample=sample))
    except NoUsableAnswer:
        return None
    return critique.comment
