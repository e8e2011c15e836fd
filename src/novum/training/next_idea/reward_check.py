"""Can a model be a reward model? It must call real ideas real and generated ones generated (appendix B, Table A6).

    async with Workplace(load_settings()) as workplace:
        check = await start(REWARD_CHECK, workplace, RewardCheckTask(data="tasks", models=("openai:gpt-5.5",)))

The real ideas are the truths of a data set; for each, the writer of the run writes a first idea from its context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from novum.core.account import Account
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.core.research_context import NEXT_IDEA_SPLITS, NextIdeaRecord, NextIdeaSplit
from novum.errors import BadInput, NoUsableAnswer
from novum.lab import Lab, Workplace
from novum.ledger import RunRecord
from novum.llm import Answer, ModelName, Question, listed, prose
from novum.methods.deep_innovator.conversation import conversation_prompt, policy_messages
from novum.methods.deep_innovator.episode import Episode, PolicyIdea, read_idea
from novum.runs.engine import RunHeader, RunKind, SessionResult, account_of, check_models
from novum.statistics.win_rates import WinShare, decided_share
from novum.training.next_idea.data.files import open_next_ideas


class AuthenticityJudgement(Answer):
    """The answer to `judge_authenticity`: the reasons before the judgement."""

    analysis: str = prose(600, "whether its steps could be carried out and its parts fit, pointing at its words")
    reasons: list[str] = listed(4, "what speaks for or against real work", longest=200, few=1)
    real: bool


class RewardCheckTask(Value):
    """`data`: a folder of tasks. `models`: candidates, `provider:model`. `pairs`: real and generated ideas, each."""

    data: str
    models: Annotated[tuple[str, ...], Field(min_length=1)]
    split: NextIdeaSplit | Literal["all"] = "all"
    pairs: Annotated[int, Field(ge=1, le=10_000)] = 40


class CandidateCheck(Value):
    """What one candidate made of real and of generated ideas. `failures`: ideas without a usable answer."""

    model: str
    real: WinShare
    """Share of real ideas that it called real."""
    generated: WinShare
    """Share of generated ideas that it called generated."""
    failures: int

    @property
    def usable(self) -> bool:
        """Whether both shares are above a half, with their whole intervals: otherwise its scores may mean nothing."""
        return all((each.rate.low or 0.0) > 0.5 for each in (self.real, self.generated))


class RewardCheck(Value):
    """The outcome for all candidates."""

    candidates: tuple[CandidateCheck, ...]
    ideas: int
    writer: str
    account: Account


async def _prepare(workplace: Workplace, task: RewardCheckTask) -> RunHeader[RewardCheckTask]:
    data = open_next_ideas(Path(task.data))
    if not _chosen(data.records(split) for split in _splits(task)):
        raise BadInput(f"{task.data} has no tasks in the split {task.split}.")
    models = [ModelName.parse(name) for name in task.models]
    await check_models(workplace, [workplace.model_settings.roles.writer, *models])
    names = [model.short for model in models]
    stored = task.model_copy(update={"data": _absolute(task.data)})
    return RunHeader(f"reward models {', '.join(names)}", {"models": list(names), "pairs": task.pairs}, task=stored)


async def _carry_out(lab: Lab, record: RunRecord, task: RewardCheckTask) -> SessionResult[RewardCheck]:
    lab = lab.going_on()
    data = open_next_ideas(Path(task.data))
    tasks = _chosen(data.records(split) for split in _splits(task))[: task.pairs]
    with lab.run.step("ideas to judge"):
        written = await run_concurrently(first_idea(lab, each) for each in tasks)
    generated = [each.text for each in written if each]
    real = [each.truth.text for each in tasks]
    with lab.run.step("judging"):
        candidates = await run_concurrently(_check(lab, ModelName.parse(name), real, generated) for name in task.models)
    outcome = RewardCheck(
        candidates=tuple(candidates),
        ideas=len(real),
        writer=lab.models.settings.roles.writer.short,
        account=await account_of(lab, record),
    )
    return SessionResult(outcome, count=len(real) + len(generated))


REWARD_CHECK = RunKind("reward-check", "a check of reward models", RewardCheckTask, RewardCheck, _prepare, _carry_out)


async def first_idea(lab: Lab, task: NextIdeaRecord, sample: int = 0) -> PolicyIdea | None:
    """A first idea by the writer from the context of a task; None when there is none."""
    small = lab.models.settings.roles.writer.provider.small
    messages = policy_messages(lab.prompts, task.encoded.text, Episode(), small=small)
    prompt = conversation_prompt(messages)
    try:
        return read_idea(await lab.models.with_prompts([prompt]).ask(Question(prompt.name, {}, str, sample=sample)))
    except NoUsableAnswer:
        return None


async def _check(lab: Lab, model: ModelName, real: Sequence[str], generated: Sequence[str]) -> CandidateCheck:
    judged = await run_concurrently(_called_real(lab, model, text) for text in [*real, *generated])
    of_real, of_generated = judged[: len(real)], judged[len(real) :]
    return CandidateCheck(
        model=model.short,
        real=decided_share(of_real),
        generated=decided_share([None if each is None else not each for each in of_generated]),
        failures=sum(each is None for each in judged),
    )


async def _called_real(lab: Lab, model: ModelName, idea: str) -> bool | None:
    question = Question("judge_authenticity", {"idea": idea}, AuthenticityJudgement, role=model, temperature=0.0)
    try:
        return (await lab.models.ask(question)).real
    except NoUsableAnswer:
        return None


def _splits(task: RewardCheckTask) -> Sequence[NextIdeaSplit]:
    return NEXT_IDEA_SPLITS if task.split == "all" else (task.split,)


def _chosen(splits: Iterable[Sequence[NextIdeaRecord]]) -> list[NextIdeaRecord]:
    """One task for each target."""
    return list({each.target_id: each for records in splits for each in records}.values())


def _absolute(folder: str) -> str:
    return str(Path(folder).resolve())
