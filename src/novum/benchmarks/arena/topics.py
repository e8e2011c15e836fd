"""The topics of an arena: read from a file, or derived from papers that are newer than what generators may read."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from novum.core import TOPIC_LIMIT, Paper, content_id
from novum.core.comparison import ArenaTopic
from novum.core.concurrency import run_concurrently
from novum.core.record import Value
from novum.errors import BadInput, NoUsableAnswer
from novum.files.tables import SkippedRow, csv_from_text
from novum.literature import Filters, Library
from novum.llm import Answer, Models, Question, prose

LARGEST = 20_000_000
"""Characters of a list."""
INTRODUCTION = 4_000
"""Characters of a paper's full text that are read in addition to its abstract."""
COLUMNS = ("topic", "paper_id", "title", "published")
_TOPIC_COLUMNS = ("topic", "question")
"""Columns that may contain the topic."""
_AT_ONCE = 256
_TITLE_LENGTH = 200


class TopicList(Value):
    """Topics in their order, and the rows or papers that gave none."""

    topics: tuple[ArenaTopic, ...]
    refused: tuple[SkippedRow, ...] = ()


class PaperTopic(Answer):
    """The answer to `arena_topic`."""

    topic: str = prose(120, "the line of research that the paper belongs to, wide enough for others to work in it too")
    task: str = prose(160, "what is to be achieved there, without saying how the paper does it")


def read_topics(text: str, form: str = "") -> TopicList:
    """The topics in a list. `form`: `jsonl` or `csv`, with the column `topic` (or `question`) and optionally
    `paper_id`, `title` and `published`; any other form has one topic per line.

    Line ends within a topic become spaces. Rows without a topic are listed in the result. Raises BadInput when there is
    no topic.
    """
    if len(text) > LARGEST:
        raise BadInput(f"A list of over {LARGEST:,} characters is no list of topics: a line or two for each is enough.")
    readers = {"jsonl": _json_rows, "ndjson": _json_rows, "csv": _csv_rows}
    rows = readers.get(form.lower().lstrip("."), _plain_rows)(text.removeprefix("\ufeff"))
    found: dict[str, ArenaTopic] = {}
    refused: list[SkippedRow] = []
    for line, row in rows:
        topic = _topic_in(row) if isinstance(row, Mapping) else ""
        why = row if isinstance(row, str) else _why_not(topic, found)
        if why:
            refused.append(SkippedRow(where=f"line {line}", why=why))
            continue
        assert isinstance(row, Mapping), "a row that can be used"
        beside = {name: " ".join(str(row.get(name) or "").split())[:500] for name in COLUMNS[1:]}
        found[topic.casefold()] = ArenaTopic(topic=topic, **beside)
    if not found:
        first = f" The first: {refused[0].where}, {refused[0].why}." if refused else ""
        raise BadInput(f"The list holds no topic.{first} Give one topic a line, or a CSV or JSONL with a column topic.")
    return TopicList(topics=tuple(found.values()), refused=tuple(refused))


def choose_papers(library: Library, filters: Filters, count: int, seed: int) -> list[Paper]:
    """`count` papers with an abstract or summary; a smaller sample with the same seed is the start of a larger one."""
    fit = (paper for paper in library.papers(filters) if paper.gist)
    return heapq.nsmallest(count, fit, key=lambda paper: content_id("seed", [seed, "topics", paper.id]))


async def topics_of_papers(models: Models, library: Library, papers: Sequence[Paper]) -> TopicList:
    """A topic for each paper (Chain of Ideas, Table 21). Papers without a usable answer, or with the topic of another
    paper, are listed in the result.
    """
    found: dict[str, ArenaTopic] = {}
    refused: list[SkippedRow] = []
    for start in range(0, len(papers), _AT_ONCE):
        some = papers[start : start + _AT_ONCE]
        answers = await run_concurrently(_topic_of(models, library, paper) for paper in some)
        for paper, topic in zip(some, answers, strict=True):
            if isinstance(topic, NoUsableAnswer):
                refused.append(SkippedRow(where=paper.title[:_TITLE_LENGTH], why=f"no usable answer: {topic}"))
            elif why := _why_not(topic.topic, found):
                refused.append(SkippedRow(where=paper.title[:_TITLE_LENGTH], why=why))
            else:
                found[topic.topic.casefold()] = topic
    return TopicList(topics=tuple(found.values()), refused=tuple(refused))


async def _topic_of(models: Models, library: Library, paper: Paper) -> ArenaTopic | NoUsableAnswer:
    introduction = (library.full_text(paper.id) or "")[:INTRODUCTION]
    needs = {"paper": paper, "introduction": introduction}
    try:
        answer = await models.ask(Question("arena_topic", needs, PaperTopic, role="reader", temperature=0.0))
    except NoUsableAnswer as error:
        return error
    words = [" ".join(part.split()).rstrip(" .:;") for part in (answer.topic, answer.task)]
    day = paper.public_by
    return ArenaTopic(
        topic=": ".join(part for part in words if part),
        paper_id=paper.id,
        title=paper.title,
        published=day.isoformat() if day else "",
    )


def _topic_in(row: Mapping[str, object]) -> str:
    return next((text for name in _TOPIC_COLUMNS if (text := " ".join(str(row.get(name) or "").split()))), "")


def _why_not(topic: str, known: Mapping[str, ArenaTopic]) -> str:
    if not topic:
        return "no topic"
    if len(topic) > TOPIC_LIMIT:
        return f"{len(topic):,} characters, at most {TOPIC_LIMIT:,} are a topic"
    return f"{topic[:80]!r} is there already" if topic.casefold() in known else ""


TopicRows = Iterator[tuple[int, "Mapping[str, object] | str"]]


def _plain_rows(text: str) -> TopicRows:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield number, {"topic": line}


def _json_rows(text: str) -> TopicRows:
    for number, line in _filled(text.split("\n")):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, f"no JSON ({str(error)[:100]})"
            continue
        yield number, row if isinstance(row, dict) else "no JSON object"


def _filled(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _csv_rows(text: str) -> TopicRows:
    with csv_from_text(text, "The list", delimiters=",") as rows:
        names = [name.strip().casefold() for name in rows.fieldnames or () if name]
        if not set(_TOPIC_COLUMNS) & set(names):
            raise BadInput(
                f"The list has no column topic (it has: {', '.join(names) or 'none'}): put topic on its first line."
            )
        for row in rows:
            yield rows.line_num, {str(name).strip().casefold(): value for name, value in row.items()}
