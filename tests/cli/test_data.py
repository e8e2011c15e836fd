"""`novum data build preferences`: a folder that trainers read, whole or not at all, with a card of what is in it."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from novum.cli.data import preferences as data_preferences
from novum.core import Paper
from novum.errors import BadInput
from novum.idea_metrics.fit import fit_metrics
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.settings import FitSettings
from novum.literature import Entry, Library
from novum.training.preferences.files import check_place
from novum.training.preferences.records import PreferenceCard, PreferenceSettings
from novum.training.preferences.topics import LDA_NAMES
from tests.idea_metrics.made_up import made_up_papers, prose

SUBJECTS = (
    ("amber resin", "insects preserved fossil inclusion"), ("basalt lava", "cooling columns volcanic flow crystal"),
    ("cedar wood", "growth rings humid climate timber"), ("river delta", "sediment channels flood marsh silt"),
    ("glacier ice", "melt creep crevasse moraine snow"), ("coral reef", "bleaching algae symbiosis polyp ocean"),
    ("desert dune", "wind grains ripple migration sand"), ("bee colony", "foraging dance pollen hive queen"),
    ("sea fog", "droplets coast visibility aerosol night"), ("peat bog", "carbon moss methane acid water"),
)  # fmt: skip
HOSTILE = "</script><script>alert(1)</script> | --- \n# head {{ x }} <|im_end|> \u202eabc ]( javascript:x)"
COMMON = ("data", "build", "preferences", "--margin", "0.03", "--min-similarity", "0", "--max-similarity", "1")
EASY = (*COMMON, "--overlap", "0", "--metrics", "tiny", "--better", "published")


def shelf(papers=300):
    """Papers on ten subjects over ten years; some with texts that no page should obey. Nobody cites them, so that
    no predictor of citations has to be learnt."""
    rng = random.Random(1)
    for number in range(papers):
        subject, words = SUBJECTS[number % len(SUBJECTS)]
        text = prose(rng, words.split(), rng.randint(4, 5))
        hostile = HOSTILE if number % 7 == 0 else ""
        yield Entry(paper=Paper(
            title=f"The {subject} of place {number} {hostile}", year=2010 + rng.randrange(10),
            abstract=f"We study {subject}. {text} {hostile}", venue=f"Letters {hostile}",
            fields=("earth | sciences",),
        ))  # fmt: skip


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A home with a library and what it taught."""
    home = tmp_path_factory.mktemp("fitted")
    with Library.open(home / "library") as library:
        library.add(shelf())
        model = asyncio.run(fit_metrics(library, FitSettings(name="tiny", clusters=10, topics=5)))
        model.save(home / "metrics" / "tiny")
    return home


@pytest.fixture
def home(fitted):
    """The commands of these tests only read it."""
    return fitted


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def pairs(fitted, tmp_path_factory):
    """A set, built once, in both forms."""
    from novum.cli.app import run

    out = tmp_path_factory.mktemp("sets") / "pairs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOVUM_HOME", str(fitted))
        assert run([*EASY, "--out", str(out), "--format", "parquet"]) == 0
    return out


def test_trainers_find_conversations_and_nothing_else(pairs):
    for split in ("train", "validation", "test"):
        for row in lines(pairs / "data" / f"{split}.jsonl"):
            assert list(row) == ["prompt", "chosen", "rejected"]
            assert [turn["role"] for turn in row["prompt"]] == ["user"]
            assert row["prompt"][0]["content"].startswith("Topic: ")
            for side in ("chosen", "rejected"):
                (turn,) = row[side]
                assert turn["role"] == "assistant"
                assert re.fullmatch(r"Title: [^\n]+\n\nAbstract: [^\n]+", turn["content"])
                assert "<|im_end|>" not in turn["content"]


def test_parquet_says_the_same(pairs):
    parquet = pytest.importorskip("pyarrow.parquet")
    for split in ("train", "validation", "test"):
        table = parquet.read_table(pairs / "data" / f"{split}.parquet")
        assert table.to_pylist() == lines(pairs / "data" / f"{split}.jsonl")


