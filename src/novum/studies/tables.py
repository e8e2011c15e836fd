"""The answers of a study as tables, in the columns that the commands read which learn from people or compare with them.

Ratings: `novum liveidea agree` and `novum metrics tune`. Pairs and grades: `novum arena agree`. Preferences: `novum
metrics tune` and `novum data preferences`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from novum.files.tables import csv_text
from novum.studies.records import Answer, Comment, Participant, Study, StudyItem
from novum.studies.results import ParticipantResult, Rating, counted, participant_results, ratings_of

_CHECKS = {True: "passed", False: "failed", None: ""}
_OUTCOMES = {"2": "first", "1": "tie", "0": "second"}
Row = Mapping[str, object]


def study_tables(
    study: Study, people: Sequence[Participant], answers: Sequence[Answer], comments: Sequence[Comment] = ()
) -> dict[str, str]:
    """CSV texts by the name of their file: every answer, every comment, and the tables that fit the form. These leave
    out, as the results do, whoever failed an attention check."""
    given, progress = ratings_of(study, people, answers), participant_results(study, people, answers)
    tables = {"answers.csv": as_csv(_answers(study, given, progress))}
    ratings = counted(given, progress)
    if comments:
        tables["comments.csv"] = as_csv(_comments(study, people, comments))
    if study.form_name == "ratings":
        tables["ratings.csv"] = as_csv(_wide(study, ratings))
        tables["tuning.csv"] = as_csv(_tuning(study, ratings))
    elif study.form_name in ("pairs", "grades"):
        tables["matches.csv"] = as_csv(_matches(study, ratings))
    elif study.form_name == "preference":
        tables["preferences.csv"] = as_csv(_preferences(study, ratings))
    return tables


def as_csv(rows: Iterable[Row]) -> str:
    """Rows as CSV, safe for spreadsheets; empty without rows."""
    listed = list(rows)
    return csv_text(list(listed[0]), [list(each.values()) for each in listed]) if listed else ""


def _answers(study: Study, ratings: Sequence[Rating], people: Sequence[ParticipantResult]) -> Iterable[Row]:
    checks = {each.number: _CHECKS[each.passed] for each in people}
    for each, item in _with_items(study, ratings):
        yield {
            "study": study.id, "participant": each.participant, "attention_checks": checks[each.participant],
            "item": each.item, "topic": item.topic, "first": item.first.title,
            "second": item.second.title if item.second else "", "first_source": item.first_source,
            "second_source": item.second_source, "criterion": each.criterion, "answer": each.value,
            "score": "" if each.score is None else f"{each.score:g}",
        }  # fmt: skip


def _comments(study: Study, people: Sequence[Participant], comments: Sequence[Comment]) -> Iterable[Row]:
    """One line for each comment; one on an attention check names no item."""
    plans = {each.number: each.plan for each in people}
    for each in comments:
        item = study.item(plans[each.participant][each.task].item)
        yield {
            "study": study.id, "participant": each.participant, "item": item.id if item else "",
            "topic": item.topic if item else "", "first": item.first.title if item else "",
            "second": item.second.title if item and item.second else "", "comment": each.text,
        }  # fmt: skip


def _wide(study: Study, ratings: Sequence[Rating]) -> Iterable[Row]:
    """One line for each idea and person, one column for each criterion. An idea is named by its whole text."""
    cells: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    texts = {item.id: item.first.summary or item.first.text for item in study.items}
    for each in ratings:
        cells[each.item, each.participant][each.criterion] = each.value
    names = [question.name for question in study.form.questions]
    for (item, person), given in cells.items():
        yield {"idea": texts[item], "rater": f"p{person}", **{name: given.get(name, "") for name in names}}


def _tuning(study: Study, ratings: Sequence[Rating]) -> Iterable[Row]:
    for each, item in _with_items(study, ratings):
        yield {
            "title": item.first.title, "text": item.first.text, "topic": item.topic, "criterion": each.criterion,
            "rating": each.value, "low": f"{study.form.low:g}", "high": f"{study.form.high:g}",
            "rater": f"p{each.participant}",
        }  # fmt: skip


def _matches(study: Study, ratings: Sequence[Rating]) -> Iterable[Row]:
    for each, item in _with_items(study, ratings):
        first, second = _entrants(item)
        yield {
            "topic": item.topic, "kind": "idea", "first": first, "second": second,
            "judge": f"p{each.participant}", "order": item.id, "criterion": each.criterion,
            "outcome": _OUTCOMES.get(each.value, each.value),
        }  # fmt: skip


def _entrants(item: StudyItem) -> tuple[str, str]:
    """The names of the two sides: their sources, or the titles of the ideas where both have one source."""
    if item.second is None or item.first_source != item.second_source:
        return item.first_source, item.second_source
    return item.first.title, item.second.title


def _preferences(study: Study, ratings: Sequence[Rating]) -> Iterable[Row]:
    for each, item in _with_items(study, ratings):
        if item.second is not None:
            yield {
                "a": item.first.text, "b": item.second.text, "topic": item.topic, "preference": each.value,
                "rater": f"p{each.participant}",
            }  # fmt: skip


def _with_items(study: Study, ratings: Sequence[Rating]) -> Iterable[tuple[Rating, StudyItem]]:
    known = {item.id: item for item in study.items}
    return ((each, known[each.item]) for each in ratings if each.item in known)
