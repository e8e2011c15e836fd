"""Progress of a training: one updated line on a terminal, occasional lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Console

from novum.cli.shell.terminal import print_message, print_nothing
from novum.reports.phrases import duration

Show = Callable[[Mapping[str, Any]], None]
_PHASES = {
    "loading the base": "Loading the base",
    "cutting rows to length": "Cutting rows to length",
    "measuring the base": "Evaluating the base before the first step",
}
_LINES = 10
"""Lines for steps in total, where a line cannot be updated."""


class TrainingProgress:
    """Turns events of the training process into lines. `say` prints a line, `move` replaces the one before."""

    def __init__(self, say: Callable[[str], None], move: Callable[[str], None] | None = None) -> None:
        self._say, self._move = say, move
        self._start_step, self._tokens_at, self._seconds_at = 0, 0, 0.0
        self._measured = 0.0
        self._next = 0

    def __call__(self, event: Mapping[str, Any]) -> None:
        """One event."""
        kind = event["kind"]
        if kind == "phase":
            (self._move or self._say)(f"{_PHASES.get(event['what'], event['what'])} …")
        elif kind == "cuts":
            self._say(cuts_text(event))
        elif kind == "begins":
            self._begins(event)
        elif kind == "step":
            self._step(event)
        elif kind == "measured":
            self._say(point_text(event["point"]))

    def _begins(self, event: Mapping[str, Any]) -> None:
        self._start_step = event["step"]
        where = f"from step {event['step']} of" if event["step"] else "of"
        self._say(f"Training {where} {event['of']:,} steps, {event['tokens']:,} tokens")

    def _step(self, event: Mapping[str, Any]) -> None:
        line = self._step_text(event)
        if self._move:
            self._move(line)
        elif event["step"] >= self._next or event["step"] == event["of"]:
            self._next = event["step"] + max(1, event["of"] // _LINES)
            self._say(line)

    def _step_text(self, event: Mapping[str, Any]) -> str:
        step, of, seconds = event["step"], event["of"], event["seconds"]
        text = f"step {step:,} of {of:,}, loss {event['loss']:.3f}"
        done = step - self._start_step - 1
        if done < 1:  # the first step may include an evaluation of unknown length
            self._tokens_at, self._seconds_at = event["tokens"], seconds
            return text
        each = (seconds - self._seconds_at) / done
        rate = (event["tokens"] - self._tokens_at) / max(1e-9, seconds - self._seconds_at)
        return f"{text}, {rate:,.0f} tokens/s, {duration(each * (of - step) + event['measuring'])} left"


def cuts_text(cuts: Mapping[str, Any]) -> str:
    """For example `200 rows; cut to length: 180 prompts, 190 completions`."""
    left = f"; {cuts['left_out']:,} are too long and are skipped" if cuts["left_out"] else ""
    return (
        f"{cuts['rows']:,} rows; cut to length: {cuts['prompts']:,} prompts, {cuts['completions']:,} completions{left}"
    )


def point_text(point: Mapping[str, Any]) -> str:
    """One measurement in a line."""
    named = (
        ("held-out loss", point.get("held_out_loss")),
        ("rating RMSE", point.get("rating_rmse")),
        ("with the mean corrected", point.get("rating_rmse_centred")),
        *point.get("measures", {}).items(),
        ("validation loss", point.get("choosing_loss")),
    )
    values = ", ".join(f"{name} {value:.3f}" for name, value in named if value is not None)
    where = f"after step {point['step']:,}" if point["step"] else "the untrained base"
    return f"Evaluated {where}: {values or 'nothing, since no row is held out'}"


def training_progress(*, quiet: bool) -> tuple[Show, Callable[[], None]]:
    """A function that shows one event, and one that ends the display."""
    if quiet:
        return TrainingProgress(print_nothing), lambda: None
    if not sys.stderr.isatty():
        return TrainingProgress(print_message), lambda: None
    status = Console(stderr=True).status("Starting")
    status.start()
    return TrainingProgress(
        lambda line: status.console.print(line, highlight=False, markup=False), status.update
    ), status.stop
