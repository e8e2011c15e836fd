"""Phrases about reviews."""

from __future__ import annotations

from novum.core import Account, Paper
from novum.core.reviewing import (
    READ_OF_IDEA,
    SURE,
    Criticism,
    CriticismStatus,
    Decision,
    ReviewedIdea,
    ReviewerReport,
    ReviewRound,
    Reviews,
)
from novum.reports.phrases import UNKNOWN, count

_STANDINGS: dict[CriticismStatus, str] = {
    "decides": "decides",
    "counts": "counts",
    "dismissed": "dismissed",
}


def number(value: float | None, digits: int = 2) -> str:
    """`0.62`; a dash for what is not known."""
    return "–" if value is None else f"{value:.{digits}f}"


def decision(told: Decision) -> str:
    """`ACCEPT`, `REJECT` or that nothing was decided."""
    return {True: "ACCEPT", False: "REJECT", None: "undecided"}[told.accept]


def overview(each: ReviewedIdea) -> tuple[str, str, str, str, str]:
    """Decision, utility, mean score, reports and rounds of an idea, by the round that counts."""
    best = each.best
    usable = sum(not report.failure for report in best.reports)
    reports = str(usable) if usable == len(best.reports) else f"{usable} of {len(best.reports)}"
    rounds = f"{each.best_number} of {len(each.rounds)}" if len(each.rounds) > 1 else "1"
    return decision(best.decision), number(best.decision.utility), number(best.mean_score, 1), reports, rounds


def headline(reviews: Reviews) -> str:
    """The result for all ideas in one or two sentences."""
    decided = [flag for each in reviews.ideas if (flag := each.best.decision.accept) is not None]
    text = f"{count(reviews.reports, 'report')} asked for of each. "
    text += f"Accepted: {sum(decided)} of {len(decided)}." if decided else "Nothing could be decided."
    undecided = len(reviews.ideas) - len(decided)
    if decided and undecided:
        text += f" Undecided: {undecided}."
    if reviews.failures:
        text += f" {missing(reviews.failures)}"
    return text


def missing(failures: int) -> str:
    """How many reports, decisions and revisions there should be and are not: unusable, or never asked for as what they
    need was missing."""
    what = count(failures, "report, decision or revision", "reports, decisions or revisions")
    return f"Missing, and in no number: {what}."


def standing_text(label: str, told: Decision) -> str:
    """What a criticism did to the decision, with the reason; empty where it was not weighed."""
    found = next((each for each in told.weighed if each.criticism == label), None)
    return f"{_STANDINGS[found.standing]}: {found.why}" if found else ""


def quotation_flag(each: Criticism) -> str:
    """How far a quotation can be trusted; empty where it stands in the idea, and where none was asked for."""
    if each.severity is None and each.footing == "none":
        return ""
    return {
        "quoted": "",
        "misquoted": "does not stand in the idea",
        "none": "quotes nothing of the idea",
    }[each.footing]


def evidence(each: Criticism, papers: dict[str, Paper]) -> str:
    """The papers that a criticism leans on, and what it cites that was never shown."""
    known = [papers[paper].short_citation for paper in each.papers if paper in papers]
    unknown = [f"unresolved: {label}" for label in each.unknown_papers]
    return "; ".join([*known, *unknown])


def labelled(each: Criticism) -> str:
    """`R1.2 major`; the label alone where the reviewer gives no weights."""
    return f"{each.label} {each.severity}" if each.severity else each.label


def stance_text(report: ReviewerReport) -> str:
    """The stance from which a reviewer looked; nothing of one that takes none."""
    return report.stance or ("in its own words" if report.prose else "")


def marks(report: ReviewerReport) -> str:
    """`overall 6, soundness 5, each of 10; sure of it: 3 of 5`, or the rating that the mark comes from."""
    if report.prose:
        return f"rating {number(report.rating)} of 1, as a mark {report.overall} of 10" if report.marks else "no rating"
    order = sorted(report.marks, key=lambda name: name != "overall")
    told = ", ".join(f"{name} {report.marks[name]}" for name in order) or UNKNOWN
    return told if report.confidence is None else f"{told}, each of 10; sure of it: {report.confidence} of {SURE}"


def demonstration(account: Account) -> str:
    """A note on reviews or decisions by the small offline model."""
    if all(name.startswith("offline:") for name in account.models.get("referees", "offline:").split(", ")):
        return "The small offline model wrote these reviews: they show the working, not the quality."
    return "The small offline model decided on these reports: decision and utility show the working, not the quality."


def warnings(turn: ReviewRound) -> list[str]:
    """Warnings about a round."""
    told = turn.decision
    found = []
    if (length := len(turn.idea.text)) > READ_OF_IDEA:
        found.append(f"Of {length:,} characters of the idea no more than the first {READ_OF_IDEA:,} were read.")
    if told.torn:
        found.append(f"Decision and utility do not agree: {decision(told)} with {number(told.utility)}.")
    if told.strays:
        found.append(f"The decision weighs criticisms that nobody made: {', '.join(told.strays)}.")
    if turn.revision and turn.revision.strays:
        found.append(f"The writer answers criticisms that nobody made: {', '.join(turn.revision.strays)}.")
    if turn.revision and turn.revision.unanswered:
        found.append(f"The writer says nothing of {', '.join(turn.revision.unanswered)}.")
    return found
