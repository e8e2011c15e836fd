"""A run of `ideate` or `explore` for a user: announced, watched, stoppable, and its report delivered."""

from __future__ import annotations

from pathlib import Path

from novum.cli.ideas.answer_text import answers
from novum.cli.shell.durable import Job, run_durable
from novum.cli.shell.output import OutputOptions, checked_report_folder
from novum.cli.shell.phrases import bill
from novum.cli.shell.terminal import one_line, print_json
from novum.core import ExplorationReport, IdeationReport
from novum.errors import NovumError
from novum.lab import SINGLE_TOPIC_RUNS
from novum.literature.sources import sources
from novum.reports.exploration import phrases as exploring
from novum.reports.files import write_report
from novum.reports.ideation.brief import brief
from novum.reports.ideation.findings import headline
from novum.reports.ideation.ready_prompt import PROMPT_FILE, ready_prompt
from novum.reports.phrases import duration
from novum.reports.sanitizing import beginning
from novum.settings import BUILT_IN, LoadedSettings

RunReport = IdeationReport | ExplorationReport


def run_session(
    settings: LoadedSettings, job: Job[RunReport], output: OutputOptions, *, kind: str = "ideate", why: str = "",
    run_id: str = "", interactive: bool = False,
) -> None:  # fmt: skip
    """Runs `job` and delivers its report. Raises what the job raises, with a note on how to resume.

    `kind`: of the run. `why`: why these models are used (empty: as the settings say). `run_id`: of a run that is
    resumed. `interactive`: the job talks with the user, so that no progress may be drawn over it.
    """
    checked_report_folder(output.out)
    output.note(announcement(settings, why, kind))
    report = run_durable(settings, job, quiet=output.quiet, run_id=run_id, drawn=not interactive)
    deliver(report, output, interactive=interactive)


def announcement(settings: LoadedSettings, why: str = "", kind: str = "ideate") -> str:
    """Which models are used, and why."""
    roles = settings.model_roles()
    names, explored = roles.names(), kind == "explore"
    text = f"{'Answers' if explored else 'Ideas'} by {names['writer']} ({why or _why(settings)}), "
    text += f"papers read by {names['reader']}" + ("." if explored else f", judged by {names['judges']}.")
    if roles.writer.provider.name == "offline":
        better = "answers worth reading" if explored else "ideas worth judging"
        text += f" This is a demonstration: for {better}, set a provider's key (`novum models list`)."
        text += "" if explored else " What the library has on the topic is real and comes first in the report."
    return f"{text} {_services(settings, kind)}"


def _services(settings: LoadedSettings, kind: str) -> str:
    """Who will see what of the run."""
    titles = [sources.get(name).title for name in settings.live_sources(single=kind in SINGLE_TOPIC_RUNS)]
    if not titles:
        return "Papers: the library alone."
    named = f"{', '.join(titles[:-1])} and {titles[-1]}" if len(titles) > 1 else titles[0]
    seen = "question and search queries" if kind == "explore" else "topic, search queries and summaries of ideas"
    return f"Papers: the library and {named}, which receive the {seen} (not with --source none)."


def deliver(report: RunReport, output: OutputOptions, *, interactive: bool = False) -> None:
    """Prints and writes the report: JSON first, as a full disk must not cost it, then the files and closing lines."""
    if output.as_json:
        print_json(report.model_dump(mode="json"))
    try:
        files = write_report(report, output.folder(report.account.run_id))
    except NovumError as error:
        error.add_note(f"Or write it elsewhere: novum runs export {report.account.run_id} --out DIR")
        raise
    replies = [] if interactive or isinstance(report, IdeationReport) else answers(report)
    for line in (*replies, *closing_lines(report, files.html)):
        output.print(line)


def closing_lines(report: RunReport, page: Path) -> list[str]:
    """The best idea or the outcome, the place of the report, and the cost."""
    return [
        *(_explored(report) if isinstance(report, ExplorationReport) else _ideated(report, page.parent)),
        f"Report:    {page}",
        f"Cost:      {bill(report.account.spend)}; time: {duration(report.account.seconds)}",
    ]


def _ideated(report: IdeationReport, folder: Path) -> list[str]:
    shown = _found(report, folder) if report.account.demonstration else _in_brief(report)
    return [
        *shown,
        f"Outcome:   {one_line(headline(report))}",
        *(f"Note:      {one_line(note)}" for note in report.ideation.notes[:5]),
    ]


def _in_brief(report: IdeationReport) -> list[str]:
    """The best idea as its report begins."""
    best = brief(report)
    if best is None:
        return []
    closest = f"{best.closest.paper.short_citation}, {best.closest.paper.title}; " if best.closest else ""
    facts = {
        "Best idea": best.title,
        "In short": best.in_short,
        "Closest": f"{closest}{best.verdict}",
        "Test": best.test or (best.steps[0] if best.steps else ""),
    }
    return [f"{name + ':':<10} {_plain(text)}" for name, text in facts.items() if text]


def _found(report: IdeationReport, folder: Path) -> list[str]:
    """What a run without a key found: the first chain of papers, and where the prompt is."""
    chain = next((each.chain for each in report.ideation.candidates if each.chain and each.chain.papers), None)
    papers = chain.papers if chain else ()
    return [
        *(["Chain of papers from the library:"] if papers else []),
        *(f"  {each.year or 'n.d.'}  {one_line(each.title, 90)}, {each.short_authors}" for each in papers),
        *([f"Prompt:    {folder / PROMPT_FILE} (paste it into any chat)"] if ready_prompt(report) else []),
    ]


def _plain(text: str) -> str:
    """Model-written Markdown as plain words on one line."""
    return one_line(beginning(text, len(text) + 1))


def _explored(report: ExplorationReport) -> list[str]:
    last = report.explorations[-1]
    return [
        f"Outcome:   {one_line(exploring.headline(last))}",
        f"Ended:     {one_line(last.ended)}",
        *(f"Note:      {one_line(note)}" for each in report.explorations for note in each.notes[:5]),
    ]


def _why(settings: LoadedSettings) -> str:
    if not settings.values.writer:
        return settings.default_writer()[1]
    origin = settings.origins["writer"]
    return {BUILT_IN: "built in", "command line": "as asked"}.get(origin, f"set by {origin}")
