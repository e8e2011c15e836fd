"""Writes the table of settings in configuration.md from `novum.settings.Settings`: python docs/settings_table.py

A test compares the page with what this would write, so that the page cannot go stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from novum.cli.shell.fields import fields_of
from novum.settings import PREFIX, TABLES, Settings

PAGE = Path(__file__).with_name("configuration.md")
MARKS = re.compile(r"(<!-- settings begin -->\n).*(<!-- settings end -->)", re.DOTALL)
WORKED_OUT = {"home": "the platform's data folder"}
"""Defaults that depend on the machine."""


def table() -> str:
    """The settings as a Markdown table."""
    rows = ["| setting | variable | default | meaning |", "| --- | --- | --- | --- |"]
    for field in fields_of(Settings):
        variable = "file only" if field.name in TABLES else f"`{PREFIX}{field.name.upper()}`"
        default = (
            "the platform's data folder" if field.name == "home" else f"`{field.default}`" if field.default else ""
        )
        rows.append(f"| `{field.name}` | {variable} | {default} | {field.description} |")
    return "\n".join(rows) + "\n"


def filled_in(page: str) -> str:
    """The page with the table as it should be."""
    return MARKS.sub(lambda marks: f"{marks[1]}{table()}{marks[2]}", page)


if __name__ == "__main__":
    PAGE.write_text(filled_in(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
