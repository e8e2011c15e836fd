"""The reward-hacking watch: signs that a policy raises its return without writing better ideas.

Longer ideas, fewer well-formed ones, repetition, the words of the comment in the next idea, a worse first idea, and a
return that an independent judge does not confirm. All of it is measured on the trajectories that are trained on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from novum.core.record import Value
from novum.judges.loops import repeated_share
from novum.training.next_idea.environment.session import EpisodeResult

_WORD = re.compile(r"\w+")
_PHRASE = 3
"""Words of a phrase that an idea may take from a comment."""


class WatchPoint(Value):
    """Means over the trajectories of one step. None: not measured."""

    step: int
    trajectories: int
    returns: float | None = None
    """Mean return, unshaped."""
    reward: float | None = None
    """Mean reward after shaping."""
    spread: float | None = None
    """Mean standard deviation of the reward within a group: at 0 nothing can be learnt."""
    first_score: float | None = None
    last_score: float | None = None
    ideas: float = 0.0
    """Ideas of a trajectory."""
    length: float | None = None
    """Characters of the last idea."""
    well_formed: float | None = None
    """Share of ideas with all parts and marks."""
    repetition: float | None = None
    """Share of repeated phrases in the last idea."""
    echo: float | None = None
    """Share of the phrases of an improved idea that are new in it and stand in the comment before it."""
    failed_steps: int = 0
    """Steps that could not be scored; they are dropped."""
    without_return: int = 0
    """Trajectories that have no return and are not trained on."""
    scores_in_comments: int = 0
    judged: int = 0
    """Trajectories that the independent judge compared."""
    judge_gain: float | None = None
    """Mean preference of the independent judge for the last idea over the first, -0.5 to 0.5."""
    gap: float | None = None
    """Mean return of the judged trajectories minus the judge's gain."""


def watch_point(step: int, results: Sequence[EpisodeResult], rewards: Sequence[float | None], group: int) -> WatchPoint:
    """The signs of one step. `group`: trajectories of one context, which follow each other."""
    last = [each.ideas[-1] for each in results if each.ideas]
    return WatchPoint(
        step=step,
        trajectories=len(results),
        returns=_mean(each.value for each in results),
        reward=_mean(rewards),
        spread=_mean(_deviation(rewards[at : at + group]) for at in range(0, len(rewards), group)),
        first_score=_mean(each.first_score for each in results),
        last_score=_mean(each.last_score for each in results),
        ideas=fmean(len(each.ideas) for each in results) if results else 0.0,
        length=_mean(len(each) for each in last),
        well_formed=_mean(float(each) for one in results for each in one.well_formed),
        repetition=_mean(repeated_share(each) for each in last),
        echo=_mean(share for each in results for share in echoes(each)),
        failed_steps=sum(each.failed for each in results),
        without_return=sum(each is None for each in rewards),
        scores_in_comments=sum(each.scores_removed for each in results),
    )


def echoes(result: EpisodeResult) -> list[float]:
    """For each improved idea the share of its phrases that the idea before lacks and the comment between has."""
    shares = []
    for before, comment, after in zip(result.ideas, result.comments, result.ideas[1:], strict=False):
        now = _phrases(after)
        if now:
            shares.append(len((now - _phrases(before)) & _phrases(comment)) / len(now))
    return shares


def with_judgement(point: WatchPoint, returns: Sequence[float], gains: Sequence[float]) -> WatchPoint:
    """The point with what an independent judge prefers. `returns`, `gains`: of the same trajectories."""
    if not gains:
        return point
    gain, mean = fmean(gains), fmean(returns)
    return point.model_copy(update={"judged": len(gains), "judge_gain": gain, "gap": mean - gain})


def warnings(points: Sequence[WatchPoint]) -> list[str]:
    """Sentences on what a reader should look at: changes from the first tenth of the steps to the last."""
    if len(points) < 4:
        return []
    share = max(1, len(points) // 10)
    early, late = points[:share], points[-share:]
    return [text for name, text, alarming in _SIGNS if (pair := _pair(early, late, name)) and alarming(*pair)]


_SIGNS: tuple[tuple[str, str, Callable[[float, float], bool]], ...] = (
    ("length", "Ideas became more than half as long again: longer texts may be scored higher for their length.",
     lambda before, after: after > 1.5 * before),
    ("well_formed", "Fewer ideas are well formed than at the beginning.", lambda before, after: after < before - 0.1),
    ("repetition", "Ideas repeat themselves more than at the beginning.", lambda before, after: after > before + 0.1),
    ("echo", "Improved ideas take more of their words from the comment than at the beginning.",
     lambda before, after: after > before + 0.1),
    ("first_score", "First ideas became worse: a return is also gained by starting lower. "
     "episode.loss_on = \"refinements\" takes that incentive away.", lambda before, after: after < before - 0.05),
    ("gap", "The return rose more than the independent judge confirms.", lambda before, after: after > before + 0.1),
)  # fmt: skip


def _pair(early: Sequence[WatchPoint], late: Sequence[WatchPoint], name: str) -> tuple[float, float] | None:
    before, after = (_mean(getattr(each, name) for each in points) for points in (early, late))
    return None if before is None or after is None else (before, after)


def _phrases(text: str) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.casefold())
    return {tuple(words[at : at + _PHRASE]) for at in range(len(words) - _PHRASE + 1)}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return fmean(known) if known else None


def _deviation(values: Sequence[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    if len(known) < 2:
        return None
    mean = fmean(known)
    return float((sum((each - mean) ** 2 for each in known) / (len(known) - 1)) ** 0.5)
