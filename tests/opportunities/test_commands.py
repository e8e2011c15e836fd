"""`novum opportunities` as a user meets it."""

import json

import pytest

from novum.cli.app import run
from tests.opportunities.made_up import library_of, literature

OPTIONS = ("--max-share", "0.5", "--horizon", "2")


@pytest.fixture
def novum(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NOVUM_HOME", str(tmp_path / "home"))

    def finish(*arguments):
        code = run(["opportunities", *arguments])
        return code, *capsys.readouterr()

    return finish


def test_it_is_built_and_reported_in_words_and_as_json(novum, tmp_path):
    library_of(tmp_path / "library", literature(120, years=2)).close()
    code, out, err = novum("build", "--library", str(tmp_path / "library"), *OPTIONS)
    assert code == 0
    assert "concepts" in out
    assert "No forecast was fitted" in err
    code, out, _ = novum("build", "--library", str(tmp_path / "library"), *OPTIONS, "--json")
    assert code == 0
    assert json.loads(out)["papers"] == 120


@pytest.mark.parametrize(
    ("entries", "why"),
    [({"papers": 50, "years": 10}, ""), ({"papers": 100, "years": 1}, "span"), ({"papers": 60, "year": None}, "year")],
)
def test_libraries_that_teach_nothing_end_in_one_line(novum, tmp_path, entries, why):
    library_of(tmp_path / "library", literature(**entries)).close()
    code, _, err = novum("evaluate", "--library", str(tmp_path / "library"), "--years", "1", *OPTIONS)
    assert code == 2
    assert why in err.splitlines()[-1]
    assert err.splitlines()[-1].startswith("novum: ")
    assert "Traceback" not in err
