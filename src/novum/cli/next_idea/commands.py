"""`novum next-idea evaluate`: rubric, win rates, gains by step, and ratings by experts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import ValidationError

from novum.cli.shell.durable import start_run
from novum.cli.shell.group import examples
from novum.cli.shell.option_groups import ResearchOptions
from novum.cli.shell.options import A_MODEL, MODELS, AsJson, Out, Quiet, panel_option
from novum.cli.shell.output import OutputOptions, checked_report_folder
from novum.cli.shell.pdf import with_pdf
from novum.cli.shell.terminal import print_json, print_line, print_table
from novum.errors import BadInput
from novum.settings import LoadedSettings
from novum.training.next_idea.evaluation.durable import NEXT_IDEA_EVALUATION
from novum.training.next_idea.evaluation.forms import read_ratings, write_forms
from novum.training.next_idea.evaluation.page import headline, win_rows, write_evaluation
from novum.training.next_idea.evaluation.records import ALL, OUT_OF_DOMAIN, DomainTopic, Evaluation, EvaluationTask

_WHAT, _EXPERTS = "What is evaluated", "Experts"


@with_pdf
@examples(
    "novum next-idea evaluate tasks --model local:mine --model offline:smollm2-135m --judge openai:gpt-5.5",
    "novum next-idea evaluate tasks --model server:policy@http://HOST:8000/v1 --model openai --judge google --limit 20",
    "novum next-idea evaluate --out-of-domain --model local:mine --model openai --judge google --forms 3 --out report",
    "novum next-idea evaluate tasks --model local:mine --model openai --judge google --ratings forms/expert-1.csv",
)
def evaluate(
    data: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Tasks of `novum data build next-idea`.", show_default=False)
    ] = None,
    *,
    model: Annotated[
        list[str],
        panel_option(_WHAT, "A model that writes ideas; repeatable: the first is compared with the others.",
                     metavar=A_MODEL),
    ],
    judge: Annotated[
        list[str] | None, panel_option(MODELS, "Model that judges; repeatable for a panel.", metavar=A_MODEL)
    ] = None,
    split: Annotated[
        Literal["train", "validation", "test"], panel_option(_WHAT, "Tasks of this split.")
    ] = "validation",
    limit: Annotated[int, panel_option(_WHAT, "At most N tasks.", min=1)] = 113,
    rounds: Annotated[int, panel_option(_WHAT, "Comments, each followed by an improved idea.", min=0, max=5)] = 3,
    out_of_domain: Annotated[
        bool, panel_option(_WHAT, "Also topics of law, education and biotechnology.", "--out-of-domain")
    ] = False,
    topic: Annotated[
        list[str] | None,
        panel_option(_WHAT, "A topic, as CATEGORY: TOPIC; repeatable. Its context comes from the library.",
                     metavar="TEXT"),
    ] = None,
    papers: Annotated[int, panel_option(_WHAT, "Papers in the context of a topic.", min=2, max=100)] = 16,
    small_prompts: Annotated[
        bool, panel_option(_WHAT, "Short prompts for the writers, as very small policies are trained on.",
                           "--small-prompts"),
    ] = False,
    forms: Annotated[int, panel_option(_EXPERTS, "Write forms for N experts.", min=0, max=100)] = 0,
    pairs: Annotated[int, panel_option(_EXPERTS, "Pairs of each category on a form.", min=1, max=100)] = 10,
    ratings: Annotated[
        list[Path] | None, panel_option(_EXPERTS, "A filled-in form; repeatable.", metavar="FILE")
    ] = None,
    research: ResearchOptions, out: Out = None, as_json: AsJson = False, quiet: Quiet = False,
) -> None:  # fmt: skip
    """Evaluate models on next-idea tasks: each writes an idea for each context and refines it under comments.

    Judges compare the last ideas of the first model with those of the others, check a rubric, and compare later steps
    with the first one. Recorded answers are used again, so that the same command with --ratings costs nothing.
    """
    cells = read_ratings(ratings or ())
    settings = research.settings(judges=",".join(judge or ()))
    task = _task(settings, data, model, split, limit, rounds, papers, small_prompts, _topics(topic, all_=out_of_domain))
    task = task.model_copy(update={"forms": forms, "pairs": pairs})
    output = OutputOptions(out, as_json, quiet)
    if out:
        checked_report_folder(out)
    evaluation = start_run(NEXT_IDEA_EVALUATION, settings, task, quiet=quiet, fresh=research.fresh)
    evaluation = evaluation.model_copy(update={"experts": cells})
    show(evaluation, output)


def _task(
    settings: LoadedSettings, data: Path | None, models: list[str], split: Literal["train", "validation", "test"],
    limit: int, rounds: int, papers: int, small_prompts: bool, topics: tuple[DomainTopic, ...],
) -> EvaluationTask:  # fmt: skip
    named = tuple(str(settings.model_named(each)) for each in models)
    judges = tuple(str(each) for each in settings.model_roles().judges)
    try:
        return EvaluationTask(
            data=str(data or ""), split=split, most=limit, models=named, judges=judges, rounds=rounds, topics=topics,
            papers=papers, small_prompts=small_prompts,
        )  # fmt: skip
    except ValidationError as error:
        raise BadInput(f"{error.errors()[0]['loc']}: {error.errors()[0]['msg']}.") from error


def _topics(given: list[str] | None, *, all_: bool) -> tuple[DomainTopic, ...]:
    topics = list(OUT_OF_DOMAIN) if all_ else []
    for each in given or ():
        category, mark, text = each.partition(":")
        if not mark or not category.strip() or not text.strip():
            raise BadInput(f"--topic {each!r} is not of the form CATEGORY: TOPIC, such as `law: liability of robots`.")
        topics.append(DomainTopic(category=category.strip(), topic=text.strip()))
    return tuple(topics)


def show(evaluation: Evaluation, output: OutputOptions) -> None:
    """Prints an evaluation, and writes its page and the forms that were asked for."""
    if output.as_json:
        print_json(evaluation.model_dump(mode="json"))
    else:
        opponents = [each.opponent for each in evaluation.comparisons if each.category == ALL]
        if opponents:
            print_table((f"{evaluation.subject} against", *opponents), win_rows(evaluation, ALL))
        print_line(headline(evaluation))
    folder = output.folder(evaluation.account.run_id)
    files = write_evaluation(evaluation, folder)
    output.print(f"Page: {files.html}")
    if evaluation.forms:
        for file in write_forms(evaluation, folder / "forms", evaluation.forms, evaluation.pairs, evaluation.seed):
            output.print(str(file))
