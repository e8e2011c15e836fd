"""Whatever is written loses the keys of this process, and a link under the name of a file is never followed."""

from __future__ import annotations

import json

import pytest

from novum.core.record import Value
from novum.credentials.redaction import REDACTED, register_secrets
from novum.files.atomic import atomic_path, write_all_atomic
from novum.files.folder import atomic_folder
from novum.files.tables import write_rows

KEY = "sk-of-written-files-0123456789"


class Card(Value):
    name: str


@pytest.fixture(autouse=True)
def _known():
    register_secrets(KEY)


def test_a_table_loses_a_key_in_any_cell(tmp_path):
    for name in ("t.csv", "t.jsonl"):
        write_rows([{"a": f"x {KEY} y", "b": [KEY]}], ["a", "b"], tmp_path / name)
        assert KEY not in (tmp_path / name).read_text()
        assert REDACTED in (tmp_path / name).read_text()
    assert json.loads((tmp_path / "t.jsonl").read_text()) == {"a": f"x {REDACTED} y", "b": [REDACTED]}


def test_files_of_a_report_lose_it_and_pictures_stay_as_they_are(tmp_path):
    write_all_atomic({
        tmp_path / "a.html": f"<p>{KEY}</p>",
        tmp_path / "b.svg": f"<text>{KEY}</text>".encode(),
        tmp_path / "c.png": KEY.encode(),
    })  # fmt: skip
    assert (tmp_path / "a.html").read_text() == f"<p>{REDACTED}</p>"
    assert (tmp_path / "b.svg").read_text() == f"<text>{REDACTED}</text>"
    assert (tmp_path / "c.png").read_text() == KEY


def test_a_data_set_loses_it_in_every_file(tmp_path):
    with atomic_folder(tmp_path / "set", ("data",)) as place:
        (place / "data" / "train.jsonl").write_text(f'{{"a": "b"}}\n{{"a": "{KEY}"}}\n')
        (place / "README.md").write_text(f"Made with {KEY}.")
    assert (tmp_path / "set" / "data" / "train.jsonl").read_text() == f'{{"a": "b"}}\n{{"a": "{REDACTED}"}}\n'
    assert (tmp_path / "set" / "README.md").read_text() == f"Made with {REDACTED}."
    assert sorted(each.name for each in (tmp_path / "set" / "data").iterdir()) == ["train.jsonl"]


def test_a_planted_link_is_replaced_and_not_followed(tmp_path):
    target = tmp_path / "target.txt"
    target.write_text("mine")
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).symlink_to(target)
    write_all_atomic({tmp_path / "one.txt": "new"})
    with atomic_path(tmp_path / "two.txt") as draft:
        draft.write_text("new")
    assert target.read_text() == "mine"
    assert not any((tmp_path / name).is_symlink() for name in ("one.txt", "two.txt"))
