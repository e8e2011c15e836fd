"""`novum filter`: reviews many ideas, ranks them, and keeps the best."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from novum.cli.ideas.filter_files import write_sorted
from novum.cli.ideas.review_options import Ideas, ReviewOptions
from novum.cli.ideas.sources import check_not_a_source, print_repeated
from novum.cli.shell.arguments import print_import_log
from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ModelOptions
from novum.cli.shell.options import OUTPUT, AsJson, Quiet, panel_option
from novum.cli.shell.output import OutputOptions
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json, print_line, print_table
from novum.core.reviewing import READ_OF_IDEA
from novum.errors import BadInput
from novum.judges.acceptance import KeepRule, ranked_outcomes
from novum.reports.phrases import count, percent
from novum.reports.reviews.phrases import demonstration, missing, overview
from novum.runs.filter import FILTER, FilterResult, FilterTask, QueuedIdea, filter_folder, queue_ideas
from novum.runs.idea_sources import IdeaReader

_SELECTION = "Selection"
_MOST_LISTED = 20


@examples(
    "novum filter ideas.jsonl --keep 5%",
    "novum filter ideas.jsonl more.csv --keep 20 --accept-only --out kept.jsonl",
    "novum filter last --judge openai:gpt-5.5,google:gemini-3.8-flash --with-papers",
    "novum runs resume last",
)
def filter_ideas(
    ideas: Ideas = None, *,
    keep: Annotated[
        str | None,
        panel_option(_SELECTION, "Keep the N best ideas, or this share. Default: all accepted ideas.", metavar="N|N%"),
    ] = None,
    accept_only: Annotated[
        bool, panel_option(_SELECTION, "Keep only accepted ideas.", "--accept-only")
    ] = False,
    reviewing: ReviewOptions, models: ModelOptions,
    out: Annotated[
        Path | None,
        panel_option(
            OUTPUT, "Table for the kept ideas (JSONL); dropped ideas and reviews are written next to it. Default: "
            "novum-reports/RUN/kept.jsonl.", metavar="FILE",
        ),
    ] = None,
    as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Review any number of ideas as `novum review` does, rank them by utility, and keep the best.

    Ties in utility are broken by the mean score. Dropped ideas are written with the reason. Undecided ideas count in no
    rate and are never kept.
    """
    settings = models.settings(writer=reviewing.model)
    protocol = reviewing.protocol(settings)
    keep_rule = read_keep(keep, accept_only=accept_only)
    _check_out(out, ideas or [])
    reader = IdeaReader(settings)
    queued = (QueuedIdea(idea=one.idea, row=dict(one.row), source=one.source) for one in reader.read(ideas or []))
    queue = queue_ideas(queued, filter_folder(settings))
    print_import_log(reader.log)
    print_repeated(queue.repeated)
    task = FilterTask(spool=queue.name, ideas=queue.ideas, refereeing=protocol, keep=keep_rule)

    show(start_run(FILTER, settings, task, quiet=quiet, fresh=models.fresh), OutputOptions(out, as_json, quiet))


def show(done: FilterResult, output: OutputOptions) -> None:
    """Writes the kept and the dropped ideas of a run, and shows the best."""
    files = write_sorted(done, output.table(done.account.run_id, "kept.jsonl", (".jsonl",)))
    if output.as_json:
        more = {"acceptance": done.tally.acceptance, "files": {name: str(file) for name, file in files.items()}}
        print_json(done.model_dump(mode="json") | more)
    else:
        _print(done)
    for name, file in files.items():
        output.note(f"{name + ':':<9}{file}")
    output.note(f"Cost: {bill(done.account.spend)}")


def _print(done: FilterResult) -> None:
    heads = ("rank", "kept", "decision", "utility", "mean score", "reports", "rounds", "idea")
    print_table(heads, [
        (str(each.rank), "yes" if each.kept else "no", *overview(each.outcome.reviewed),
         one_line(each.outcome.reviewed.best.idea.title, 120))
        for each in ranked_outcomes(Path(done.file), done.keep, _MOST_LISTED)
    ])  # fmt: skip
    tally = done.tally
    if tally.ideas > _MOST_LISTED:
        print_line(f"… and {tally.ideas - _MOST_LISTED:,} more.")
    undecided = f" Undecided, and in no rate: {tally.undecided:,}." if tally.undecided else ""
    print_line(
        f"Kept {tally.kept:,} of {count(tally.ideas, 'idea')}. Accepted: {tally.accepted:,} of "
        f"{tally.accepted + tally.rejected:,} ({percent(tally.acceptance)}).{undecided}"
    )
    if done.account.demonstration:
        print_line(demonstration(done.account))
    if tally.unfounded:
        print_line(f"{tally.unfounded:,} of {count(tally.criticisms, 'criticism')} quote nothing from the idea.")
    if tally.cut:
        print_line(f"Longer than the {READ_OF_IDEA:,} characters of an idea that are read: {count(tally.cut, 'idea')}.")
    if tally.torn:
        print_line(f"{count(tally.torn, 'decision')} at odds with the utility that goes with it.")
    if tally.failures:
        print_line(missing(tally.failures))


def read_keep(given: str | None, *, accept_only: bool) -> KeepRule:
    """`5%`, `0.5%` or `20`. Raises BadInput."""
    text = (given or "").strip()
    try:
        if text.endswith("%"):
            return KeepRule(share=float(text[:-1]) / 100, accepted_only=accept_only)
        return KeepRule(number=int(text) if text else None, accepted_only=accept_only)
    except ValueError:  # of pydantic too
        raise BadInput(f"--keep {text[:40]!r} is neither a number from 1 up, such as 20, nor a share of at most 100%, "
                       "such as 5%.") from None  # fmt: skip


def _check_out(out: Path | None, sources: Sequence[str]) -> None:
    """Raises BadInput, before any model is called."""
    if out is None:
        return
    if out.suffix.lower() != ".jsonl":
        named = out / "kept.jsonl" if out.is_dir() else out.with_suffix(".jsonl")
        raise BadInput(f"--out {out} is not a JSONL file. Name a file: --out {named}")
    check_not_a_source(out, sources, "filter")