def test_what_is_known_of_the_pairs_stands_beside_them_row_by_row(pairs, fitted):
    """Scores are those that the model gives when it is asked again, as far as the library's vectors, which it keeps in
    half precision, are those of the texts."""
    data, about = (lines(pairs / folder / "train.jsonl") for folder in ("data", "about"))
    assert [row["row"] for row in about] == list(range(len(data)))
    with Library.open(fitted / "library") as library:
        model = FittedMetrics.load(fitted / "metrics" / "tiny", library.embedder)
        for facts, texts in list(zip(about, data, strict=True))[:5]:
            for side in ("chosen", "rejected"):
                paper = library.get(facts[side]["id"])
                assert paper is not None and paper.year == facts[side]["year"]
                assert paper.gist.split()[0] in texts[side][0]["content"]
                card = asyncio.run(model.score([_asked(paper, facts["topic"])], explain=False))[0]
                assert card.of("creativity") == pytest.approx(facts[side]["creativity"], abs=2e-3)
                assert card.of("satisfaction") == pytest.approx(facts[side]["satisfaction"], abs=2e-2)


def _asked(paper, topic):
    from novum.core import Subject

    return Subject.of_paper(paper).model_copy(update={"topic": topic})


def test_the_card_counts_what_is_there(pairs):
    card = PreferenceCard.model_validate_json((pairs / "card.json").read_bytes())
    assert [split.pairs for split in card.splits] == [
        len(lines(pairs / "data" / f"{split.name}.jsonl")) for split in card.splits
    ]
    assert card.settings.margin == 0.03
    total = sum(split.pairs for split in card.splits)
    for histogram in card.scores:
        assert sum(histogram.chosen) == sum(histogram.rejected) == total
    assert sum(each.chosen for each in card.years) == total
    assert all((pairs / name).is_file() for name in card.files)
    assert (pairs / "charts" / "creativity.svg").read_text().startswith("<svg")
    assert (pairs / "charts" / "satisfaction.png").read_bytes().startswith(b"\x89PNG")


def test_hubs_can_read_the_head_of_the_card(pairs):
    _, head, body = (pairs / "README.md").read_text().split("---\n", 2)
    head_fields = yaml.safe_load(head)
    assert {config["config_name"] for config in head_fields["configs"]} == {"default", "about"}
    for config in head_fields["configs"]:
        assert [each["split"] for each in config["data_files"]] == ["train", "validation", "test"]
        assert all((pairs / each["path"]).is_file() for each in config["data_files"])
        row = lines(pairs / config["data_files"][0]["path"].replace("parquet", "jsonl"))[0]
        assert_typed(row, config["features"])
    assert "load_dataset" in body


def assert_typed(row, features):
    """Every column is named with its type, so that none is guessed from the rows of one split."""
    assert list(row) == [column["name"] for column in features]
    kinds = {"string": str, "int64": int, "float64": float}
    for column in features:
        value = row[column["name"]]
        if "struct" in column:
            assert_typed(value, column["struct"])
        elif isinstance(column.get("list"), list):
            assert_typed(value[0], column["list"])
        elif "list" in column:
            assert all(isinstance(each, kinds[column["list"]]) for each in value)
        else:
            assert value is None or isinstance(value, kinds[column["dtype"]])


def test_hostile_names_are_nothing_but_text_on_the_card(pairs):
    body = (pairs / "README.md").read_text()
    assert "<script" not in body
    assert "earth \\| sciences" in body
    tables = [line for line in body.splitlines() if line.startswith("| earth")]
    assert [line.replace("\\|", "").count("|") for line in tables] == [4]


def test_a_set_is_not_written_over_unless_forced(here, pairs, tmp_path):
    refused = here(*EASY, "--out", str(pairs))
    assert refused.code == 2
    assert "--force" in refused.err
    mine = tmp_path / "thesis"
    mine.mkdir()
    (mine / "chapter.txt").write_text("all my work")
    refused = here(*EASY, "--out", str(mine), "--force")
    assert refused.code == 2
    assert "other things" in refused.err
    assert (mine / "chapter.txt").read_text() == "all my work"


