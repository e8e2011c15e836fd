"""Read rows of conversations, as in published review data sets for fine-tuning: a paper in the question, a review in
the answer.

Rows may have `messages` or `conversations` of turns, or columns for question and answer. Which side is the abstract is
determined by the task of the row, else by the system prompt, else by the heading of an abstract. Rows about derived
idea texts are skipped, because nothing links them to their paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from novum.literature.importing.cleaning import clean_date, clean_text, clean_year
from novum.literature.importing.record import UnusableRecord
from novum.training.reviews.raw import RawPaper, RawReview, json_objects, long_text
from novum.training.reviews.readers.place import Place, venue_year

_TURNS = ("messages", "conversations", "conversation")
_ASKED = ("prompt", "input", "instruction", "question", "user")
_ANSWERED = ("completion", "output", "response", "answer", "assistant")
_TASK = ("task", "task_type", "type", "task_name")
_USER, _ASSISTANT = frozenset({"user", "human"}), frozenset({"assistant", "gpt", "model"})
_TITLE = re.compile(r"(?:\A|\n)[ \t#*]{0,9}title[ \t*]{0,9}:[ \t*]{0,9}(?P<title>[^\n]{3,400})", re.IGNORECASE)
_ABSTRACT = re.compile(
    r"(?:\A|\n)[ \t#*]{0,9}abstract[ \t*]{0,9}:?[ \t*]{0,9}\n?(?P<abstract>.{40,})", re.IGNORECASE | re.DOTALL
)
_RATING = re.compile(
    r"(?:\A|\n)[ \t#*]{0,9}(?:overall )?(?:rating|recommendation|score)[ \t*]{0,9}:[ \t*]{0,9}(?P<rating>[^\n]{1,120})",
    re.IGNORECASE,
)


def fits(record: Mapping[str, object]) -> bool:
    """Whether the record has a question and an answer."""
    return any(isinstance(record.get(name), list) for name in _TURNS) or (
        _has_any(record, _ASKED) and _has_any(record, _ANSWERED)
    )


def _has_any(record: Mapping[str, object], names: tuple[str, ...]) -> bool:
    return any(isinstance(record.get(name), str | list) for name in names)


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """Yield one paper with one review; rows of the same paper are merged later."""
    system, question, answer = _sides(record)
    if not question or not answer:
        raise UnusableRecord("a conversation without a question and an answer")
    task = " ".join(clean_text(record.get(name)) for name in _TASK).strip() or system
    if re.search(r"\bidea[ _-]?(?:abstract|review|eval|gen|only)", task, re.IGNORECASE):
        raise UnusableRecord("about derived idea texts, which nothing links to their paper")
    backward = bool(_ABSTRACT.search(answer)) if not task else _is_backward(task, question, answer)
    paper, review = (answer, question) if backward else (question, answer)
    abstract = _ABSTRACT.search(paper)
    title, rating = _TITLE.search(paper), _RATING.search(review)
    named = venue_year(clean_text(record.get("venue") or record.get("conference")))
    by_path = place.by_name
    day = clean_date(record.get("date"))
    yield RawPaper(
        title=clean_text(record.get("title"))[:2000] or (clean_text(title["title"]) if title else ""),
        abstract=clean_text(abstract["abstract"] if abstract else _TITLE.sub("", paper)),
        venue=named.venue or by_path.venue,
        year=clean_year(record.get("year")) or named.year or by_path.year,
        date=day.isoformat() if day else "",
        decided=clean_text(record.get("decision"))[:200],
        reviews=[RawReview(text=long_text(review), rating=rating["rating"].strip(" *") if rating else "")],
        key=clean_text(record.get("id") or record.get("paper_id"))[:200],
    )


def _is_backward(task: str, question: str, answer: str) -> bool:
    """Whether the answer is an abstract written from a review."""
    if _ABSTRACT.search(answer) or _ABSTRACT.search(question):
        return bool(_ABSTRACT.search(answer)) and not _ABSTRACT.search(question)
    return bool(
        re.search(r"abstract[_ ]gen|gen\w* (?:an |the )?\w* ?abstract|review (?:to|->) abstract", task, re.IGNORECASE)
    )


def _sides(record: Mapping[str, object]) -> tuple[str, str, str]:
    """The texts of system, user and assistant, from turns or from columns."""
    turns = next((record[name] for name in _TURNS if isinstance(record.get(name), list)), None)
    if turns is None:
        columns = (("system", "system_prompt"), _ASKED, _ANSWERED)
        system, question, answer = (next(filter(None, (_side(record.get(n)) for n in names)), "") for names in columns)
        return system, question, answer
    sides = {"system": "", "user": "", "assistant": ""}
    for turn in json_objects(turns, 20):
        role = clean_text(turn.get("role") or turn.get("from")).lower()
        name = "user" if role in _USER else "assistant" if role in _ASSISTANT else role
        if name in sides and not sides[name]:
            sides[name] = _turn_text(turn.get("content") or turn.get("value"))
    return sides["system"], sides["user"], sides["assistant"]


def _side(value: object) -> str:
    """The text of a column, or of the last of its turns."""
    if isinstance(value, list):
        turns = json_objects(value, 20)
        return _turn_text(turns[-1].get("content")) if turns else ""
    return long_text(value)


def _turn_text(content: object) -> str:
    """The text of a turn, which may be in parts."""
    parts = json_objects(content, 50)
    return long_text([part.get("text") for part in parts] if parts else content)
