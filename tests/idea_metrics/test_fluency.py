"""Nonsense and other languages are recognised in any field; prose is not."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from novum.benchmarks.metric_validation.outcomes import OutcomeLog
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.idea_metrics.fluency import CLASSES, Fluency, english
from tests.idea_metrics.made_up import made_up_papers

DATA = Path(os.environ.get("NOVUM_TEST_DATA", Path(__file__).parents[3] / "shared" / "data"))
REVIEWS = DATA / "reviews.jsonl.gz"

PROSE = {
    "biology": "Cryo-electron tomography of yeast mitochondria reveals how dimers of an enzyme shape a membrane. "
    "We purified mitochondria from mutants that lack two subunits and imaged frozen sections. The mutants show "
    "membranes like an onion and grow slowly on glycerol.",
    "economics": "This paper estimates how increases of the minimum wage affect the number of restaurants that open "
    "and close. We compare neighbouring counties on opposite sides of state borders. Exit rises by four percent in the "
    "first year, while entry falls mainly among restaurants without table service.",
    "a title": "Graph networks that predict their own errors",
    "one sentence": "We ask whether a robot that is shown its own mistakes can learn to avoid them without a teacher.",
}
NO_PROSE = {
    "two words": "Banana banana.",
    "one word often": "graph " * 40,
    "one sentence often": "We learn from graphs and rain in the winter of each year. " * 20,
    "a list of terms": "transformer attention graph robust efficient adaptive multimodal contrastive learning "
    "diffusion segmentation retrieval alignment policy reward gradient kernel sparse federated privacy vision",
    "German": "Wir untersuchen, wie sich die Genauigkeit von Netzen verbessern lässt, wenn nur wenige Daten vorliegen. "
    "Dazu schlagen wir ein neues Verfahren vor, das auf der Schätzung der Unsicherheit beruht.",
    "French": "Nous étudions la manière dont les modèles apprennent à partir de peu d'exemples. Nous proposons une "
    "méthode simple qui repose sur la sélection des données, et nous montrons qu'elle améliore les résultats.",
    "Chinese": "我们研究语言模型如何从少量样本中学习。我们提出了一种基于数据选择的简单方法。",
    "symbols": "!!! ??? --- §§ %% 12 34 €€ ☃☃",
    "nothing": "",
}


@pytest.mark.parametrize("name", PROSE)
def test_prose_of_any_field_has_no_problem(name):
    assert english().problem(PROSE[name]) == ""


@pytest.mark.parametrize("name", NO_PROSE)
def test_what_is_no_english_prose_has_a_problem_in_one_line(name):
    problem = english().problem(NO_PROSE[name])
    assert problem
    assert "\n" not in problem


def test_the_same_words_in_another_order_are_no_prose():
    rng = random.Random(5)
    for text in (f"{paper.title}. {paper.abstract}" for paper in made_up_papers(40)):
        words = text.split()
        assert english().problem(text) == ""
        assert english().problem(" ".join(rng.sample(words, len(words))))


@pytest.mark.skipif(not REVIEWS.is_file(), reason=f"needs {REVIEWS}")
def test_real_abstracts_pass_and_their_shuffled_words_do_not():
    rng = random.Random(6)
    texts = [each.whole for each in read_reviewed_texts([REVIEWS], OutcomeLog())[:600]]
    shuffled = [" ".join(rng.sample(text.split(), len(text.split()))) for text in texts]
    assert sum(bool(english().problem(text)) for text in texts) <= 0.01 * len(texts)
    assert sum(not english().problem(text) for text in shuffled) <= 0.02 * len(texts)


def test_a_table_counts_what_follows_what():
    table = Fluency.of_texts(["the cat of the house"] * 200)
    follows = table.information
    of, the = CLASSES.index("of"), CLASSES.index("the")
    assert follows[of, the] > 1
    assert follows[of, of] < 0
    restored = Fluency.of_state(table.state())
    assert restored.mean_information("of the house") == pytest.approx(table.mean_information("of the house"), abs=0.01)
