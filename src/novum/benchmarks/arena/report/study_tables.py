"""The tables and sentences of a study in words: the terminal, the Markdown file and the page show the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from novum.benchmarks.arena.report.numbers import families_in
from novum.benchmarks.arena.report.phrases import balance, price_per_idea, protocol, shared_rank, standing
from novum.benchmarks.arena.report.records import ArenaReport
from novum.benchmarks.arena.report.study import StudyReport, StudyRow
from novum.benchmarks.arena.statistics.blind_wins import BlindWins
from novum.benchmarks.arena.statistics.shared_ranks import FEWEST_TOPICS
from novum.reports import phrases
from novum.reports.phrases import NONE, count, number, with_interval
from novum.statistics.records import Estimate

_FEW_TOPICS = 20
"""Topics below which the limits of a study say that they are few."""
_ONE_JUDGE = 1


@dataclass(frozen=True)
class StudyTable:
    """A table of cells in words. The first column names its rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def study_tables(report: StudyReport) -> Iterator[StudyTable]:
    """The tables of a study, the one that answers its question first."""
    if report.study == "ablation":
        yield points_table(report)
    for baseline in report.baselines:
        yield wins_table(report, baseline)
    yield ratings_table(report)
    yield cost_table(report)


def points_table(report: StudyReport) -> StudyTable:
    """Points of the variants against the reference, as in Table 2: a row for each criterion, a column for each."""
    criteria = report.board.criteria
    rows = []
    for name in (*criteria, "average"):
        cells = []
        for row in report.rows:
            of = row.standing.average_points if name == "average" else row.standing.points.get(name)
            is_reference = row.entrant == report.board.reference
            cells.append("50" if is_reference else with_interval(*_percent(of.percent)) if of else NONE)
        rows.append((name.capitalize(), *cells))
    return StudyTable(
        "Points against the whole method",
        ("Criterion", *(row.entrant for row in report.rows)),
        tuple(rows),
        f"In percent of the maximum, 2 points for a win, 1 for a tie, 0 for a loss against {report.board.reference}, "
        "which itself would have 50. In brackets 95% intervals with topics as clusters. A variant is clearly worse "
        "where its interval ends below 50.",
    )


def wins_table(report: StudyReport, baseline: str) -> StudyTable:
    """How often judges prefer each entrant to the baseline."""
    wins = [each for each in report.wins if each.opponent == baseline]
    return StudyTable(
        f"Blind wins over {baseline}",
        ("Entrant", "Win rate", "95% interval", "Won : tied : lost", "p", "Topics"),
        tuple(
            (
                each.entrant,
                phrases.share_text(each.rate.value),
                phrases.share_interval(each.rate) or "no interval",
                balance(each.won, each.tied, each.lost),
                NONE if each.p is None else f"{each.p:.3f}",
                f"{each.topics:,}",
            )
            for each in wins
        ),
        "Share of comparisons won, a tie as half; 50% is as good. A comparison is one judge in one order, won by the "
        "idea that is better on more criteria; each pair counts in both orders. Intervals take topics as clusters; p "
        "is the chance of such a difference if neither were better.",
    )


def ratings_table(report: StudyReport) -> StudyTable:
    """Ratings with intervals, Elo as published, and what they are based on."""
    criteria = report.board.criteria
    return StudyTable(
        "Ratings",
        (_first_head(report), "Rank", "Rating", *(name.capitalize() for name in criteria), "Elo"),
        tuple(
            (
                row.entrant,
                shared_rank(row.standing.shared_rank),
                _rating(row.standing.rating.rating),
                *(_rating(row.standing.by_criterion[name].rating) for name in criteria),
                NONE if row.standing.elo is None else f"{row.standing.elo.rating:.0f}",
            )
            for row in report.rows
        ),
        "Bradley–Terry, 1000 on average, with 95% intervals over topics where these can be given. Entrants that cannot "
        "be distinguished share their ranks. Elo as published, K = 4.",
    )


def cost_table(report: StudyReport) -> StudyTable:
    """What the ideas cost, and how long they are."""
    return StudyTable(
        "Cost and length",
        (
            _first_head(report),
            "Ideas",
            "Forfeits",
            "Calls an idea",
            "Tokens an idea",
            "Price an idea",
            "Words",
            "Words judged",
        ),
        tuple(
            (row.entrant, f"{row.cost.ideas:,}", f"{row.cost.forfeits:,}", *_cost(row), *_lengths(row))
            for row in report.rows
        ),
        "Mean length of the ideas as they were written, and as judges saw them. Calls made to generate ideas; "
        "restating and judging are not included. Unknown prices are unknown, never zero.",
    )


def study_headline(report: StudyReport) -> list[str]:
    """The results in sentences."""
    if report.study == "ablation":
        return [_effect(report, row) for row in report.rows if row.entrant != report.board.reference]
    return [standing(report.board), *(_win_sentence(each) for each in report.wins if _is_telling(report, each))]


