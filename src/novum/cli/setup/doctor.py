"""`novum doctor`: checks the installation and says what to do about problems."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from novum.cli.setup.checks import examine
from novum.cli.shell.group import examples
from novum.cli.shell.terminal import one_line, print_json, print_line


@examples(
    "novum doctor", "novum doctor --model openai:gpt-5.5", "novum doctor --json",
    note="The exit code is 1 if something that is needed is broken.",
)  # fmt: skip
def doctor(
    model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="Try this model instead of the one in the settings.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="OpenAI-compatible server of a model named server:MODEL.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check versions, keys, models, disk, library and ledger, and say what to do about problems."""
    findings = asyncio.run(examine({"writer": model, "base_url": base_url}))
    broken = [finding for finding in findings if finding.state == "broken"]
    if as_json:
        print_json([{"what": f.what, "state": f.state, "found": f.found, "advice": f.advice} for f in findings])
    else:
        width = max(len(finding.what) for finding in findings)
        for finding in findings:
            print_line(f"{_MARKS[finding.state]} {finding.what:<{width}}  {one_line(finding.found)}")
            if finding.advice:
                print_line(f"  {'':<{width}}  → {one_line(finding.advice)}")
        print_line(
            "\nSomething that is needed is broken: see the lines with an arrow."
            if broken
            else '\nEverything that is needed is in place. Try: novum ideate "your topic"'
        )
    if broken:
        raise typer.Exit(1)


_MARKS = {"fine": "✓", "note": "•", "broken": "✗"}
