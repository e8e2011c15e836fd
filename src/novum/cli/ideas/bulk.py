"""`novum ideate --count N --topics FILE`: ideas in bulk, and the table that they go to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from novum.benchmarks.arena.topics import read_topics
from novum.cli.ideas.session import announcement
from novum.cli.ideas.sources import unwritable
from novum.cli.shell.arguments import print_skipped, text_of_file
from novum.cli.shell.durable import check_finished, start_run
from novum.cli.shell.output import REPORTS_FOLDER, OutputOptions, check_writable, table_file
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json
from novum.errors import BadInput
from novum.files.tables import write_rows
from novum.idea_metrics.duplicates import DuplicateThreshold
from novum.reports.phrases import cosine, count, duration
from novum.runs.bulk import BULK, BulkResult, BulkTask, rows_in
from novum.runs.bulk.task import MOST_QUESTIONS
from novum.runs.ideation import read_topic
from novum.settings import LoadedSettings

_MOST_FAILURES = 5
_NAME = "ideas.jsonl"
_MOST_LINES = 100_000
"""Lines of a file of topics, some of which may be empty or repeated: a larger file would take long to read in vain."""


@dataclass(frozen=True)
class BulkRequest:
    """The options of the command line. `options`: of the method, already checked."""

    topic: str | None
    questions: Path | None
    number: int | None
    method: str
    options: Mapping[str, Any]
    near: float | None


def ideate_in_bulk(settings: LoadedSettings, request: BulkRequest, output: OutputOptions, fresh: bool) -> None:
    """Generates the ideas and writes their table. Errors in the request are raised before any model is called."""
    task = _task(request)
    _check_out(output.out, request.questions)
    spread = f" over {count(len(task.questions), 'topic')}" if len(task.questions) > 1 else ""
    output.note(f"{count(task.number, 'idea')}{spread}. {announcement(settings, kind=BULK.name)}")

    done = start_run(BULK, settings, task, quiet=output.quiet, fresh=fresh)
    show(done, output)
    check_finished(done, done.account.run_id)


def show(done: BulkResult, output: OutputOptions) -> None:
    """Writes the ideas of a run and prints a summary."""
    files = _write(done, output.table(done.account.run_id, _NAME))
    if output.as_json:
        print_json(done.model_dump(mode="json") | {"files": {name: str(file) for name, file in files.items()}})
    for line in _outcome(done):
        output.print(line)
    for name, file in files.items():
        output.note(f"{name + ':':<9}{file}")
    output.note(f"Cost:    {bill(done.account.spend)}; time: {duration(done.account.seconds)}")


def _task(request: BulkRequest) -> BulkTask:
    """Raises BadInput for a request that cannot be carried out."""
    questions = _questions(request)
    near = None if request.near is None else DuplicateThreshold(cosine=request.near, why="as given by --max-similarity")
    try:
        task = BulkTask(
            questions=questions, number=request.number or len(questions), method=request.method,
            options=to_jsonable_python(request.options), near=near,
        )  # fmt: skip
    except ValidationError as error:
        first = error.errors()[0]
        where = {"number": "--count", "questions": "--topics"}.get(str(first["loc"][0]), str(first["loc"][0]))
        raise BadInput(f"{where}: {first['msg'].lower()}.") from error
    task.options_for(task.largest_turn)
    return task


def _questions(request: BulkRequest) -> tuple[str, ...]:
    if request.questions is None:
        return (read_topic(request.topic or "").text,)
    if request.topic is not None:
        raise BadInput("Name a topic or a file of topics, not both; or add the topic to the file.")
    text = text_of_file(request.questions, "--topics")
    if "\0" in text:
        raise BadInput(f"--topics {request.questions} is not text in UTF-8: save it as such, and try again.")
    if text.count("\n") > _MOST_LINES:
        raise BadInput(
            f"--topics {request.questions} has over {_MOST_LINES:,} lines, and a run takes at most {MOST_QUESTIONS:,} "
            "topics. Split it."
        )
    found = read_topics(text, request.questions.suffix)
    print_skipped(found.refused, request.questions)
    return tuple(each.topic for each in found.topics)


def _check_out(out: Path | None, questions: Path | None) -> None:
    """Raises BadInput, before any model is called."""
    if out is None:
        check_writable(REPORTS_FOLDER)
        return
    table_file(out)
    if questions is not None and questions.resolve() in {out.resolve(), _dropped_beside(out).resolve()}:
        raise BadInput(f"--out {out} would overwrite the topics: name another file.")
    check_writable(out.parent)


def _dropped_beside(out: Path) -> Path:
    return out.with_suffix(f".dropped{out.suffix}")


def _write(done: BulkResult, out: Path) -> dict[str, Path]:
    """Writes the ideas, and next to them those left out, if any, with one row in memory at a time. Raises BadInput."""
    files = {"ideas": out}
    if done.repeated or done.twins or done.surplus:
        files["dropped"] = _dropped_beside(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        for name, file in files.items():
            source = done.file if name == "ideas" else done.dropped
            columns = dict.fromkeys(column for row in rows_in(source) for column in row)
            write_rows(rows_in(source), list(columns), file)
    except OSError as error:
        raise unwritable(out, done.account.run_id, error) from error
    return files


def _outcome(done: BulkResult) -> list[str]:
    short = "" if done.ideas >= done.wanted else f" {done.wanted:,} were wanted: the topics gave no more."
    short = "" if done.stopped else short
    spread = f" on {count(done.questions - done.without, 'topic')}" if done.questions > 1 else ""
    lines = [f"{count(done.ideas, 'idea')}{spread}, by {count(done.turns, 'turn')} in {count(done.rounds, 'round')}."
             + short]  # fmt: skip
    left_out = [(done.repeated, "with the same words or title as another"),
                (done.twins, f"near-duplicates, with a cosine from {cosine(done.near.cosine)} ({done.near.why})"),
                (done.surplus, "more than were wanted")]  # fmt: skip
    lines += [f"Left out: {number:,} {why}." for number, why in left_out if number]
    if done.without:
        lines.append(f"Without any idea: {count(done.without, 'topic')}.")
    if done.failed:
        lines.append(f"Failed: {count(done.failed, 'turn')}; the same command retries them.")
        lines += [one_line(f"  {each.question[:100]}: {each.why}", 300) for each in done.failures[:_MOST_FAILURES]]
    return lines
