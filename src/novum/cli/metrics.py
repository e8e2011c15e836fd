"""`novum metrics`: what a library teaches about good ideas, learnt, looked at, tuned to people, and put to the test."""

from __future__ import annotations

from novum.cli.group import group

app = group(
    "Learn from a library what good ideas look like there.",
    "What was learnt is one folder, which scores ideas in milliseconds (`novum score`) without asking any model.",
)