@pytest.mark.parametrize("out", [".", "..", "/", "chapter.txt", "chapter.txt/pairs", "loop/pairs", "x" * 250])
def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_computed(tmp_path, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chapter.txt").write_text("all my work")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(BadInput):
        check_place(Path(out), force=True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["chapter.txt", "loop"]


def test_a_set_behind_a_link_is_replaced_and_the_link_stays(here, pairs, tmp_path):
    copy = shutil.copytree(pairs, tmp_path / "set")
    (tmp_path / "link").symlink_to(copy)
    done = here(*EASY, "--out", str(tmp_path / "link"), "--force")
    assert done.code == 0, done.err
    assert (tmp_path / "link").is_symlink()
    assert not (copy / "data" / "train.parquet").exists()
    assert [each.name for each in tmp_path.glob(".*")] == []


def test_the_card_says_how_far_the_ease_of_a_text_gets_one(pairs):
    """It is a part of the satisfaction score, and the shortest way to a high one."""
    about = [row for split in ("train", "validation", "test") for row in lines(pairs / "about" / f"{split}.jsonl")]
    ease = [(row["chosen"]["readability"], row["rejected"]["readability"]) for row in about]
    easier = [ours > theirs for ours, theirs in ease if ours != theirs]
    card = PreferenceCard.model_validate_json((pairs / "card.json").read_bytes())
    (rule,) = [rule for rule in card.rules if "easier to read" in rule.name]
    assert (rule.right, rule.pairs) == (pytest.approx(sum(easier) / len(easier)), len(easier))


def test_what_cannot_be_built_leaves_nothing(here, tmp_path):
    failed = here(*EASY, "--margin", "0.99", "--out", str(tmp_path / "none"))
    assert failed.code == 2
    assert "Lower --margin" in failed.err
    assert list(tmp_path.glob("none*")) == []
    assert list(tmp_path.glob(".none*")) == []


def test_ideas_alone_need_ideas(here, tmp_path):
    refused = here(*EASY, "--ideas-only", "--out", str(tmp_path / "none"))
    assert refused.code == 2
    assert "--ideas" in refused.err


def test_ideas_of_a_table_are_paired_on_their_own_topics(here, tmp_path):
    rng = random.Random(2)
    rows = [
        {"topic": f"Topic {number % 9}", "title": f"Idea {number}",
         "summary": prose(rng, [word for _, words in SUBJECTS for word in words.split()])}
        for number in range(180)
    ]  # fmt: skip
    (tmp_path / "ideas.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = here(
        *EASY, "--ideas", str(tmp_path / "ideas.jsonl"), "--ideas-only", "--apart", "topic", "--json",
        "--out", str(tmp_path / "of ideas"),
    )  # fmt: skip
    assert done.code == 0, done.err
    card = json.loads(done.out)
    assert [kind["name"] for kind in card["kinds"]] == ["idea"]
    topics = [{row["topic"] for row in lines(tmp_path / "of ideas" / "about" / f"{split}.jsonl")}
              for split in ("train", "validation", "test")]  # fmt: skip
    assert sum(map(len, topics)) == len(set.union(*topics)) <= 9


def test_options_and_settings_have_the_same_defaults():
    import inspect

    options = inspect.signature(data_preferences.preferences).parameters
    settings = PreferenceSettings()
    for name in PreferenceSettings.model_fields:
        if name in options and name != "seed":
            assert options[name].default == getattr(settings, name), name


STOPPED = """
import os, signal, sys
from novum.cli.app import main

folder, moment = sys.argv.pop(1), int(sys.argv.pop(1))
names = {"open", "os.mkdir", "os.rename"}
touched = 0
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell makes background processes ignore it

def look(event, arguments):
    global touched
    if event in names and str(arguments[0]).startswith(folder):
        touched += 1
        if touched == moment:
            os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(look)
main()
"""
"""The command, stopped when it is about to make its so-manieth file or folder, or to rename one."""


@pytest.mark.slow
@pytest.mark.parametrize("moment", [1, 6, 15, 24, 25])
def test_stopped_at_any_moment_it_leaves_all_or_nothing(environment, tmp_path, moment):
    out = tmp_path / "stopped"
    command = [sys.executable, "-c", STOPPED, str(tmp_path), str(moment), *EASY, "--out", str(out)]
    ended = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 130, ended.stderr
    assert [each for each in tmp_path.iterdir() if each != out] == []
    if out.exists():  # the last thing to be done is to give it its name
        assert (out / "card.json").is_file()
        assert (out / "README.md").is_file()


def reviewed(place, papers, liking):
    """Reviews of papers. `liking`: the mean rating of one."""
    rows = [
        {
            "title": paper.title, "abstract": paper.abstract, "venue": "V", "year": 2018,
            "reviews": [{"rating": liking(paper) - 1}, {"rating": liking(paper) + 1}],
        }
        for paper in papers
    ]  # fmt: skip
    place.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(place)


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """A home with papers in the words of the reviewed ones, a model of their ratings, and their reviews. Reviewers
    like long words."""
    home = tmp_path_factory.mktemp("known")
    papers = [paper.model_copy(update={"fields": ()}) for paper in made_up_papers(400, seed=4)]

    def liking(paper):
        return round(10 * sum(map(len, paper.abstract.split())) / len(paper.abstract.split()))

    from novum.cli.app import run

    with Library.open(home / "library") as library:
        library.add(Entry(paper=paper) for paper in papers)
        model = asyncio.run(fit_metrics(library, FitSettings(name="tiny", clusters=10, topics=5)))
        model.save(home / "metrics" / "tiny")
    reviews = reviewed(home / "reviews.jsonl", papers, liking)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOVUM_HOME", str(home))
        assert run(["metrics", "fit", "--target", "ratings", reviews]) == 0
    return home, reviews, reviewed(home / "opposite.jsonl", papers, lambda paper: 100 - liking(paper))


def built(known, out, *more):
    """The exit status, and the card where one was written."""
    from novum.cli.app import run

    home, *_ = known
    command = [*COMMON, "--overlap", "0", "--metrics", "tiny", "--apart", "topic", "--out", str(out), *more]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOVUM_HOME", str(home))
        status = run(command)
    card = out / "card.json"
    return status, PreferenceCard.model_validate_json(card.read_text()) if card.is_file() else None


def test_the_chosen_idea_is_the_one_that_reviewers_would_like_more(known, tmp_path):
    status, card = built(known, tmp_path / "out", "--better", "rating", "--ratings", known[1])
    assert status == 0
    assert card.settings.better == "rating"
    assert card.people.pairs > 50
    assert card.people.right > 0.6
    assert not card.people.made_from_them
    assert "reviewers rated on both sides" in (tmp_path / "out" / "README.md").read_text()


def test_topics_can_be_those_of_the_topic_model(known, tmp_path):
    status, card = built(known, tmp_path / "out", "--better", "rating", "--topics", "lda", "--max-per-topic", "500")
    assert status == 0
    assert card.settings.topics == "lda"
    home = known[0]
    words = (home / "metrics" / "tiny" / "coherence" / "vocabulary.txt").read_text().split()
    for row in lines(tmp_path / "out" / "about" / "train.jsonl"):
        named = row["topic"].split(", ")
        assert len(named) == LDA_NAMES
        assert set(named) <= set(words)


def test_real_ratings_decide_where_they_are_given(known, tmp_path):
    status, card = built(known, tmp_path / "out", "--ratings", known[2], "--review-margin", "0.5")
    assert status == 0
    assert (card.people.right, card.people.made_from_them) == (1.0, True)
    for row in lines(tmp_path / "out" / "about" / "train.jsonl"):
        assert row["chosen"]["reviewed"] - row["rejected"]["reviewed"] >= 0.5 - 1e-9


def test_pairs_that_point_against_reviewers_are_refused_unless_forced(known, tmp_path, capsys):
    status, card = built(known, tmp_path / "out", "--better", "rating", "--ratings", known[2])
    assert (status, card) == (2, None)
    assert "--better reviews, or --force" in capsys.readouterr().err
    status, card = built(known, tmp_path / "out", "--better", "rating", "--ratings", known[2], "--force")
    assert status == 0
    assert card.people.right < 0.4


def test_reviews_that_should_decide_must_be_named(here, tmp_path):
    done = here(*COMMON, "--better", "reviews", "--out", str(tmp_path / "out"))
    assert (done.code, "name files with --ratings" in done.err) == (2, True)