def study_limits(report: StudyReport, arena: ArenaReport) -> list[str]:
    """What the results cannot show."""
    run, board = report.run, report.board
    judges, entrants = families_in(arena.run, {})
    own = sorted(set(judges.values()) & set(entrants.values()))
    return [
        *([run.stopped + " The results use what was available by then."] if run.stopped else []),
        *(_of_topics(board.average.topics)),
        *(["One judge alone: what it prefers is not what experts prefer."] if len(run.judges) == _ONE_JUDGE else []),
        *([f"Judges and writer are of one family ({', '.join(own)}), which may prefer its own style."] if own else []),
        "Judges are models and see no results of experiments. The command novum arena agree compares them with people.",
        _of_form(report),
        *([f"{count(board.tally.failed, 'request')} to judges gave no verdict."] if board.tally.failed else []),
        *run.notes,
    ]  # fmt: skip


def study_protocol(report: StudyReport, arena: ArenaReport) -> list[tuple[str, str]]:
    """The protocol as pairs of a name and a value."""
    run, design = report.run, report.design
    entrants = [f"{each.name}: {_made_by(each.method, each.options)}" for each in run.entrants]
    models = [f"{role} {model}" for role, model in run.account.models.items()] if run.account else []
    return [
        ("Question", design.question),
        *([("Repeats", f"Chain of Ideas, {design.source}")] if design.source else []),
        ("Entrants", "; ".join(entrants)),
        ("Models", "; ".join(models) or "unknown"),
        ("Form of the ideas", _form(report)),
        *protocol(arena),
    ]  # fmt: skip


def _form(report: StudyReport) -> str:
    run = report.run
    if run.form == "cut":
        return (
            f"the same parts of every idea (title, motivation, novelty, method), cut at the end of a sentence: at most "
            f"{run.words} words"
        )
    if run.form == "restated":
        return (
            "every idea restated by one model from its text alone, in the same parts (title, motivation, novelty, "
            f"method), and cut at the end of a sentence: at most {run.words} words"
        )
    return "as each method wrote it"


def _of_form(report: StudyReport) -> str:
    if report.run.form == "as-written":
        return "Judges saw the ideas as they were written: form and length may have influenced them."
    return (
        "Judges saw the ideas in one form and length: what a method says beyond that, and how well it is presented, "
        "was not compared."
    )


def _of_topics(topics: int) -> list[str]:
    if topics < FEWEST_TOPICS:
        return [f"{count(topics, 'topic')}: no difference can be more than chance with fewer than {FEWEST_TOPICS}."]
    return [f"{count(topics, 'topic')}: few, so only large differences show."] if topics < _FEW_TOPICS else []


def _effect(report: StudyReport, row: StudyRow) -> str:
    """`Without chain: 42 points of 100 [38 to 47], clearly worse.`"""
    points = row.standing.average_points
    if points is None or points.percent.value is None:
        return f"{row.entrant}: there were no comparisons."
    low, high = points.percent.low, points.percent.high
    says = "no clear difference"
    if low is None or high is None:
        says = "no interval can be given"
    elif high < 50 or low > 50:
        says = "clearly worse" if high < 50 else "clearly better"
    value = with_interval(*_percent(points.percent))
    return f"{row.entrant}: {value} of 100 points, where {report.board.reference} has 50: {says}."


def _win_sentence(wins: BlindWins) -> str:
    """`rag against plain: 62% of 40 blind comparisons [48% to 74%].`"""
    rate = with_interval(phrases.percent(wins.rate.value), phrases.share_interval(wins.rate))
    return (
        f"{wins.entrant} against {wins.opponent}: wins {rate} of {count(wins.comparisons, 'blind comparison')} on "
        f"{count(wins.topics, 'topic')}."
    )


def _is_telling(report: StudyReport, wins: BlindWins) -> bool:
    """Whether there are comparisons, and the entrant is not a baseline itself that the opponent was held against."""
    order = list(report.baselines)
    earlier = order[: order.index(wins.opponent)]
    return wins.comparisons > 0 and wins.entrant not in earlier


def _first_head(report: StudyReport) -> str:
    return report.design.option.capitalize() or "Entrant"


def _percent(of: Estimate) -> tuple[str, str]:
    return number(of.value, 0), phrases.interval(of, 0)


def _rating(of: Estimate) -> str:
    return with_interval(number(of.value, 0), phrases.interval(of, 0))


def _cost(row: StudyRow) -> tuple[str, str, str]:
    of = row.cost
    if not of.cost.calls or not of.ideas:
        return NONE, NONE, NONE
    tokens = of.cost.prompt_tokens + of.cost.completion_tokens
    return f"{of.cost.calls / of.ideas:.1f}", f"{tokens / of.ideas:,.0f}", price_per_idea(of)


def _lengths(row: StudyRow) -> tuple[str, str]:
    return number(row.words_written, 0), number(row.standing.mean_words, 0)


def _made_by(method: str, options: object) -> str:
    if not method:
        return "ideas made elsewhere"
    return f"{method} with {_options(options)}" if options else method


def _options(options: object) -> str:
    items: Sequence[tuple[str, object]] = tuple(options.items()) if isinstance(options, dict) else ()
    return ", ".join(f"{name} {phrases.option(value)}" for name, value in items)
