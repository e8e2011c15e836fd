"""The records of a LiveIdeaBench run: every idea, every judgement, the protocol, and what it took.

An idea is identified by model, keyword and number; a pair of ideas by its two numbers. What is missing is recorded with
the reason.
"""

from __future__ import annotations

from typing import Literal

from novum.core.account import Account
from novum.core.cost import Cost
from novum.core.record import Value

IdeaFate = Literal["judged", "refused", "empty", "too long", "too short", "failed"]
"""`judged`: it goes to the judges. `failed`: the request failed, or the answer cannot be used."""
GradedPairs = Literal["first", "neighbours", "all"]
"""Which pairs of a keyword's ideas are graded: the first two, each with the next, or every two."""
PairAggregate = Literal["mean", "lowest"]
"""How several pairs of a keyword are combined: their mean, or the lowest."""
EffortRole = Literal["ideas", "judging"]
PromptSet = Literal["novum", "published"]
"""Whose prompts: Novum's, or those of the paper, word for word. Scores by one cannot be compared with those by the
other."""

IDEA_DIMENSIONS = ("originality", "feasibility", "clarity")
FLUENCY = "fluency"


class Keyword(Value):
    """A keyword and its discipline, which may be empty."""

    keyword: str
    discipline: str = ""


class LiveIdeaProtocol(Value):
    """The protocol of a run. The defaults are the published one."""

    ideas: int = 2
    """For each keyword and model."""
    judges: int = 3
    """For each idea."""
    pairs: GradedPairs = "first"
    combined: PairAggregate = "mean"
    most_words: int = 200
    """Longer ideas are excluded."""
    tries: int = 3
    """Requests at most for an idea that is empty and for a judgement that cannot be read."""
    marked: tuple[str, ...] = ()
    """Models that are told to put their idea after «Final Idea:»."""
    as_released: bool = False
    """Do as the code that was published with the paper; the documentation has the differences."""
    temperature: float | None = None
    """None: each provider's own."""
    papers: int = 0
    """Number of the library's nearest papers that judges are shown in a second judgement; 0: there is none."""
    prompts: PromptSet = "novum"
    prompt_hashes: dict[str, str] = {}
    """SHA-256 of each prompt by name, as the run began; empty in runs of earlier versions, and before a run begins."""

    @property
    def published_fallback(self) -> bool:
        """Whether refusals are told by the published phrases anywhere in an answer, and the second answer is judged
        whatever it says."""
        return self.as_released or self.prompts == "published"


class JudgeAssignment(Value):
    """A judge of the panel."""

    model: str
    organisation: str = ""
    score: float | None = None
    """In the ranking that the panel was made from."""


class ExcludedJudge(Value):
    """A model that ranks high enough for the panel, and why it is no judge."""

    model: str
    why: str


class IdeaRecord(Value):
    """One idea, or why there is none."""

    model: str
    keyword: str
    discipline: str = ""
    number: int
    """From 0, among the ideas of this model for this keyword."""
    idea: str
    """What judges see; empty when there is no idea."""
    full: str = ""
    """The whole last answer, reasoning first."""
    thoughts: str = ""
    words: int = 0
    """Of the idea."""
    fate: IdeaFate
    why: str = ""
    """Why an idea failed."""
    first_refused: bool = False
    """Whether its first answer is a refusal, by phrases as whole words at its beginning."""
    first_refused_as_released: bool = False
    """The same by the published code's matching: the phrases anywhere, inside words too."""
    first_refusal: str = ""
    """The first answer, when it was a refusal and the academic prompt followed."""
    fallback: bool = False
    """Whether the idea was requested again with the academic prompt."""
    behind_marker: bool = False
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def characters(self) -> int:
        return len(self.idea)

    @property
    def key(self) -> tuple[str, str, int]:
        return self.model, self.keyword, self.number


class JudgementRecord(Value):
    """One judge's answer about one idea, or about one pair of ideas of a keyword."""

    model: str
    """The model whose idea it is."""
    keyword: str
    ideas: tuple[int, ...]
    """The number of the idea, or the two numbers of the pair."""
    number: int
    """Of the idea, or of the pair among the keyword's pairs."""
    judge: str
    """Empty when no judge was eligible."""
    scores: dict[str, float | None]
    """By requested dimension: originality, feasibility and clarity, or fluency. From 1 to 10; None is missing."""
    missing: dict[str, str] = {}
    """For each dimension without a score, why."""
    analysis: str = ""
    """The answer before the scores."""
    raw: str = ""
    """Its whole last answer."""
    reasoning: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def of_pair(self) -> bool:
        return FLUENCY in self.scores

    @property
    def mean(self) -> float | None:
        """Mean of its scores; None when one is missing."""
        given = [score for score in self.scores.values() if score is not None]
        return sum(given) / len(given) if given and len(given) == len(self.scores) else None


class Anchor(Value):
    """One idea of a calibration set, judged in every run by every judge of the panel."""

    number: int
    keyword: str
    idea: str


class AnchorSet(Value):
    """Anchor ideas in their order. Sets with the same name are the same."""

    name: str
    """With a version: judgements are compared only within one."""
    anchors: tuple[Anchor, ...]


class Effort(Cost):
    """What one model took in one role."""

    model: str
    role: EffortRole
    seconds: float = 0.0
    """Sum over its calls."""


class LostJudge(Value):
    """A judge whose calls kept failing, so that it got no more requests."""

    judge: str
    why: str


class LiveIdeaRun(Value):
    """One measurement, finished or stopped: the source of leaderboards, plots and data sets."""

    name: str
    """Id of the run, or name of the file that it was read from."""
    protocol: LiveIdeaProtocol = LiveIdeaProtocol()
    panel: tuple[JudgeAssignment, ...] = ()
    passed_over: tuple[ExcludedJudge, ...] = ()
    panel_wanted: int = 0
    lost: tuple[LostJudge, ...] = ()
    seed: int = 0
    began: str = ""
    """ISO 8601, UTC, as is `ended`."""
    ended: str = ""
    models: tuple[str, ...]
    keywords: tuple[Keyword, ...]
    keywords_dated: str = ""
    """Day of the list of keywords, where it says one."""
    ideas: tuple[IdeaRecord, ...] = ()
    judgements: tuple[JudgementRecord, ...] = ()
    anchors: str = ""
    """Name of the anchor set; empty without one."""
    anchor_judgements: tuple[JudgementRecord, ...] = ()
    """Of anchor ideas, which have no model: `number` is the anchor's. They count in no score of a model."""
    informed: tuple[JudgementRecord, ...] = ()
    """The same ideas scored by the same judges with the nearest papers. They count in no score of the leaderboard."""
    effort: tuple[Effort, ...] = ()
    stopped: str = ""
    """Why it is not complete; empty when it is."""
    notes: tuple[str, ...] = ()
    account: Account | None = None
    """None for a file that others made."""

    @property
    def complete(self) -> bool:
        return not self.stopped

    @property
    def of_others(self) -> bool:
        """Whether it was read from a table alone, so that its protocol is not known."""
        return self.account is None and not self.began and not self.panel
