"""What tuning came to, on the terminal: agreement before and after, by criterion and on pairs; weights; ablations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from novum.cli.shell.terminal import one_line, print_heading, print_line, print_message, print_table
from novum.reports.phrases import count, percent

if TYPE_CHECKING:
    from novum.cli.metrics.rated_ideas import Rated, Scale
    from novum.cli.metrics.tune import Done
    from novum.idea_metrics.ablation import AblationRow
    from novum.idea_metrics.preference_agreement import PreferenceAgreement
    from novum.idea_metrics.tuning import ScoreAgreement, TuningResult
    from novum.statistics.records import Correlation

_TOLD = 10
_HEADS = ("way of scoring", "people", "score", "Pearson", "kappa", "weighted", "same grade", "within one", "error")


def tell_left_out(rated: Rated) -> None:
    """Rows that do not count, on stderr, each with its place and why."""
    for line in rated.left_out[:_TOLD]:
        print_message(one_line(f"Left out: {line}", 300))
    if len(rated.left_out) > _TOLD:
        print_message(f"… and {len(rated.left_out) - _TOLD:,} more.")
    if rated.repeated:
        print_message(f"Said again by the same rater, and counted once by the mean: {count(rated.repeated, 'row')}.")


def say_tuned(done: Done, rated: Rated, name: str) -> None:
    """All of it."""
    raters = f" by {count(len(rated.raters), 'rater')}" if rated.raters else ""
    left = f"; {count(len(rated.left_out), 'row')} left out" if rated.left_out else ""
    print_line(f"{count(len(rated.subjects), 'idea')}, {count(rated.ratings, 'rating')}{raters}{left}.")
    for title, tuned in (("User Satisfaction Score", done.satisfaction), ("Creativity Index", done.creativity)):
        if tuned is not None:
            _say(title, tuned, rated.scale, taken=tuned in done.taken)
    for index, rows in done.ablation.items():
        _say_ablation(index, rows)
    print_line()
    if done.folder is not None:
        print_line(f"Written: {done.folder} (what was learnt for the model {one_line(name, 80)}).")
    else:
        print_line("Nothing was written (--dry-run)." if done.taken else "Nothing was written; the model is as it was.")


def _say(title: str, tuned: TuningResult, scale: Scale, *, taken: bool) -> None:
    print_heading(f"\n{title}: agreement with people, on ideas that it was not fitted to")
    print_table(_HEADS, (_cells(line, scale) for line in tuned.lines))
    if tuned.criteria:
        print_heading("\nBy criterion (Table 12)")
        heads = ("criterion", "people", "score", "agreement", "Pearson", "ideas")
        print_table(heads, (_criterion(line, scale) for line in tuned.criteria))
    if tuned.pairs:
        print_heading("\nOn pairs (appendix F)")
        heads = ("preferences", "pairs", "kappa", "Pearson", "same", "same side of those decided")
        print_table(heads, (_pairs(name, found) for name, found in tuned.pairs.items()))
    print_line()
    for line in _verdict(tuned, taken=taken):
        print_line(line)


def _verdict(tuned: TuningResult, *, taken: bool) -> list[str]:
    if tuned.weights is None:
        return ["No part goes with the ratings: the weights stay as they are."]
    fitted = ", ".join(f"{_words(name)} {weight:.2f}" for name, weight in tuned.weights.items())
    lines = [f"Weights: {fitted}." if taken else f"The weights would be: {fitted}."]
    if tuned.unlearnt:
        names = ", ".join(_words(name) for name in tuned.unlearnt)
        lines.append(f"Known of too few of these ideas to be weighed anew: {names}.")
    if not tuned.better:
        fate = "it is taken all the same (--anyway)." if taken else "the weights stay as they are."
        lines.append(
            "On ideas that it did not see the tuned score is no nearer to people than the untuned one or their mean "
            f"rating: {fate}"
        )
    if not taken:
        lines.append("Have more ideas rated, or take these weights all the same: --anyway.")
    return lines


def _say_ablation(index: str, rows: Sequence[AblationRow]) -> None:
    table = "Table 3" if index == "CI" else "Table 4"
    print_heading(f"\nWhat each part of the {index} is worth ({table}; untuned weights)")
    print_table(
        ("parts", "left out", "weights renewed", "weight dropped", "Pearson with ratings"),
        (
            (
                " + ".join(_words(name) for name in row.kept),
                _words(row.left_out or "–"),
                _number(row.renewed, 4),
                _number(row.dropped, 4),
                "–" if row.correlation is None else _pearson(row.correlation),
            )
            for row in rows
        ),
    )


def _cells(line: ScoreAgreement, scale: Scale) -> tuple[str, ...]:
    grades = line.grades
    return (
        line.name,
        _number(scale.back(line.people)),
        _number(scale.back(line.score)),
        _pearson(line.pearson),
        _number(grades.kappa),
        _number(grades.weighted_kappa),
        percent(grades.observed),
        percent(grades.close),
        _number(line.error * (scale.high - scale.low)),
    )


def _criterion(line: ScoreAgreement, scale: Scale) -> tuple[str, ...]:
    return (
        one_line(line.name, 40),
        _number(scale.back(line.people)),
        _number(scale.back(line.score)),
        percent(line.grades.observed),
        _pearson(line.pearson),
        f"{line.grades.n:,}",
    )


def _pairs(name: str, found: PreferenceAgreement) -> tuple[str, ...]:
    grades = found.grades
    return (
        name,
        f"{grades.n:,}",
        _number(grades.kappa),
        _pearson(found.pearson),
        percent(grades.observed),
        "–" if found.same_side is None else f"{percent(found.same_side)} of {found.decided:,}",
    )


def _pearson(found: Correlation) -> str:
    if found.r is None:
        return "–"
    bounds = "" if found.low is None or found.high is None else f" [{_number(found.low)}, {_number(found.high)}]"
    return f"{_number(found.r)}{bounds}"


def _number(value: float | None, digits: int = 2) -> str:
    """With a true minus sign, and none before a nought."""
    return "–" if value is None else f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def _words(name: str) -> str:
    return name.replace("_", " ")
