"""Survey forms as files: a page to print for each person, and a table to fill in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from novum.errors import BadInput
from novum.files.atomic import make_subfolder, write_all_atomic
from novum.files.tables import csv_text
from novum.idea_metrics.survey import COLUMNS, SCALE, SurveyPair, idea_as_text
from novum.reports.page import render_page

TEMPLATES = Path(__file__).parent / "templates"
_README = """# A survey on research ideas

Each person gets one form: `survey-NN.html` to print or to read on a screen, and `survey-NN.csv` to fill in. All see the
same pairs of ideas, in an order of their own, and every second person with A and B exchanged. Nothing says who made an
idea.

1. Send each person one page and its table. About {minutes} minutes are needed.
2. They write a number into the column `preference` of the table: {scale}. An empty cell is no
   answer. The column `comment` is free.
3. Collect the tables and see how far scores agree with these people:

       novum metrics tune --ratings survey-01.csv --ratings survey-02.csv --dry-run

   Without `--dry-run` the weights of the score are fitted to them, where that helps.
"""
_MINUTES_A_PAIR = 2


def write_survey(forms: Sequence[Sequence[SurveyPair]], folder: Path, *, force: bool = False) -> list[Path]:
    """Writes the forms of all persons and a README. Returns the files. Raises BadInput where they cannot be written,
    and, without `force`, where a file is there already: people may have filled it in."""
    contents: dict[Path, str | bytes] = {}
    for person, form in enumerate(forms, 1):
        contents[folder / f"survey-{person:02}.html"] = survey_page(form, person)
        contents[folder / f"survey-{person:02}.csv"] = survey_table(form, person)
    scale = ", ".join(f"{number} {words}" for number, words in SCALE.items())
    minutes = _MINUTES_A_PAIR * len(forms[0]) if forms else 0
    contents[folder / "README.md"] = _README.format(minutes=minutes, scale=scale)
    if not force and (there := next((file for file in contents if os.path.lexists(file)), None)):
        raise BadInput(
            f"{there} exists already, and may be filled in. Name another folder, or add --force to replace it."
        )
    try:
        make_subfolder(folder, folder)
        write_all_atomic(contents)
    except OSError as error:
        raise BadInput(
            f"{folder} cannot be written: {error.strerror or error}. Name another folder by --out."
        ) from error
    return list(contents)


def survey_page(form: Sequence[SurveyPair], person: int) -> str:
    """One page without scripts that can be printed."""
    return render_page("survey.html.j2", TEMPLATES, styles=["survey.css"], form=form, person=person, scale=SCALE)


def survey_table(form: Sequence[SurveyPair], person: int) -> str:
    """A row for each pair; `novum metrics tune --ratings` reads it when it is filled in."""
    rows = (
        (pair.number, f"person {person}", pair.topic, idea_as_text(pair.a), idea_as_text(pair.b), "", "")
        for pair in form
    )
    return csv_text(COLUMNS, rows)
