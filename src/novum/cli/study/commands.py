"""The commands of `novum study`: each calls one function of `novum.api.studies`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from novum.api.studies import create_study, store_of, study_files, study_results
from novum.cli.shell.arguments import text_of_file
from novum.cli.shell.group import examples
from novum.cli.shell.terminal import print_heading, print_json, print_line, print_table
from novum.errors import BadInput
from novum.files.atomic import write_all_atomic
from novum.files.inputs import read_plain
from novum.reports.phrases import count, interval, number
from novum.settings import load_settings
from novum.studies.forms import FORMS
from novum.studies.results import StudyResult, undefined_coefficients

StudyId = Annotated[
    str, typer.Argument(metavar="STUDY", help="Id of a study, its beginning, or `last`.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@examples(
    'novum study create "Our ideas" --ask ratings --ideas last',
    'novum study create "Two methods" --ask pairs --ideas rag.jsonl --ideas chains.jsonl --per-participant 12',
)
def create(
    title: Annotated[str, typer.Argument(metavar="TEXT", help="Title of the study, for you.", show_default=False)],
    *,
    ideas: Annotated[
        list[str],
        typer.Option(metavar="RUN|FILE", help="Run, report.json or table of ideas; repeatable.", show_default=False),
    ],
    questions: Annotated[
        str, typer.Option("--ask", metavar="NAME", help="Form with the questions (`novum study forms`).")
    ] = "ratings",
    per_participant: Annotated[int, typer.Option(min=1, metavar="N", help="Items for each participant.")] = 10,
    checks: Annotated[int, typer.Option(min=0, max=5, metavar="N", help="Attention checks among them.")] = 1,
    consent: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Text that participants agree to.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random orders.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Set up a blind study. Its items are ideas, or pairs of ideas on the same topic."""
    text = _read(consent) if consent else ""
    study = create_study(
        title, questions=questions, ideas=ideas, per_participant=per_participant, checks=checks, consent=text, seed=seed
    )
    if as_json:
        print_json(study.model_dump(mode="json"))
        return
    noun = "pair" if study.form.subjects == "pair" else "idea"
    print_line(f"{study.id}: {count(len(study.items), noun)}. Invite people: novum study invite {study.id} --count 5")


@examples("novum study list")
def list_studies(as_json: AsJson = False) -> None:
    """List the studies, newest first, with their state."""
    store = store_of(load_settings())
    studies = store.studies()
    if as_json:
        print_json([each.model_dump(mode="json", exclude={"items", "judged"}) for each in studies])
    elif not studies:
        print_line('There are no studies yet. Set one up: novum study create "Title" --ideas last')
    else:
        rows = (
            (
                each.id,
                each.state,
                each.form_name,
                f"{len(each.items)}",
                f"{len(store.participants(each.id))}",
                each.title,
            )
            for each in studies
        )
        print_table(("study", "state", "form", "items", "participants", "title"), rows)


@examples("novum study invite last --count 5", "novum study invite last --address https://lab.example.org")
def invite(
    study: StudyId,
    *,
    number_of: Annotated[int, typer.Option("--count", "-n", min=1, max=1000, metavar="N", help="Number of links.")] = 1,
    address: Annotated[str, typer.Option(help="Address under which participants reach the pages.")]
    = "http://127.0.0.1:8765",
) -> None:  # fmt: skip
    """Make personal links. Whoever has a link can answer under it, and see nothing else."""
    store = store_of(load_settings())
    wanted, place = store.study(study), _checked_address(address)
    for _ in range(number_of):
        print_line(f"{place}/take/{store.invite(wanted).link}")


@examples("novum study results last", "novum study results last --json")
def results(study: StudyId, as_json: AsJson = False) -> None:
    """Show the agreement of the participants (ICC, kappa, alpha), scores by source, and agreement with judges."""
    result = study_results(study)
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    _print_result(result)


@examples("novum study export last --out answers")
def export(
    study: StudyId,
    *,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the files.", show_default=False)],
) -> None:
    """Write every answer as CSV, and the tables that other commands read. Those of an earlier export are replaced."""
    files = study_files(study)
    for name, text in files.items():
        _check_exported(out / name, text)
    out.mkdir(parents=True, exist_ok=True)
    write_all_atomic({out / name: text for name, text in files.items()})
    for name in files:
        print_line(str(out / name))


@examples("novum study close last")
def close(study: StudyId) -> None:
    """Take no more answers. Those that were given are kept."""
    store = store_of(load_settings())
    closed = store.set_state(store.study(study).id, "closed")
    print_line(f"{closed.id} is closed.")


@examples("novum study forms")
def forms() -> None:
    """List the forms with their questions and the paper that each follows."""
    rows = (
        (form.name, form.subjects, ", ".join(each.name for each in form.questions), form.source)
        for form in FORMS.values()
    )
    print_table(("form", "about", "questions", "follows"), rows)


def _checked_address(address: str) -> str:
    """A web address without a last slash. Raises BadInput for anything else, and for one with a password or a query."""
    try:
        parts = urlsplit(address)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_web = False
    if not is_web or "@" in parts.netloc or parts.query or parts.fragment:
        raise BadInput("--address is no web address of the workbench, such as https://lab.example.org.")
    return address.rstrip("/")


def _check_exported(file: Path, new: str) -> None:
    """Raises BadInput for a file with other columns than `new`: somebody else's, or one that somebody has added to."""
    there = text_of_file(file) if file.exists() else ""
    if there and there.partition("\n")[0].strip() != new.partition("\n")[0].strip():
        raise BadInput(f"{file} has other columns than an export: it is not replaced. Move it, or name another folder.")


def _print_result(result: StudyResult) -> None:
    print_heading(result.title)
    done = sum(each.answered == each.tasks for each in result.participants)
    left = f"; {count(len(result.left_out), 'participant')} left out for a failed check" if result.left_out else ""
    print_line(f"{count(len(result.participants), 'participant')}, {done} finished{left}")
    rows = (
        (
            each.criterion, f"{each.answers}", number(each.alpha.alpha), interval(each.alpha) or "–",
            number(each.icc.agreement_single.value), number(each.icc.agreement_average.value), number(each.kappa),
            number(each.with_judges.r if each.with_judges else None),
        )
        for each in result.criteria
    )  # fmt: skip
    print_table(("criterion", "answers", "alpha", "95 %", "ICC(A,1)", "ICC(A,k)", "kappa", "judges"), rows)
    for note in undefined_coefficients(result):
        print_line(note)
    if result.sources:
        print_table(
            ("source", "criterion", "mean", "answers"),
            ((each.source, each.criterion, number(each.mean), f"{each.answers}") for each in result.sources),
        )


def _read(file: Path) -> str:
    try:
        return read_plain(file).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read as text: {error}.") from error
