"""No cell of a table is a formula for a spreadsheet, and what was written is read back as it was."""

from __future__ import annotations

import csv
import io

import pytest

from novum.files.tables import csv_from_text, csv_text, read_rows, write_rows

FORMULAS = (
    "=1+1", "=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\x00=1",
    "\uff1d1+1", "'=1", "''=1", "- an item", "-",
)  # fmt: skip
NUMBERS = ("-1", "+2.5", "-.5", "-1e-9", "+3%", "-1,234.5", "0", "")


def written(text):
    ((cell,),) = csv.reader(io.StringIO(csv_text(["h"], [[text]]).partition("\n")[2], newline=""))
    return cell


@pytest.mark.parametrize("text", FORMULAS)
def test_text_that_begins_like_a_formula_gets_an_apostrophe(text):
    assert written(text).startswith("'")


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_stay_numbers(text):
    assert written(text) == text
    assert csv_text(["h"], [[-1.5, 2, None, True]]).splitlines()[1] == "-1.5,2,,True"


def test_a_line_end_in_a_cell_begins_no_row():
    assert written("a\r=1") == written("a\r\n=1") == "a\n=1"


def test_a_column_can_be_named_like_a_formula():
    assert csv_text(["=1+1"], []) == "'=1+1\n"


def test_control_characters_are_left_out():
    assert written("a\x00b\x1b[31mc\x7f\x9bd\te") == "ab[31mcd\te"


@pytest.mark.parametrize(
    "text", [each for each in FORMULAS if not set("\0\r") & set(each)] + ["it's", "'quoted'", "plain"]
)
def test_what_was_written_is_read_back_as_it_was(tmp_path, text):
    write_rows([{"a": text, "b": "x"}], ["a", "b"], tmp_path / "t.csv")
    ((_, row),) = read_rows(tmp_path / "t.csv")
    with csv_from_text((tmp_path / "t.csv").read_bytes().decode(), "It", delimiters=",") as rows:
        assert [each["a"] for each in rows] == [text]
    assert row == {"a": text, "b": "x"}
