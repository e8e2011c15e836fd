"""How far a judge agrees with people, where it has been measured: kept in Novum's home, and named by reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from novum.core.record import Value, content_id
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain
from novum.files.private import make_private_folder
from novum.reports.phrases import percent, share_interval
from novum.statistics.records import NO_ESTIMATE, Estimate

_FOLDER = "judge-agreement"


class ScoreCurve(Value):
    """What people's ratings of texts with a score are, in standard deviations from the mean of their group."""

    scores: tuple[float, ...]
    """Ascending."""
    people: tuple[float, ...]
    """At each of these scores; straight lines between them."""
    low: float
    """Of nine texts in ten, people's rating lies between this and `high` above the curve."""
    high: float

    def expected(self, score: float) -> float:
        """The rating by people that a score stands for."""
        return float(np.interp(score, self.scores, self.people))


class JudgeAgreement(Value):
    """How far a panel of judges, by one way of judging, agrees with people."""

    judges: tuple[str, ...]
    """`provider:model`, in alphabetical order."""
    by: str
    """`rubric`, `review`, or the name of a pairwise judge."""
    texts: int
    pairs: int
    """Pairs of texts on which people clearly differ."""
    right: Estimate = NO_ESTIMATE
    """The share of them that the panel orders as people do, ties as half."""
    spearman: Estimate = NO_ESTIMATE
    groups: tuple[str, ...] = ()
    measured: str = ""
    """Day, ISO 8601."""
    curve: ScoreCurve | None = None
    """None with too few texts to fit it."""


def save_agreement(home: Path, agreement: JudgeAgreement) -> None:
    """Keeps it in place of an earlier one of the same judges. Raises BadInput where it cannot be written."""
    file = _file(home, agreement.by, agreement.judges)
    try:
        make_private_folder(file.parent)
        write_atomic(file, agreement.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise BadInput(
            f"{file} cannot be written: {error.strerror or error}. Free disk space, or set NOVUM_HOME."
        ) from error


def known_agreement(home: Path, by: str, judges: Sequence[str]) -> JudgeAgreement | None:
    """What was measured of this panel; None where nothing was, or the file cannot be read."""
    try:
        return JudgeAgreement.model_validate_json(read_plain(_file(home, by, judges)))
    except (OSError, ValidationError):
        return None


def agreement_sentence(home: Path, judges: Sequence[str]) -> str:
    """How far judges that compare pairs of ideas agree with people, as a report says it."""
    known = known_agreement(home, "pair", judges)
    if known is None or known.right.value is None:
        return "How far these judges agree with people is not known. The command novum judge validate measures it."
    range_ = share_interval(known.right)
    return (
        f"Of {known.pairs:,} pairs of texts that people rated clearly differently, these judges ordered "
        f"{percent(known.right.value)} as people did{f' ({range_})' if range_ else ''}; chance is 50%."
    )


def _file(home: Path, by: str, judges: Sequence[str]) -> Path:
    return home / _FOLDER / f"{content_id('judges', [by, *sorted(judges)])}.json"
