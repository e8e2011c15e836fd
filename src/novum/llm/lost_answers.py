"""Questions of a run that stay without an answer, and when a model counts as gone.

A run of many questions does not end with one failed call: what depends on the answer is left out, and reported as
missing. A run ends when its model seems to be gone: then all other questions would fail too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from novum.errors import CallFailed, LostAnswer, ModelError, RequestRefused
from novum.llm.providers import ModelName

MOST_IN_A_ROW = 10
"""Different questions in a row, without an answer between them, after whose failure a model counts as gone."""


@dataclass
class SessionCalls:
    """Whether any call of a session of work on a run came to an answer, of whichever model."""

    answered: bool = False
    failure: ModelError | None = None
    """Of the call that failed last."""

    def check(self) -> None:
        """Raises the failure where calls were made and none was answered: nothing was done, whatever was left out."""
        if self.failure is not None and not self.answered:
            raise self.failure


@dataclass
class FailureStreaks:
    """By model, how it answered in this session."""

    answered: set[ModelName] = field(default_factory=set)
    in_a_row: Counter[ModelName] = field(default_factory=Counter)


@dataclass
class LostAnswers:
    """What was lost so far. `prompts`: by prompt, the number of questions without an answer."""

    streaks: FailureStreaks = field(default_factory=FailureStreaks)
    prompts: Counter[str] = field(default_factory=Counter)

    def note_answer(self, model: ModelName) -> None:
        """The model has answered: it is there."""
        self.streaks.answered.add(model)
        self.streaks.in_a_row[model] = 0

    def after_failure(self, model: ModelName, prompt: str, error: ModelError) -> ModelError:
        """The error to raise for a question: `LostAnswer` where the run goes on without it, else `error` itself."""
        isolated = isinstance(error, CallFailed) or (
            isinstance(error, RequestRefused) and model in self.streaks.answered
        )
        if not isolated:
            return error
        self.streaks.in_a_row[model] += 1
        if self.streaks.in_a_row[model] >= MOST_IN_A_ROW:
            return error
        self.prompts[prompt] += 1
        return LostAnswer(str(error))

    @property
    def note(self) -> str:
        """A sentence for a report; empty when nothing is missing."""
        if not self.prompts:
            return ""
        total = self.prompts.total()
        parts = ", ".join(f"{number} of {name}" for name, number in sorted(self.prompts.items()))
        verb = "response is" if total == 1 else "responses are"
        return (
            f"{total} {verb} missing since calls to models failed ({parts}); what depends on them is left out. "
            "The same command once more requests only these."
        )
