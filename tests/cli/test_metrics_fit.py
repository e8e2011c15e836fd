"""`novum metrics fit`, `list` and `show`: what a library teaches, kept under a name, told in words."""

from __future__ import annotations

import json
import shutil

import pytest

from novum.idea_metrics.card import ModelCard
from novum.idea_metrics.folder import read_card
from novum.literature import Library, export
from tests.idea_metrics.made_up import made_up_papers

from .learnt import PAPERS, fill, learn

QUICK = ("--topics", "4", "--top-cited", "20")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("filled"))


@pytest.fixture
def home(filled, tmp_path):
    return shutil.copytree(filled, tmp_path / "home")


def card_at(folder) -> ModelCard:
    return read_card(folder)


def test_a_fitted_model_is_listed_shown_and_can_score(here, home):
    done = here("metrics", "fit", "--clusters", "4", "--originality", "published", *QUICK)
    assert done.code == 0, done.err
    assert "60 with an abstract or a summary, of 2010 to 2019" in done.out
    assert "originality  published, with 4 clusters" in done.out
    assert "Now score ideas: novum score" in done.out
    assert "Fitting: coherence" in done.err
    (row,) = json.loads(here("metrics", "list", "--json").out)
    assert (row["name"], row["learnt_from"]["papers"], row["settings"]["clusters"]) == ("default", PAPERS, 4)
    assert here("metrics", "list").out.splitlines()[1].split()[:4] == ["default", "60", "2010-2019", "4"]
    shown = here("metrics", "show")
    assert "0.3 originality + 0.2 feasibility + 0.4 impact + 0.1 reliability" in shown.out
    assert "How good is impact?" in shown.out
    assert "feasibility  by 0 cited papers (20 requested)" in shown.out, "what there is, beside what was asked for"
    assert here("score", "--text", "graphs of rain").code == 0


def test_the_elbow_is_searched_drawn_and_used_and_its_plot_goes_with_the_next_model(here, home):
    told = json.loads(here("metrics", "fit", "--clusters", "elbow", "--name", "bent", "--json", *QUICK).out)
    folder = home / "metrics" / "bent"
    numbers = [clusters for clusters, _ in told["curve"]]
    assert numbers == [2, 3, 5]  # ten papers to a cluster
    assert told["knee"] in {3, None}
    assert told["settings"]["clusters"] == (told["knee"] or 150)
    assert (folder / "elbow.svg").read_text().startswith("<svg")
    assert (folder / "elbow.png").read_bytes().startswith(b"\x89PNG")
    assert here("metrics", "fit", "--clusters", "3", "--name", "bent", *QUICK).code == 0
    assert not (folder / "elbow.svg").exists()


def test_a_file_of_papers_becomes_a_library_of_its_own(here, home, tmp_path):
    (tmp_path / "dump.jsonl").write_text("".join(export(made_up_papers(40, citation_count=None), "jsonl")))
    done = here("metrics", "fit", "--library", "dump.jsonl", "--name", "dump", "--clusters", "3", *QUICK)
    assert done.code == 0, done.err
    (own,) = (home / "libraries").iterdir()
    assert f"a library of their own: {own}" in done.err.replace("\n", " ")
    with Library.open(own) as library:
        assert library.size().papers == 40
    with Library.open(home / "library") as library:
        assert library.size().papers == PAPERS
    assert card_at(home / "metrics" / "dump").learnt_from.papers == 40


def test_papers_can_be_chosen_by_day_field_and_library(here, home, tmp_path):
    other = shutil.copytree(home / "library", tmp_path / "other")
    chosen = ("--before", "2018", "--library", str(other), "--clusters", "3", *QUICK)
    done = here("metrics", "fit", *chosen, "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert (told["learnt_from"]["last_year"], told["learnt_from"]["before"]) == (2017, "2018-01-01")
    few = here("metrics", "fit", *chosen, "--field", "graphs")
    assert few.code == 2
    assert "Too few papers have an abstract (12, and 30 are needed)" in few.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--clusters", "many"), "neither a number from 1 to 100000 nor `elbow`"),
        (("--clusters", "0"), "neither a number"),
        (("--clusters", "9" * 50), "neither a number"),
        (("--name", "../up"), "cannot be the name of a model"),
        (("--name", ""), "cannot be the name of a model"),
        (("--library", "nowhere"), "There is no library nowhere"),
        (("--library", "."), "holds no library"),
        (("--library", "noise.bin"), "noise.bin"),
        (("--before", "someday"), "is not a day"),
        (("--originality", "none"), "novum metrics fit --help"),
        (("--seed", "-1"), "novum metrics fit --help"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_a_line(here, home, tmp_path, arguments, told):
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 8)
    done = here("metrics", "fit", *arguments)
    assert (done.code, told in done.err) == (2, True), done.err
    assert not (home / "metrics").exists()


def test_a_library_that_is_too_small_is_refused(here, home, tmp_path):
    fill(tmp_path / "small", 10)
    done = here("metrics", "fit", "--library", str(tmp_path / "small" / "library"))
    assert (done.code, "Too few papers have an abstract (10, and 30 are needed)" in done.err) == (2, True)


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("learnt"))


