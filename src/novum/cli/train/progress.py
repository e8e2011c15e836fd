"""How a training goes, shown on a terminal in one line that moves, elsewhere in a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from novum.reports.phrases import duration

Show = Callable[[Mapping[str, Any]], None]
_PHASES = {
    "loading the base": "Loading the base",
    "cutting rows to length": "Cutting rows to length",
    "measuring the base": "Measuring the base before the first step",
}
_LINES = 10
"""Lines of steps in all, where nothing can move."""


class Progress:
    """Takes in what the process tells; `say` gets a line, `move` a line that replaces the one before."""

    def __init__(self, say: Callable[[str], None], move: Callable[[str], None] | None = None) -> None:
        self._say, self._move = say, move
        self._began_at, self._tokens_at, self._seconds_at = 0, 0, 0.0
        self._measured = 0.0
        self._next = 0

    def __call__(self, event: Mapping[str, Any]) -> None:
        """One event."""
        kind = event["kind"]
        if kind == "phase":
            (self._move or self._say)(f"{_PHASES.get(event['what'], event['what'])} …")
        elif kind == "cuts":
            self._say(cuts_in_words(event))
        elif kind == "begins":
            self._begins(event)
        elif kind == "step":
            self._step(event)
        elif kind == "measured":
            self._say(point_in_words(event["point"]))

    def _begins(self, event: Mapping[str, Any]) -> None:
        self._began_at = event["step"]
        where = f"from step {event['step']} of" if event["step"] else "in all:"
        self._say(f"Learning {where} {event['of']:,} steps, {event['tokens']:,} tokens")

    def _step(self, event: Mapping[str, Any]) -> None:
        line = self._in_words(event)
        if self._move:
            self._move(line)
        elif event["step"] >= self._next or event["step"] == event["of"]:
            self._next = event["step"] + max(1, event["of"] // _LINES)
            self._say(line)

    def _in_words(self, event: Mapping[str, Any]) -> str:
        step, of, seconds = event["step"], event["of"], event["seconds"]
        told = f"step {step:,} of {of:,}, loss {event['loss']:.3f}"
        done = step - self._began_at - 1
        if done < 1:  # of the first step it is not known how long the measurement before it took
            self._tokens_at, self._seconds_at = event["tokens"], seconds
            return told
        each = (seconds - self._seconds_at) / done
        rate = (event["tokens"] - self._tokens_at) / max(1e-9, seconds - self._seconds_at)
        return f"{told}, {rate:,.0f} tokens/s, {duration(each * (of - step) + event['measuring'])} left"


def cuts_in_words(cuts: Mapping[str, Any]) -> str:
    """`200 rows; cut to length: 180 prompts, 190 completions`."""
    left = f"; {cuts['left_out']:,} do not fit and are left out" if cuts["left_out"] else ""
    return (
        f"{cuts['rows']:,} rows; cut to length: {cuts['prompts']:,} prompts, {cuts['completions']:,} completions{left}"
    )


def point_in_words(point: Mapping[str, Any]) -> str:
    """One measurement in a line."""
    named = (
        ("held-out loss", point.get("held_out_loss")),
        ("rating RMSE", point.get("rating_rmse")),
        ("with the mean set right", point.get("rating_rmse_centred")),
        ("loss for choosing", point.get("choosing_loss")),
    )
    told = ", ".join(f"{name} {value:.3f}" for name, value in named if value is not None)
    where = f"after step {point['step']:,}" if point["step"] else "the base untuned"
    return f"Measured {where}: {told or 'nothing, as nothing is held out'}"


def shown(*, quiet: bool) -> tuple[Show, Callable[[], None]]:
    """Where progress goes, and what ends the showing."""
    from novum.cli.shell.terminal import keep_still, tell

    if quiet:
        return Progress(keep_still), lambda: None
    if not sys.stderr.isatty():
        return Progress(tell), lambda: None
    from rich.console import Console

    status = Console(stderr=True).status("Beginning")
    status.start()
    return Progress(lambda line: status.console.print(line, highlight=False, markup=False), status.update), status.stop
