"""`novum data build preferences`: pairs of ideas on one topic, a better and a worse one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from novum.benchmarks.metric_validation.outcomes import OutcomeLog, check_files
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.cli.shell.arguments import print_import_log
from novum.cli.shell.group import examples
from novum.cli.shell.library_progress import library_progress
from novum.cli.shell.options import A_DATE, DEFAULT_METRICS, MetricsName, panel_option, read_date_or_year
from novum.cli.shell.paper_source import add_and_embed_papers, paper_source
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.cli.shell.workplace import in_workplace
from novum.core import Subject
from novum.errors import BadInput
from novum.idea_metrics.saved_models import load_model
from novum.lab import Workplace
from novum.literature import Filters
from novum.reports.phrases import percent
from novum.runs.idea_sources import IdeaReader
from novum.runs.library import Rate
from novum.settings import load_settings
from novum.training.preferences.data_set import PreferenceTask, make_preference_set
from novum.training.preferences.files import README, check_place
from novum.training.preferences.records import PreferenceCard, PreferenceSettings

_STOPPED = "Stopped. Nothing was written; an earlier data set is unchanged."
_FEW = 500
"""Pairs below which training hardly learns anything."""
_FROM, _PAIRS = "Source", "Pairs"
_NOUNS = {"topics": "topics found", "scores": "ideas", "pairs": "topics"}


@dataclass(frozen=True)
class PairOptions:
    """How pairs are made. The names are those of `PreferenceSettings`."""

    better: Annotated[
        Literal["rating", "reviews", "published"] | None,
        panel_option(
            _PAIRS, "What decides which idea is better: the predicted rating; real ratings of --ratings, and the "
            "predicted one elsewhere; or Creativity Index and User Satisfaction Score, as published. Default: reviews "
            "with --ratings, else rating.",
        ),
    ] = None  # fmt: skip
    review_margin: Annotated[
        float,
        panel_option(
            _PAIRS, "How much lower reviewers rated the rejected idea, in standard deviations of its venue and year.",
            min=0.05, max=5,
        ),
    ] = 1.0  # fmt: skip
    margin: Annotated[
        float,
        panel_option(
            _PAIRS, "How much lower the rejected idea scores in each score, as a share of all ideas between the two.",
            min=0.001, max=0.999,
        ),
    ] = 0.3  # fmt: skip
    similarity_from: Annotated[
        float, panel_option(_PAIRS, "Smallest cosine similarity of the two ideas.", "--min-similarity", min=-1, max=1)
    ] = 0.5
    similarity_to: Annotated[
        float, panel_option(_PAIRS, "Largest cosine similarity of the two ideas.", "--max-similarity", min=-1, max=1)
    ] = 0.9
    overlap: Annotated[
        float, panel_option(_PAIRS, "Smallest share of their topic words that both ideas use.", min=0, max=1)
    ] = 0.25
    length_ratio: Annotated[
        float, panel_option(_PAIRS, "Largest ratio of the lengths of the two, in words.", "--max-length-ratio", min=1)
    ] = 1.5
    topics: Annotated[
        Literal["neighbours", "lda"],
        panel_option(
            _PAIRS, "Topics of the prompts: neighbours, named by phrases that their titles share; or the topics of the "
            "fitted topic model (LDA), named by their words, as published.",
        ),
    ] = "neighbours"  # fmt: skip
    uses: Annotated[int, panel_option(_PAIRS, "At most N pairs with the same idea.", "--max-uses", min=1)] = 3
    per_topic: Annotated[int, panel_option(_PAIRS, "At most N pairs on one topic.", "--max-per-topic", min=1)] = 50
    most: Annotated[int | None, panel_option(_PAIRS, "At most N pairs in total.", "--limit", min=10)] = None
    apart: Annotated[
        Literal["time-and-topic", "topic"],
        panel_option(_PAIRS, "What separates the splits. By time: test papers are the latest."),
    ] = "time-and-topic"
    originality: Annotated[
        Literal["fitted", "published", "corrected"],
        panel_option(_PAIRS, "Variant of originality in the Creativity Index."),
    ] = "fitted"


@examples(
    "novum data build preferences --out pairs",
    "novum data build preferences --library dblp_v14.jsonl --metrics dblp --since 2019-01-01 --out pairs",
    "novum data build preferences --ideas last --ideas more.jsonl --ideas-only --apart topic --out pairs",
    "novum data build preferences --ratings reviews.jsonl.gz --out pairs",
    "novum data build preferences --margin 0.5 --limit 20000 --format parquet --out pairs --force",
)
def preferences(
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder for the data set.")],
    library: Annotated[
        str | None,
        panel_option(_FROM, "A library folder, or a file of papers. Default: your library.", metavar="DIR|FILE"),
    ] = None,
    metrics: MetricsName = DEFAULT_METRICS,
    ideas: Annotated[
        list[str] | None,
        panel_option(
            _FROM, "Generated ideas in addition to the papers: a run, a report.json or a table; repeatable.",
            metavar="RUN|FILE",
        ),
    ] = None,
    ideas_only: Annotated[
        bool, panel_option(_FROM, "Only ideas, each on its own topic; no papers.", "--ideas-only")
    ] = False,
    ratings: Annotated[
        list[Path] | None,
        panel_option(
            _FROM, "Reviews of papers (JSON lines): they decide, or with another --better they check the pairs; "
            "repeatable.", metavar="FILE",
        ),
    ] = None,
    since: Annotated[
        str | None, panel_option(_FROM, "Only papers of this year or day, or later.", metavar=A_DATE)
    ] = None,
    before: Annotated[str | None, panel_option(_FROM, "Only papers before this year or day.", metavar=A_DATE)] = None,
    field: Annotated[list[str] | None, panel_option(_FROM, "Only papers of this field; repeatable.")] = None,
    pairs: PairOptions,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Random seed. Default: the setting `seed`.")
    ] = None,
    form: Annotated[
        Literal["jsonl", "parquet"],
        typer.Option("--format", help="`parquet` writes Parquet and JSONL (needs 'novum\\[data]')."),
    ] = "jsonl",
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing data set, and write one that ratings contradict.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the card as JSON.")] = False,
) -> None:  # fmt: skip
    """Make pairs of ideas on one topic: the chosen one would be rated high by reviewers, the rejected one is similar
    and would be rated lower.

    The splits train, validation and test (80/10/10) differ in time and topic. Pairs are conversations that TRL reads,
    with a data card. No language model is used. The data set is written whole or not at all.
    """
    parquet = form == "parquet"
    check_place(out, force=force, parquet=parquet)
    if ideas_only and not ideas:
        raise BadInput("--ideas-only needs ideas: name a run or a table of ideas with --ideas.")
    if pairs.better == "reviews" and not ratings:
        raise BadInput("--better reviews needs reviews: name files with --ratings.")
    check_files(ratings or ())
    reviewed = read_reviewed_texts(ratings or (), OutcomeLog())
    filters = Filters(
        since=read_date_or_year(since, "--since"),
        before=read_date_or_year(before, "--before"),
        fields=tuple(field or ()),
    )
    source = paper_source(library)

    async def job(workplace: Workplace) -> PreferenceCard:
        own_seed = workplace.settings.values.seed if seed is None else seed
        decided_by = pairs.better or ("reviews" if ratings else "rating")
        settings = PreferenceSettings(**{**asdict(pairs), "better": decided_by}, seed=own_seed)
        if not ideas_only:
            await add_and_embed_papers(workplace, source)
        model = load_model(metrics, workplace.settings.metrics_folder, workplace.library.embedder)
        task = PreferenceTask(out, settings, filters, _read(ideas), ideas_only, parquet, force, reviewed)
        with library_progress() as progress:
            rates = {step: Rate(noun, progress) for step, noun in _NOUNS.items()}
            return await make_preference_set(
                workplace, model, task, lambda step, done, total: rates[step](step, done, total)
            )

    card = in_workplace(job, _STOPPED, {"library": source.library})
    if as_json:
        print_json(card.model_dump(mode="json") | {"folder": str(out)})
    else:
        _print(card, out)


def _read(names: Sequence[str] | None) -> Sequence[Subject]:
    """The ideas of runs and files. Raises BadInput where none of them can be used."""
    reader = IdeaReader(load_settings())
    ideas = [each.subject for each in reader.read(names or ())]
    print_import_log(reader.log)
    if names and not ideas:
        raise BadInput(f"--ideas: there is no idea in {', '.join(names)}.")
    return ideas


def _print(card: PreferenceCard, folder: Path) -> None:
    heads = ("split", "pairs", "topics", "years", "chosen longer", "chosen newer", "similarity")
    rows = (
        (
            split.name, f"{split.pairs:,}", f"{split.topics:,}",
            f"{split.first_year or '?'} to {split.last_year or '?'}",
            percent(split.longer_chosen), percent(split.newer_chosen), f"{split.similarity or 0:.2f}",
        )
        for split in card.splits
    )  # fmt: skip
    print_table(heads, rows)
    if card.people is not None and card.people.right is not None:
        made = "; they were made from these ratings" if card.people.made_from_them else ""
        print_line(
            f"Reviewers rate the chosen idea higher in {percent(card.people.right)} of {card.people.pairs:,} pairs "
            f"that they rated on both sides{made}."
        )
    for each in card.dropped:
        print_line(f"Left out: {each.number:,} {each.what}: {each.why}")
    if sum(split.pairs for split in card.splits) < _FEW:
        by_topic = "" if card.settings.apart == "topic" else ", or --apart topic,"
        print_line(f"These are few pairs. A larger library, a lower --margin or --min-similarity{by_topic} gives more.")
    print_line(str(folder / README))