@pytest.mark.parametrize("damage", ["card.json", "readability.json", "originality.safetensors", "scales.safetensors"])
def test_a_damaged_model_is_reported_and_the_others_are_listed(here, home, learnt, damage):
    for name in ("fine", "broken"):
        shutil.copytree(learnt / "metrics" / "default", home / "metrics" / name)
    (home / "metrics" / "broken" / damage).write_bytes(b"\x00{")
    shown = here("metrics", "show", "broken")
    assert (shown.code, "damaged" in shown.err, "novum metrics fit" in shown.err) == (2, True, True)
    listed = here("metrics", "list")
    assert listed.code == 0
    assert any(line.startswith("fine") for line in listed.out.splitlines())
    assert ("damaged" in listed.err) == (damage == "card.json")
    assert here("metrics", "show", str(home / "metrics" / "fine")).code == 0


def test_a_model_of_another_embedder_is_refused(here, home, learnt):
    folder = shutil.copytree(learnt / "metrics" / "default", home / "metrics" / "default")
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps(card | {"embedder": "another"}))
    done = here("metrics", "show")
    assert (done.code, "fitted with the embedder another" in done.err) == (2, True)


def test_without_a_model_the_list_says_how_to_fit_one(here):
    assert "novum metrics fit" in here("metrics", "list").out
    assert here("metrics", "list", "--json").out.strip() == "[]"
    assert (here("metrics", "show", "mine").code, here("metrics", "show").code) == (2, 2)


def reviews(place, count=300):
    """Reviewed papers of two venues whose reviewers like speech."""
    rows = []
    for number, paper in enumerate(made_up_papers(count, seed=3)):
        liking = 2 if paper.fields == ("speech",) else 0
        row = {"title": paper.title, "abstract": paper.abstract, "venue": "V", "year": 2019 + number // 4 % 2}
        rows.append(row | {"reviews": [{"rating": 4 + liking + number % 2}, {"rating": 5 + liking}]})
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(place)


def test_a_rating_model_is_fitted_to_reviewed_papers_and_scores_from_then_on(here, home, tmp_path):
    here("metrics", "fit", "--clusters", "4", *QUICK)
    speech, climate = made_up_papers(4, seed=9)[3], made_up_papers(4, seed=9)[2]
    assert speech.fields == ("speech",)
    files = []
    for paper in (speech, climate):
        files.append(tmp_path / f"{paper.fields[0]}.jsonl")
        files[-1].write_text(json.dumps({"title": paper.title, "text": paper.abstract}) + "\n")

    def shares():
        lines = [here("score", str(file), "--json").out for file in files]
        return [json.loads(line)["rating"]["share"] for line in lines]

    done = here("metrics", "fit", "--target", "ratings", reviews(tmp_path / "r.jsonl"))
    assert done.code == 0, done.err
    assert "v 2019 (152), v 2020 (148)" in done.out
    assert "agreement with reviewers" in done.out
    liked, other = shares()
    assert liked > 0.5 > other
    assert "review-rating" not in here("metrics", "list").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--target", "ratings"), "Name files of reviewed papers"),
        (("--target", "ratings", "none.jsonl"), "none.jsonl does not exist"),
        (("--target", "ratings", "few.jsonl"), "40 papers have a rating"),
        (("few.jsonl",), "add --target ratings"),
    ],
)
def test_what_a_rating_model_cannot_be_fitted_to_is_said_in_a_line(here, tmp_path, arguments, says):
    reviews(tmp_path / "few.jsonl", 40)
    done = here("metrics", "fit", *arguments)
    assert (done.code, says in done.err) == (2, True), done.err
    assert "Traceback" not in done.err
