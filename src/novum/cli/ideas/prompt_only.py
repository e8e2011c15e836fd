"""`novum ideate --prompt-only`: the prompt of a topic for any chat, made from papers without a model."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

from novum.cli.shell.output import check_writable
from novum.cli.shell.terminal import print_message, print_pieces
from novum.cli.shell.workplace import in_workplace
from novum.core import Topic
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.lab import Workplace
from novum.reports.sanitizing import clean
from novum.runs.topic_literature import prompt_on_topic

_STOPPED = "Stopped. No model was asked, and papers that services had are in the library."
_CHARACTERS_PER_TOKEN = 4.5


def write_prompt(
    topic: Topic, before: dt.date | None, out: Path | None, *, sources: Sequence[str] | None, force: bool
) -> None:
    """Writes the prompt to `out`, or to stdout. Raises BadInput where nothing is known of the topic, and for a file
    that cannot be written, which is found out first."""
    if out is not None:
        _check_file(out)

    async def job(place: Workplace) -> str:
        return await prompt_on_topic(place, topic, before, print_message, force=force)

    prompt = in_workplace(job, _STOPPED, {"sources": ",".join(sources or ())})
    prompt = clean(prompt, len(prompt))
    if out is None:
        print_pieces([prompt])
        return
    write_atomic(out, prompt)
    tokens = round(len(prompt) / _CHARACTERS_PER_TOKEN, -2)
    print_message(f"Written: {out}, about {tokens:,.0f} tokens. Paste it into any chat.")


def _check_file(out: Path) -> None:
    if out.is_dir():
        raise BadInput(f"--out {out} is a folder, but the prompt is one file. Name a file: --out {out / 'prompt.txt'}")
    check_writable(out.parent)
