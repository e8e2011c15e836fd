"""Rows of conversations, as published review data sets for fine-tuning have them: a paper asks, a review answers.

Rows of several shapes are understood: `messages` or `conversations` of turns, and columns for the question and the
answer. Which side is the abstract and which the review is told by the row's task, else by the system's words, else by
which one is headed as an abstract. Rows about idea texts that others derived are passed over: nothing in a row ties
them to the paper that they were made from.
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
    """Whether it holds a question and an answer."""
    return any(isinstance(record.get(name), list) for name in _TURNS) or (
        _told(record, _ASKED) and _told(record, _ANSWERED)
    )


def _told(record: Mapping[str, object], names: tuple[str, ...]) -> bool:
    return any(isinstance(record.get(name), str | list) for name in names)


def read(record: Mapping[str, object], place: Place) -> Iterator[RawPaper]:
    """One paper with one review; rows of the same paper are joined later."""
    system, asked, answered = _sides(record)
    if not asked or not answered:
        raise UnusableRecord("a conversation without a question and an answer")
    task = " ".join(clean_text(record.get(name)) for name in _TASK).strip() or system
    if re.search(r"\bidea[ _-]?(?:abstract|review|eval|gen|only)", task, re.IGNORECASE):
        raise UnusableRecord("about idea texts that others derived, which nothing ties to their paper")
    backward = bool(_ABSTRACT.search(answered)) if not task else _is_backward(task, asked, answered)
    paper, review = (answered, asked) if backward else (asked, answered)
    abstract = _ABSTRACT.search(paper)
    title, rating = _TITLE.search(paper), _RATING.search(review)
    told = venue_year(clean_text(record.get("venue") or record.get("conference")))
    near = place.by_name
    day = clean_date(record.get("date"))
    yield RawPaper(
        title=clean_text(record.get("title"))[:2000] or (clean_text(title["title"]) if title else ""),
        abstract=clean_text(abstract["abstract"] if abstract else _TITLE.sub("", paper)),
        venue=told.venue or near.venue,
        year=clean_year(record.get("year")) or told.year or near.year,
        date=day.isoformat() if day else "",
        decided=clean_text(record.get("decision"))[:200],
        reviews=[RawReview(text=long_text(review), rating=rating["rating"].strip(" *") if rating else "")],
        key=clean_text(record.get("id") or record.get("paper_id"))[:200],
    )


def _is_backward(task: str, asked: str, answered: str) -> bool:
    """Whether an abstract is to be written from a review."""
    if _ABSTRACT.search(answered) or _ABSTRACT.search(asked):
        return bool(_ABSTRACT.search(answered)) and not _ABSTRACT.search(asked)
    return bool(
        re.search(r"abstract[_ ]gen|gen\w* (?:an |the )?\w* ?abstract|review (?:to|->) abstract", task, re.IGNORECASE)
    )


def _sides(record: Mapping[str, object]) -> tuple[str, str, str]:
    """System, user and assistant, of turns or of columns."""
    turns = next((record[name] for name in _TURNS if isinstance(record.get(name), list)), None)
    if turns is None:
        columns = (("system", "system_prompt"), _ASKED, _ANSWERED)
        system, asked, answered = (next(filter(None, (_side(record.get(n)) for n in names)), "") for names in columns)
        return system, asked, answered
    sides = {"system": "", "user": "", "assistant": ""}
    for turn in json_objects(turns, 20):
        role = clean_text(turn.get("role") or turn.get("from")).lower()
        name = "user" if role in _USER else "assistant" if role in _ASSISTANT else role
        if name in sides and not sides[name]:
            sides[name] = _said(turn.get("content") or turn.get("value"))
    return sides["system"], sides["user"], sides["assistant"]


def _side(value: object) -> str:
    """A column: a text, or turns of which the last counts."""
    if isinstance(value, list):
        turns = json_objects(value, 20)
        return _said(turns[-1].get("content")) if turns else ""
    return long_text(value)


def _said(content: object) -> str:
    """A turn's text, which may be in parts."""
    parts = json_objects(content, 50)
    return long_text([part.get("text") for part in parts] if parts else content)
