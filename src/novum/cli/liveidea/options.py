"""Options of `novum liveidea run` and `plan`, and the task that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import ValidationError

from novum.benchmarks.liveidea.anchors import built_in_anchors, read_anchors
from novum.benchmarks.liveidea.keywords import KeywordList, built_in_keywords, read_keywords, sample_keywords
from novum.benchmarks.liveidea.panel import Panel, models_without_judge
from novum.benchmarks.liveidea.ranking import read_ranking
from novum.benchmarks.liveidea.records import AnchorSet
from novum.benchmarks.liveidea.task import LiveIdeaTask, panel_from, panel_of
from novum.cli.shell.arguments import comma_separated, print_skipped, text_of_file
from novum.cli.shell.options import A_DATE, A_MODEL, MODELS, panel_option, read_date
from novum.cli.shell.terminal import print_message
from novum.core.record import first_error
from novum.errors import BadInput
from novum.llm import ModelName
from novum.settings import LoadedSettings

PROTOCOL, BEYOND = "Protocol", "Beyond the protocol"
ALL = "all"
ANCHORS = 12
"""Default number of built-in anchor ideas."""


@dataclass(frozen=True)
class LiveIdeaOptions:
    """The options of `novum liveidea run` and `plan` that describe the task."""

    models: Annotated[
        list[str] | None,
        panel_option(MODELS, "Model to measure; repeatable, or with commas.", "--model", "-m", metavar=A_MODEL),
    ] = None
    judges: Annotated[
        list[str] | None,
        panel_option(MODELS, "Judge; repeatable, or with commas. No model judges itself.", "--judge", metavar=A_MODEL),
    ] = None
    panel: Annotated[
        Path | None,
        panel_option(
            MODELS, "In place of --judge: a ranking as CSV (model, organisation, score, base). Its best become judges.",
            metavar="FILE",
        ),
    ] = None  # fmt: skip
    panel_size: Annotated[int, panel_option(MODELS, "Judges in a panel made from a ranking.", metavar="N")] = 10
    keywords: Annotated[
        str,
        panel_option(
            PROTOCOL, "Number of built-in keywords, `all`, or your own CSV (keyword,discipline).", metavar="N|FILE"
        ),
    ] = "22"
    ideas: Annotated[
        int, panel_option(PROTOCOL, "Ideas of each model for each keyword.", "--ideas-per-keyword", metavar="N")
    ] = 2
    judges_per_idea: Annotated[int, panel_option(PROTOCOL, "Judges drawn for each idea.", metavar="N")] = 3
    pairs: Annotated[
        str, panel_option(PROTOCOL, "Which pairs of ideas are graded: first, neighbours or all.", metavar="NAME")
    ] = "first"
    combined: Annotated[
        str, panel_option(PROTOCOL, "How several pairs are combined: their mean, or the lowest.", metavar="NAME")
    ] = "mean"
    marked: Annotated[
        list[str] | None,
        panel_option(PROTOCOL, "Model that is told to put its idea after «Final Idea:»; repeatable.", metavar=A_MODEL),
    ] = None
    protocol: Annotated[
        str,
        panel_option(
            PROTOCOL, "Prompts: novum, or published (those of the paper; first `novum liveidea protocol install`).",
            "--protocol", metavar="NAME",
        ),
    ] = "novum"  # fmt: skip
    as_released: Annotated[
        bool, panel_option(PROTOCOL, "Do as the code that was published with the paper does.", "--as-released")
    ] = False
    temperature: Annotated[
        float | None, panel_option(PROTOCOL, "Sampling temperature. Default: that of each provider.", metavar="N")
    ] = None
    anchors: Annotated[
        str | None,
        panel_option(
            BEYOND,
            "Anchor ideas that every judge scores too, to compare panels: the number of built-in ones (12; as released "
            "0), or your own CSV (keyword,idea).",
            metavar="N|FILE",
        ),
    ] = None
    papers: Annotated[
        int,
        panel_option(
            BEYOND, "Judge again with this many nearest papers of the library; 0: do not.", "--papers", metavar="N"
        ),
    ] = 0
    before: Annotated[
        str | None, panel_option(BEYOND, "Show no paper published on or after this day.", "--before", metavar=A_DATE)
    ] = None


def liveidea_task(settings: LoadedSettings, options: LiveIdeaOptions) -> LiveIdeaTask:
    """The task that the options describe. Raises BadInput when they do not make a measurement."""
    models = [settings.model_named(name) for name in comma_separated(options.models)]
    panel, addresses = _panel(settings, options)
    keywords = keywords_from(options.keywords, settings.values.seed)
    if options.before is not None and not options.papers:
        raise BadInput("--before is about the papers that judges are shown: set their number with --papers.")
    protocol = {
        "ideas": options.ideas, "judges": options.judges_per_idea, "pairs": options.pairs,
        "combined": options.combined, "as_released": options.as_released, "temperature": options.temperature,
        "papers": options.papers, "prompts": options.protocol,
        "marked": tuple(settings.model_named(name).short for name in comma_separated(options.marked)),
    }  # fmt: skip
    try:
        task = LiveIdeaTask.model_validate(
            {
                "models": tuple(str(model) for model in models or [settings.model_roles().writer]),
                "keywords": keywords.keywords,
                "panel": panel,
                "addresses": addresses,
                "protocol": protocol,
                "keywords_dated": keywords.dated,
                "anchors": anchors_from(options.anchors, as_released=options.as_released),
                "papers_before": read_date(options.before, "--before"),
            }
        )
    except ValidationError as error:
        raise BadInput(f"This measurement cannot be used: {first_error(error)}.") from error
    _warn_of_unjudged(task)
    return task


def _warn_of_unjudged(task: LiveIdeaTask) -> None:
    """Names the models whose ideas nobody may judge, before they cost anything."""
    models = [ModelName.parse(name).short for name in task.models]
    unjudged = models_without_judge(task.panel, models)
    for name in unjudged if len(unjudged) < len(models) else ():  # else the run is refused
        print_message(f"The panel has no judge but {name} itself: ideas of {name} will not be judged.")


def keywords_from(given: str, seed: int) -> KeywordList:
    """A sample of the built-in keywords, all of them, or those of a file."""
    if given == ALL:
        return built_in_keywords()
    if given.isdigit():
        every = built_in_keywords()
        if not 1 <= int(given) <= len(every.keywords):
            raise BadInput(f"--keywords {given}: there are {len(every.keywords):,}; give from 1 to as many.")
        return every.model_copy(update={"keywords": sample_keywords(every.keywords, int(given), seed)})
    keywords = read_keywords(text_of_file(Path(given), "--keywords"))
    print_skipped(keywords.refused, given)
    return keywords


def anchors_from(given: str | None, *, as_released: bool) -> AnchorSet | None:
    """The first built-in anchors, or those of a file; None for 0, which is the default `as_released`."""
    wanted = given if given is not None else str(0 if as_released else ANCHORS)
    if wanted.isdecimal():
        available = len(built_in_anchors().anchors)
        if int(wanted) > available:
            raise BadInput(f"--anchors {wanted}: there are {available}; give from 0 to as many, or a CSV of your own.")
        return built_in_anchors(int(wanted)) if int(wanted) else None
    anchors = read_anchors(text_of_file(Path(wanted), "--anchors"), Path(wanted).stem)
    print_skipped(anchors.refused, wanted)
    return anchors.anchors


def _panel(settings: LoadedSettings, options: LiveIdeaOptions) -> tuple[Panel, dict[str, str]]:
    if options.panel is not None and options.judges:
        raise BadInput("The panel is given twice, by --panel and by --judge: leave one of them out.")
    if options.panel is not None:
        ranking = read_ranking(text_of_file(options.panel, "--panel"))
        print_skipped(ranking.refused, options.panel)
        return panel_from(ranking.models, settings.model_named, options.panel_size)
    names = comma_separated(options.judges) or list(settings.values.judges)
    if not names:
        raise BadInput("There is no judge: name models by --judge, or a ranking of models by --panel.")
    return panel_of([settings.model_named(name) for name in dict.fromkeys(names)])
