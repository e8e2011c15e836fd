"""Papers as training data of an idea model: topics, splits, rows, and a data card."""

import json

import numpy as np
import pytest

from novum.core import Paper
from novum.errors import BadInput
from novum.files.folder import CARD
from novum.training.finetuning.conversations import open_ideas
from novum.training.finetuning.selection import select_training_rows
from novum.training.ideas.building import UsablePapers, collect_papers, splits_of
from novum.training.ideas.card import IdeaDataCard, IdeaDataSettings
from novum.training.ideas.topics import choose_topics, coherences
from novum.training.recipes import read_recipe

BEES = "bees dance flowers nectar honey hive pollen swarm queen colony"
RIVERS = "rivers flood water banks sediment delta rain basin stream lake"


def texts(number=60):
    words = [BEES.split(), RIVERS.split()]
    return [" ".join(np.random.default_rng(n).choice(words[n % 2], 30)) for n in range(number)]


def paper(number, year=2020, title="", text=""):
    return Paper(title=title or f"Study {number} of bees", year=year, abstract=text or f"{BEES} {number} " * 6)


@pytest.fixture(scope="module")
def built(tmp_path_factory, novum_in):
    place = tmp_path_factory.mktemp("ideas")
    papers = place / "papers.jsonl"
    rows = [
        {"title": f"On subject {n} of {'bees' if n % 2 else 'rivers'}", "year": 2019 + n % 5, "abstract": text * 3}
        for n, text in enumerate(texts(100))
    ]
    papers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = novum_in(place, "data", "build", "ideas", "--library", str(papers), "--topics", "2,4", "--out", "set")
    return place / "set", done


@pytest.fixture(scope="module")
def novum_in():
    import os
    import subprocess
    import sys

    def run(place, *words):
        environment = os.environ | {"NOVUM_HOME": str(place / "home")}
        return subprocess.run(
            [sys.executable, "-m", "novum", *words], cwd=place, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip

    return run


def test_the_number_of_topics_is_the_one_with_the_largest_coherence():
    chosen = choose_topics(texts(), [2, 5], seed=0)
    assert max(chosen.tried, key=lambda each: each.coherence).topics == len(chosen.model.phi) == 2
    first, second = chosen.main([BEES, RIVERS]).tolist()
    assert first != second and chosen.main(["zzz"]).tolist() == [-1]


def test_words_that_never_occur_together_are_not_coherent():
    together = choose_topics(texts(), [2], seed=0).model
    alone = [word for text in texts() for word in text.split()]
    assert max(coherences(together, together.counts(alone))) == -1


def test_papers_without_text_of_other_years_and_twice_are_left_out(tmp_path):
    unfit = [paper(31, 1999), Paper(title="No text", year=2020), paper(98, title="A B!"), paper(97, text="short")]
    papers = [*(paper(n) for n in range(30)), paper(99, title="A b"), *unfit]
    with (tmp_path / "spool").open("wb") as out:
        usable = collect_papers(papers, IdeaDataSettings(), out)
    assert len(usable.years) == 31
    assert sorted(usable.left_out.values()) == [1, 1, 1, 1]


def test_too_few_papers_are_refused_with_the_reasons(tmp_path):
    with (tmp_path / "spool").open("wb") as out, pytest.raises(BadInput, match="of another year"):
        collect_papers([paper(n, 1990) for n in range(40)], IdeaDataSettings(), out)


def test_later_splits_are_of_later_years():
    usable = UsablePapers()
    for number in range(100):
        usable.years.append(2019 + number % 5)
        usable.hashes.append(number * 7919 % 1000)
    splits, years = splits_of(usable, IdeaDataSettings()), np.array(usable.years)
    assert [int((splits == each).sum()) for each in range(3)] == [80, 10, 10]
    assert years[splits == 0].max() <= years[splits == 1].min() <= years[splits == 2].min()
    by_chance = splits_of(usable, IdeaDataSettings(split="by-chance", most=50))
    assert [int((by_chance == each).sum()) for each in range(-1, 3)] == [50, 40, 5, 5]


def test_a_data_set_has_rows_facts_and_a_card(built):
    folder, done = built
    assert done.returncode == 0, done.stderr
    card = IdeaDataCard.model_validate_json((folder / CARD).read_bytes())
    assert [split.rows for split in card.splits] == [80, 10, 10]
    row = json.loads((folder / "data" / "train.jsonl").read_text().splitlines()[0])
    facts = json.loads((folder / "about" / "train.jsonl").read_text().splitlines()[0])
    assert facts["topic"] in row["prompt"][0]["content"]
    assert row["completion"][0]["content"].startswith(f"Title: {facts['title']}\n\nAbstract: ")
    readme = (folder / "README.md").read_text()
    assert "largest coherence" in readme and "| 2 |" in readme
    assert not list(folder.glob(".*"))


def test_training_selects_its_rows_and_what_is_held_out(built):
    selected = select_training_rows(open_ideas(built[0]), read_recipe("cpu", kind="sft"))
    assert len(selected.training) == 80 and len(selected.choosing) == 10 and len(selected.held_out) == 10


def test_an_empty_answer_is_reported_with_the_command_that_builds_the_set(built, tmp_path):
    row = {"prompt": [{"role": "user", "content": "?"}], "completion": [{"role": "assistant", "content": " "}]}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.jsonl").write_text(json.dumps(row))
    (tmp_path / CARD).write_bytes((built[0] / CARD).read_bytes())
    with pytest.raises(BadInput, match=r"the answer is empty.*novum data build ideas"):
        list(open_ideas(tmp_path).conversations("train", [0]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--topics", "two"], "write numbers"),
        (["--since", "2024"], "no year lies between"),
        (["--before", "1990", "--since", "1980"], "Only 0 papers can be used"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(novum_in, tmp_path, options, message):
    done = novum_in(tmp_path, "data", "build", "ideas", "--out", "set", *options)
    assert done.returncode == 2 and message in done.stderr and not (tmp_path / "set").exists()
