"""What `novum liveidea run` and `plan` are told: read, checked, and made into what is to be measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from novum.cli.shell.options import A_DATE, A_MODEL, MODELS, panel_option
from novum.errors import BadInput

if TYPE_CHECKING:
    from novum.benchmarks.liveidea.keywords import KeywordList
    from novum.benchmarks.liveidea.panel import Panel
    from novum.benchmarks.liveidea.records import AnchorSet
    from novum.benchmarks.liveidea.task import LiveIdeaTask
    from novum.settings import LoadedSettings

PROTOCOL, BEYOND = "Protocol", "Beyond the protocol"
ALL = "all"
ANCHORS = 12
"""Of our anchor ideas, where nobody says how many."""
_LARGEST = 50_000_000
"""Bytes of a CSV."""

ModelNames = Annotated[
    list[str] | None,
    panel_option(MODELS, "Model to measure; repeatable, or with commas.", "--model", "-m", metavar=A_MODEL),
]
JudgeNames = Annotated[
    list[str] | None,
    panel_option(MODELS, "Judge; repeatable, or with commas. No model judges itself.", "--judge", metavar=A_MODEL),
]
PanelFile = Annotated[
    Path | None,
    panel_option(
        MODELS,
        "Instead: a ranking as CSV (model, organisation, score, base); the panel is made of its best.",
        metavar="FILE",
    ),
]
PanelSize = Annotated[int, panel_option(MODELS, "Judges in a panel made from a ranking.")]
Keywords = Annotated[
    str,
    panel_option(
        PROTOCOL, "How many of our keywords, `all`, or a CSV of your own (keyword,discipline).", metavar="N|FILE"
    ),
]
Ideas = Annotated[int, panel_option(PROTOCOL, "Ideas of each model for each keyword.", "--ideas-per-keyword")]
JudgesPerIdea = Annotated[int, panel_option(PROTOCOL, "Judges drawn for each idea.")]
Pairs = Annotated[str, panel_option(PROTOCOL, "Which pairs of ideas are graded: first, neighbours or all.")]
Combined = Annotated[str, panel_option(PROTOCOL, "What several pairs come to: their mean, or the lowest.")]
Marked = Annotated[
    list[str] | None,
    panel_option(PROTOCOL, "Model that is told to put its idea behind «Final Idea:»; repeatable.", metavar=A_MODEL),
]
AsReleased = Annotated[
    bool, panel_option(PROTOCOL, "As the code does it that was published with the paper.", "--as-released")
]
Temperature = Annotated[
    float | None, panel_option(PROTOCOL, "Sampling temperature; else each provider's own, as published.")
]
Anchors = Annotated[
    str | None,
    panel_option(
        BEYOND,
        "Anchor ideas that every judge judges too, to compare panels: how many of ours (12; as released 0), or a CSV "
        "of your own (keyword,idea).",
        metavar="N|FILE",
    ),
]
WithPapers = Annotated[
    int,
    panel_option(
        BEYOND, "Ask each judge again with this many nearest papers of the library; 0: no.", "--papers", metavar="N"
    ),
]
PapersBefore = Annotated[
    str | None, panel_option(BEYOND, "Show no paper published on or after this day.", "--before", metavar=A_DATE)
]


@dataclass(frozen=True)
class Chosen:
    """The options as they were given."""

    models: Sequence[str]
    judges: Sequence[str]
    panel: Path | None
    panel_size: int
    keywords: str
    marked: Sequence[str]
    protocol: dict[str, Any]
    anchors: str | None = None
    papers_before: str | None = None


def listed(given: Sequence[str] | None) -> list[str]:
    """Repeated and comma-separated names as one list."""
    return [name.strip() for text in given or () for name in text.split(",") if name.strip()]


def assignment_from(settings: LoadedSettings, chosen: Chosen) -> LiveIdeaTask:
    """What is to be measured. Raises BadInput for whatever cannot be."""
    from pydantic import ValidationError

    from novum.benchmarks.liveidea.task import LiveIdeaTask
    from novum.cli.shell.days import day

    models = [settings.model_named(name) for name in chosen.models] or [settings.cast().writer]
    panel, addresses = _panel(settings, chosen)
    keywords = keywords_from(chosen.keywords, settings.values.seed)
    marked = tuple(settings.model_named(name).short for name in chosen.marked)
    if chosen.papers_before is not None and not chosen.protocol.get("papers"):
        raise BadInput("--before is about the papers that judges are shown: say how many with --papers.")
    anchors = anchors_from(chosen.anchors, as_released=bool(chosen.protocol.get("as_released")))
    try:
        return LiveIdeaTask.model_validate(
            {
                "models": tuple(str(model) for model in models),
                "keywords": keywords.keywords,
                "panel": panel,
                "addresses": addresses,
                "protocol": chosen.protocol | {"marked": marked},
                "keywords_dated": keywords.dated,
                "anchors": anchors,
                "papers_before": day(chosen.papers_before, "--before"),
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if part != "protocol")
        told = first["msg"].removeprefix("Value error, ")
        raise BadInput(f"{where or 'This measurement'} cannot be used: {told[:1].lower()}{told[1:]}.") from error


def keywords_from(given: str, seed: int) -> KeywordList:
    """So many of our own, all of them, or those of a file."""
    from novum.benchmarks.liveidea.keywords import built_in_keywords, read_keywords, sample_keywords
    from novum.cli.shell.terminal import one_line, print_message

    if given == ALL:
        return built_in_keywords()
    if given.isdigit():
        whole = built_in_keywords()
        if not 1 <= int(given) <= len(whole.keywords):
            raise BadInput(f"--keywords {given}: there are {len(whole.keywords):,}; give from 1 to as many.")
        return whole.model_copy(update={"keywords": sample_keywords(whole.keywords, int(given), seed)})
    found = read_keywords(text_of(Path(given), "--keywords"))
    for each in found.refused[:20]:
        print_message(one_line(f"{given}, {each.where}: left out, {each.why}", 300))
    if len(found.refused) > 20:
        print_message(f"… and {len(found.refused) - 20:,} more lines were left out.")
    return found


def anchors_from(given: str | None, *, as_released: bool) -> AnchorSet | None:
    """So many of our own, or those of a file; none for 0, and none by themselves where all is to be as released."""
    from novum.benchmarks.liveidea.anchors import built_in_anchors, read_anchors
    from novum.cli.shell.terminal import one_line, print_message

    wanted = given if given is not None else str(0 if as_released else ANCHORS)
    if wanted.isdecimal():
        there = len(built_in_anchors().anchors)
        if int(wanted) > there:
            raise BadInput(f"--anchors {wanted}: there are {there}; give from 0 to as many, or a CSV of your own.")
        return built_in_anchors(int(wanted)) if int(wanted) else None
    found = read_anchors(text_of(Path(wanted), "--anchors"), Path(wanted).stem)
    for each in found.refused[:20]:
        print_message(one_line(f"{wanted}, {each.where}: left out, {each.why}", 300))
    return found.anchors


def text_of(file: Path, option: str) -> str:
    """The text of a small file. Raises BadInput naming the option that gave it."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(_LARGEST + 1)
    except OSError as error:
        raise BadInput(f"{option} {file} cannot be read: {error.strerror or error}.") from error
    if len(raw) > _LARGEST:
        raise BadInput(f"{option} {file} is larger than {_LARGEST // 1_000_000} MB, and no list of this kind.")
    return raw.decode("utf-8", "replace")


def _panel(settings: LoadedSettings, chosen: Chosen) -> tuple[Panel, dict[str, str]]:
    from novum.benchmarks.liveidea.ranking import read_ranking
    from novum.benchmarks.liveidea.task import panel_from, panel_of
    from novum.cli.shell.terminal import one_line, print_message

    if chosen.panel is not None and chosen.judges:
        raise BadInput("The panel is given twice, by --panel and by --judge: leave one of them out.")
    if chosen.panel is not None:
        ranking = read_ranking(text_of(chosen.panel, "--panel"))
        for each in ranking.refused[:20]:
            print_message(one_line(f"{chosen.panel}, {each.where}: left out, {each.why}", 300))
        return panel_from(ranking.models, settings.model_named, chosen.panel_size)
    names = list(chosen.judges) or list(settings.values.judges)
    if not names:
        raise BadInput("Nobody is there to judge: name models by --judge, or a ranking of models by --panel.")
    return panel_of([settings.model_named(name) for name in dict.fromkeys(names)])
