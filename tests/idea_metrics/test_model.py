"""A model fitted on a library: it scores, it is kept in a folder, and what is odd gets a clear answer."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import statistics
import threading
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from novum.core import Idea, Subject
from novum.errors import BadInput
from novum.idea_metrics.coherence import Coherence
from novum.idea_metrics.composite import weighted_composite
from novum.idea_metrics.fit import MetricFit, fit_metrics, fit_model
from novum.idea_metrics.folder import check_place
from novum.idea_metrics.model import FittedMetrics
from novum.idea_metrics.settings import FitSettings
from novum.literature import Entry, Filters, Library, StaticEmbedder
from tests.idea_metrics.made_up import corpus_of, made_up_papers

SETTINGS = FitSettings(clusters=8, topics=4)
IDEA = Subject(
    title="Message passing over protein graphs",
    text="We propose a network that passes messages between residues of a protein. It learns stability from structure.",
    topic="protein design",
    token_probability=0.6,
)
COMPOSITES = ("creativity", "creativity_published", "creativity_corrected", "satisfaction")


@pytest.fixture(scope="module")
def model():
    return asyncio.run(fit_model(MetricFit(corpus_of(made_up_papers()), SETTINGS), StaticEmbedder()))


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / "default"
    model.save(place)
    return place


def test_the_creativity_index_has_a_share_among_papers_that_are_taken_as_ideas(model, folder):
    papers = [Subject(title=each.title, text=each.abstract) for each in made_up_papers()]
    indices = [card.creativity for card in scored(FittedMetrics.load(folder, StaticEmbedder()), *papers)]
    assert 0.35 < statistics.median(each.share for each in indices) < 0.65
    assert min(each.share for each in indices) < 0.1
    assert max(each.share for each in indices) > 0.9
    by_value = sorted(indices, key=lambda each: each.value)
    assert [each.share for each in by_value] == sorted(each.share for each in indices)


def test_an_index_of_other_weights_has_no_share(model):
    card = model.card.model_copy(update={"creativity_weights": {"originality": 1.0}})
    [of] = scored(model.but(card=card), Subject(title="Graph networks", text=made_up_papers()[0].abstract))
    assert of.creativity.value is not None
    assert of.creativity.share is None


def scored(model, *subjects, **how):
    return asyncio.run(model.score(subjects, **how))


def test_every_part_of_an_idea_has_a_reason(model):
    (card,) = scored(model, IDEA)
    assert list(card.parts) == [
        "originality", "originality_corrected", "feasibility", "impact", "confidence", "past_performance",
        "reliability", "keyword_relevance", "readability", "coherence", "diversity", "feedback",
    ]  # fmt: skip
    assert all(part.why for part in card.parts.values())
    missing = {name for name, part in card.parts.items() if part.raw is None}
    assert missing == {"past_performance"}, "it builds on no known paper"
    assert all(0 <= part.scaled <= 1 for part in card.parts.values() if part.raw is not None)


def test_composites_are_those_of_the_equations(model):
    (card,) = scored(model, IDEA)
    raw = {name: part.raw for name, part in card.parts.items()}
    assert raw["originality_corrected"] == pytest.approx(1 - raw["originality"])
    assert raw["reliability"] == pytest.approx(0.6), "confidence alone, past performance being unknown"
    rest = 0.2 * raw["feasibility"] + 0.4 * raw["impact"] + 0.1 * raw["reliability"]
    assert card.creativity_published.value == pytest.approx(0.3 * raw["originality"] + rest)
    assert card.creativity_corrected.value == pytest.approx(0.3 * (1 - raw["originality"]) + rest)
    assert card.creativity == card.creativity_corrected, "as the settings have it"
    names = ("keyword_relevance", "readability", "coherence", "diversity", "feedback")
    satisfaction = np.mean([card.parts[name].scaled for name in names])
    assert card.satisfaction.value == pytest.approx(satisfaction)
    assert card.combined == pytest.approx(0.638 * card.creativity.value + 0.352 * 5 * satisfaction / 10)
    assert card.of("combined") == card.combined
    assert card.of("impact") == raw["impact"]


def test_reliability_weighs_confidence_and_past_performance_by_seven_to_three(model):
    built_on = tuple(paper.id for paper in made_up_papers()[:5])
    (card,) = scored(model, IDEA.model_copy(update={"references": built_on}))
    parts = {name: card.parts[name].scaled for name in ("confidence", "past_performance")}
    expected = weighted_composite(parts, {"confidence": 0.7, "past_performance": 0.3}).value
    assert card.parts["reliability"].raw == pytest.approx(expected)


def test_the_choice_of_originality_is_recorded_and_stored(model):
    published = model.but(
        card=model.card.model_copy(update={"settings": SETTINGS.model_copy(update={"originality": "published"})})
    )
    (card,) = scored(published, IDEA)
    assert card.creativity == card.creativity_published != card.creativity_corrected


def test_scores_do_not_depend_on_company_or_order(model):
    others = [Subject.of_paper(paper) for paper in made_up_papers(30, seed=5)]
    (alone,) = scored(model, IDEA)
    among = scored(model, *others, IDEA)
    turned = scored(model, IDEA, *reversed(others))
    for name in (*alone.parts, *COMPOSITES, "combined"):
        value = alone.of(name)
        assert among[-1].of(name) == (value if value is None else pytest.approx(value, rel=1e-4, abs=1e-6))
        assert turned[0].of(name) == (value if value is None else pytest.approx(value, rel=1e-4, abs=1e-6))


def test_without_explanations_the_numbers_are_the_same(model):
    (output,), (quick,) = scored(model, IDEA), scored(model, IDEA, explain=False)
    assert {name: part.raw for name, part in output.parts.items()} == {n: part.raw for n, part in quick.parts.items()}
    assert quick.parts["past_performance"].why, "why something is missing is always told"


@pytest.mark.parametrize(
    "idea",
    [
        Subject(title=""),
        Subject(title="", text="", topic="graphs"),
        Subject(title="Entropy"),
        Subject(title="!!! ??? ---", text="§§ %% 12 34 €€ ☃☃"),
        Subject(title="图神经网络", text="我们提出了一种新的方法，用于学习分子的表示。" * 10, topic="分子"),
        Subject(title="Ideen", text="Wir schlagen ein Verfahren vor, das aus Graphen lernt. " * 5, topic="Graphen"),
        Subject(title="Long", text="graph learning node " * 17_000, topic="graph " * 9000, samples=("word " * 9000,)),
        Subject(title="\x00\ud800 odd", text="\u202e\x1b[31m graph \ud83d" * 3),
        Subject(title="Time", text="A graph of nodes.", year=-300_000, references=("paper-unknown",), authors=("",)),
    ],
    ids=[
        "empty",
        "topic-only",
        "one-word",
        "symbols",
        "chinese",
        "german",
        "50,000-words",
        "odd-characters",
        "no-year",
    ],
)
def test_odd_ideas_get_numbers_or_reasons(model, idea):
    (card,) = scored(model, idea)
    for part in card.parts.values():
        assert part.raw is None or np.isfinite(part.raw)
        assert part.why
    is_prose = idea.title in ("Time",)
    assert (card.parts["originality"].raw is not None) == is_prose
    assert (card.creativity.value is not None) == is_prose
    assert card.creativity.value is None or 0 <= card.creativity.value <= 1
    assert card.satisfaction.value is None or 0 <= card.satisfaction.value <= 1


@pytest.mark.parametrize(
    "same",
    [
        {"citation_count": 0},
        {"citation_count": None, "references": ()},
        {"year": 2020},
        {"year": None},
        {"venue": "", "authors": (), "fields": ()},
        {"abstract": "Graph."},
    ],
    ids=["zero-citations", "unknown-citations", "one-year", "no-years", "bare", "all-alike"],
)
def test_odd_libraries_teach_what_they_can(same):
    odd = asyncio.run(fit_model(MetricFit(corpus_of(made_up_papers(60, **same)), SETTINGS), StaticEmbedder()))
    (card,) = scored(odd, IDEA)
    assert card.creativity.value is not None
    assert 0 <= card.creativity.value <= 1
    assert all(part.why for part in card.parts.values())


def test_a_model_comes_back_from_its_folder_as_it_was(model, folder):
    back = FittedMetrics.load(folder, StaticEmbedder())
    assert back.card == model.card
    (before,), (after,) = scored(model, IDEA), scored(back, IDEA)
    for name in before.parts:
        assert after.of(name) == (before.of(name) if before.of(name) is None else pytest.approx(before.of(name)))
        assert after.parts[name].why == before.parts[name].why


def test_nothing_in_its_folder_can_be_run(folder):
    for file in folder.rglob("*"):
        assert file.is_dir() or file.suffix in {".json", ".safetensors", ".txt", ".ubj"}


def test_another_embedder_is_refused(folder):
    other = StaticEmbedder()
    other.name = "another-512"
    with pytest.raises(BadInput, match="another-512: vectors of two embedders cannot be compared"):
        FittedMetrics.load(folder, other)


def damage_card(place):
    (place / "card.json").write_text("{", "utf-8")


def damage_form(place):
    output = json.loads((place / "card.json").read_text("utf-8"))
    (place / "card.json").write_text(json.dumps(output | {"form": 99}), "utf-8")


def damage_arrays(place):
    (place / "originality.safetensors").write_bytes(b"\x07" * 100)


def damage_facts(place):
    (place / "feasibility.json").write_text('{"titles": 3}', "utf-8")


def damage_part(place):
    (place / "coherence.json").unlink()


def damage_weights(place):
    output = json.loads((place / "card.json").read_text("utf-8"))
    (place / "card.json").write_text(json.dumps(output | {"creativity_weights": {"originality": -1}}), "utf-8")


def damage_no_weights(place):
    output = json.loads((place / "card.json").read_text("utf-8"))
    (place / "card.json").write_text(json.dumps(output | {"satisfaction_weights": {"readability": 0}}), "utf-8")


def damage_depth(place):
    (place / "known.json").write_text("[" * 100_000, "utf-8")


def damage_titles(place):
    (place / "known.safetensors").unlink()


def damage_one_dimension(place, name="feasibility", array="vectors"):
    arrays = load_file(place / f"{name}.safetensors")
    save_file(arrays | {array: arrays[array][..., :-1].copy()}, place / f"{name}.safetensors")


def damage_mean(place):
    damage_one_dimension(place, "diversity", "mean")


def damage_centroids(place):
    damage_one_dimension(place, "originality", "centroids")


def damage_far_away(place):
    arrays = load_file(place / "originality.safetensors")
    save_file(arrays | {"centroids": arrays["centroids"] * 1e30}, place / "originality.safetensors")


def damage_authors(place):
    arrays = load_file(place / "past_performance.safetensors")
    save_file(arrays | {"authors": arrays["authors"][None].copy()}, place / "past_performance.safetensors")


@pytest.mark.parametrize(
    "damage",
    [
        damage_card, damage_form, damage_arrays, damage_facts, damage_part, damage_weights, damage_no_weights,
        damage_depth, damage_titles, damage_one_dimension, damage_mean, damage_centroids, damage_far_away,
        damage_authors,
    ],
)  # fmt: skip
def test_a_damaged_model_is_refused_with_the_way_on(folder, tmp_path, damage):
    place = tmp_path / "model"
    shutil.copytree(folder, place)
    damage(place)
    with pytest.raises(BadInput, match="novum metrics fit"):
        FittedMetrics.load(place, StaticEmbedder())


@pytest.mark.parametrize("name", ["card.json", "known.json", "originality.safetensors", "impact/trees.json"])
@pytest.mark.parametrize("odd", [os.mkfifo, lambda place: place.symlink_to("/dev/zero")], ids=["a pipe", "a device"])
def test_a_pipe_or_a_device_in_a_model_is_refused_and_not_read(folder, tmp_path, name, odd):
    place = tmp_path / "model"
    shutil.copytree(folder, place)
    (place / name).unlink()
    odd(place / name)
    with pytest.raises(BadInput, match="novum metrics fit"):
        FittedMetrics.load(place, StaticEmbedder())


def test_an_embedder_of_the_same_name_that_makes_longer_vectors_is_refused(model):
    class Longer(StaticEmbedder):
        dimensions = 300

        async def embed(self, texts):
            return np.ones((len(texts), 300), dtype=np.float32)

    with pytest.raises(BadInput, match="now makes vectors of 300 numbers, and the model default was fitted with 256"):
        scored(replace(model, embedder=Longer()), IDEA)


def test_the_card_says_how_much_each_part_came_to_hold(model):
    sizes = model.card.sizes
    assert sizes["clusters"] == 8 == len(model.parts["originality"].centroids)
    assert sizes["cited_papers"] == 100, "the better half of 200, though 1,000 were asked for"
    assert (sizes["topics"], sizes["trees"], sizes["impact_papers"]) == (4, 300, 200)
    assert sizes["topic_words"] > 20
    assert sizes["authors"] == 23
    assert sizes["dated_citations"] == sum(len(paper.references) for paper in made_up_papers())


def test_a_full_disk_is_reported_in_one_line_and_leaves_the_older_model(model, tmp_path):
    """By a limit on the size of files, which for once only large ones pass."""
    place = tmp_path / "model"
    model.save(place)
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    output = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, most[1]))
        with pytest.raises(BadInput, match=r"cannot be written to .*: File too large"):
            model.save(place)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
        signal.signal(signal.SIGXFSZ, output)
    assert [file.name for file in tmp_path.iterdir()] == ["model"]
    assert FittedMetrics.load(place, StaticEmbedder()).card == model.card


def test_a_place_that_cannot_be_written_is_found_out_before_anything_is_fitted(tmp_path):
    (tmp_path / "metrics").write_text("a file", "utf-8")
    with pytest.raises(BadInput, match="cannot be written"):
        check_place(tmp_path / "metrics" / "default")
    check_place(tmp_path / "new" / "default")
    assert [file.name for file in tmp_path.iterdir()] == ["metrics"]


def test_two_that_end_at_the_same_moment_leave_one_whole_model(model, tmp_path):
    place, problems = tmp_path / "model", []

    def save():
        for _ in range(5):
            try:
                model.save(place)
            except BadInput as problem:
                problems.append(problem)

    threads = [threading.Thread(target=save) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert FittedMetrics.load(place, StaticEmbedder()).card == model.card
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_pieces_of_an_older_model_are_not_taken_for_those_of_a_newer_one(model, tmp_path):
    """A library without words in common teaches no topics: those learnt before must not come back."""
    place = tmp_path / "model"
    model.save(place)
    model.but(parts={"coherence": Coherence(None, 30)}).save(place)
    assert FittedMetrics.load(place, StaticEmbedder()).parts["coherence"].model is None


def test_a_folder_with_something_else_in_it_is_left_alone(model, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work", "utf-8")
    with pytest.raises(BadInput, match="other files"):
        model.save(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_newer_model_takes_the_place_of_an_older_and_what_lies_beside_stays(model, tmp_path):
    place = tmp_path / "model"
    model.save(place)
    (place / "elbow.svg").write_text("<svg/>", "utf-8")
    model.but(card=model.card.model_copy(update={"sizes": {"twice": 2}})).save(place)
    assert FittedMetrics.load(place, StaticEmbedder()).card.sizes == {"twice": 2}
    assert (place / "elbow.svg").is_file()
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_a_library_teaches_what_its_papers_say_before_a_day(tmp_path):
    with Library.open(tmp_path) as library:
        library.add(Entry(paper=paper) for paper in made_up_papers(120))
        whole = asyncio.run(fit_metrics(library, SETTINGS))
        some = asyncio.run(fit_metrics(library, SETTINGS, Filters(before="2015-06-01")))
        again = asyncio.run(fit_metrics(library, SETTINGS))
    assert (whole.card.learnt_from.papers, whole.card.learnt_from.last_year) == (120, 2019)
    assert (some.card.learnt_from.papers, some.card.learnt_from.last_year) == (60, 2014)
    assert scored(whole, IDEA)[0].parts == scored(again, IDEA)[0].parts, "the same seed teaches the same"


def test_ten_papers_are_too_few(tmp_path):
    with Library.open(tmp_path) as library:
        library.add(Entry(paper=paper) for paper in made_up_papers(10))
        with pytest.raises(BadInput, match="Too few papers"):
            asyncio.run(fit_metrics(library, SETTINGS))


def test_an_idea_is_seen_by_its_own_account_and_the_papers_it_names():
    idea = Idea(topic="t", title="Title.", motivation="m", novelty="n", method="do", summary="All in one.")
    subject = Subject.of_idea(idea)
    assert (subject.whole, subject.interests, subject.references) == ("Title. All in one.", "t", ())
