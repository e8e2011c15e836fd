"""How far the predicted rating and the published scores agree with reviewers of later papers.

Each model is fitted to the papers of earlier years and measured on those of one later year, inside its venue. `both
fates`: venues and years of which at least a tenth was rejected and a tenth accepted. One referee is compared with the
mean of the others of the same paper, which is about as well as a judge can agree.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np

from figures.row import Bench, Row, shown
from novum.benchmarks.metric_validation.outcomes import OutcomeLog
from novum.benchmarks.metric_validation.reviewed_texts import read_reviewed_texts
from novum.core import Subject
from novum.core.arrays import Floats
from novum.idea_metrics.fit import fit_metrics
from novum.idea_metrics.fluency import english
from novum.idea_metrics.review_rating import RatingModel, ReviewedText, default_rating_model, fit_rating_model
from novum.idea_metrics.review_rating.training import mean_correlation, standard_scores
from novum.literature import Library, install_starter
from novum.statistics.auc import auc
from novum.statistics.correlation import spearman
from novum.training.preferences.records import PreferenceSettings

DATA = Path(__file__).parents[3] / "shared" / "data"
FILES = (DATA / "reviews.jsonl.gz", DATA / "reviews_scores_only.jsonl.gz")
_FIRST_TESTED = 2021
_BOTH = 0.1


def forward(bench: Bench) -> list[Row]:
    """Rating and decision of each later year, by a model of the years before."""
    papers = read_reviewed_texts(FILES, OutcomeLog())
    rows: list[Row] = []
    both: list[tuple[float, float, float, int]] = []
    for year in sorted({each.year or 0 for each in papers}):
        if year < _FIRST_TESTED:
            continue
        later = [each for each in papers if each.year == year]
        model = fit_rating_model([each for each in papers if (each.year or 0) < year])
        rho, area, pairs = _agreement(model, later)
        share = np.mean([each.accepted for each in later if each.accepted is not None])
        if _BOTH <= share <= 1 - _BOTH:
            both.append((rho, area, pairs, len(later)))
        rows.append(
            shown(
                f"{later[0].group}, {len(later):,} papers",
                f"rho {rho:+.3f}, AUC {area:.3f}, pairs {pairs:.0%}",
                f"accepted {share:.0%}",
            )
        )
    weights = [size for *_, size in both]
    rho, area, pairs = (float(np.average([each[at] for each in both], weights=weights)) for at in range(3))
    referee = _referee()
    return [
        Row(
            "both fates, later years: Spearman",
            f"{rho:+.3f}",
            ">= +0.22",
            rho >= 0.22,
            f"one referee {referee[0]:+.2f}",
        ),
        Row("both fates, later years: AUC", f"{area:.3f}", ">= 0.62", area >= 0.62, f"one referee {referee[1]:.2f}"),
        Row("pairs more than 1 SD apart in order", f"{pairs:.1%}", ">= 62%", pairs >= 0.62, "chance 50%"),
        *rows,
    ]


def pairs(bench: Bench) -> list[Row]:
    """How often the better one of two papers of a later year and venue by the predicted rating, at least the default
    margin of preference pairs apart, was rated higher; of papers that were rated differently."""
    papers = read_reviewed_texts(FILES, OutcomeLog())
    margin = PreferenceSettings().margin
    found: dict[str, list[tuple[int, int]]] = {"both fates": [], "nearly all accepted": []}
    for year in sorted({each.year or 0 for each in papers}):
        if year < _FIRST_TESTED:
            continue
        later = [each for each in papers if each.year == year]
        model = fit_rating_model([each for each in papers if (each.year or 0) < year])
        share = np.mean([each.accepted for each in later if each.accepted is not None])
        kind = "both fates" if _BOTH <= share <= 1 - _BOTH else "nearly all accepted"
        found[kind].append(_chosen_rated_higher(_values(model, later), _scores(later, "rating"), margin))
    right = {kind: sum(a for a, _ in of) / sum(b for _, b in of) for kind, of in found.items()}
    share = right["both fates"]
    return [
        Row(f"pairs {margin:.0%} apart: chosen rated higher", f"{share:.1%}", ">= 60%", share >= 0.6, "both fates"),
        shown("the same where nearly all are accepted", f"{right['nearly all accepted']:.1%}", "reviewers: ICC 0.08"),
    ]


def _chosen_rated_higher(predicted: Floats, ratings: Floats, margin: float) -> tuple[int, int]:
    """Of random pairs whose predictions lie so far apart, as a share of all: in how many the higher one was rated
    higher, and the number of pairs."""
    known = np.isfinite(predicted) & np.isfinite(ratings)
    ranks, rated = predicted[known].argsort().argsort() / known.sum(), ratings[known]
    one, other = np.random.default_rng(1).integers(0, known.sum(), (2, 200_000))
    apart = (ranks[one] - ranks[other] >= margin) & (rated[one] != rated[other])
    return int((rated[one] > rated[other])[apart].sum()), int(apart.sum())


def aspects(bench: Bench) -> list[Row]:
    """Soundness of 2024 by a model of 2023; the scores that only one year has, cross-validated in it."""
    papers = read_reviewed_texts(FILES, OutcomeLog())
    later = [each for each in papers if each.year == 2024]
    model = fit_rating_model([each for each in papers if (each.year or 0) < 2024])
    made = [each.aspects.get("soundness", np.nan) for each in model.predict(_subjects(later))]
    rho = mean_correlation(np.array(made), _scores(later, "soundness"), [each.group for each in later])
    card = fit_rating_model(papers).card.aspects
    return [
        Row("soundness of 2024 from 2023", f"{rho:+.3f}", ">= +0.22", rho >= 0.22),
        Row("originality, cross-validated", f"{card['originality'].spearman:+.3f}", ">= +0.20",
            card["originality"].spearman >= 0.20, "only 2025 has it"),
        shown("significance, cross-validated", f"{card['significance'].spearman:+.3f}", "only 2025 has it"),
        shown("clarity, cross-validated", f"{card['clarity'].spearman:+.3f}", "only 2025 has it"),
    ]  # fmt: skip


def nonsense(bench: Bench) -> list[Row]:
    """Texts that say nothing and are given a score, and real abstracts that are refused."""
    papers = read_reviewed_texts(FILES, OutcomeLog())
    rng = random.Random(11)
    texts = list(_nonsense(rng, [each.whole for each in rng.sample(papers, 150)]))
    model = default_rating_model()
    scored = np.mean(
        [each.value is not None for each in model.predict([Subject(title="", text=text) for text in texts])]
    )
    passed = np.mean([not english().problem(text) for text in texts])
    library = _library_abstracts()
    refused = np.mean([bool(english().problem(text)) for text in library])
    fitted = fit_rating_model([each for each in papers if (each.year or 0) < 2024])
    later = [each for each in papers if (each.year or 0) >= 2024]
    unrated = np.mean([each.value is None for each in fitted.predict(_subjects(later))])
    return [
        Row(f"{len(texts)} nonsense texts: given CI, USS", f"{passed:.1%}", "<= 2%", passed <= 0.02),
        Row(f"{len(texts)} nonsense texts: given a predicted rating", f"{scored:.1%}", "<= 2%", scored <= 0.02),
        Row(f"{len(library):,} real abstracts refused", f"{refused:.2%}", "<= 1%", refused <= 0.01),
        Row(f"{len(later):,} later papers without a predicted rating", f"{unrated:.2%}", "<= 1%", unrated <= 0.01),
    ]


def wording(bench: Bench) -> list[Row]:
    """How far a change of wording moves the predicted rating, in shares of reviewed papers: what cannot be trusted."""
    papers = random.Random(12).sample(read_reviewed_texts(FILES, OutcomeLog()), 500)
    model = default_rating_model()
    before = _shares(model, papers)
    rows = []
    for name, change in _CHANGES.items():
        after = _shares(model, [replace(each, text=change(each.text)) for each in papers])
        moved = after - before
        rows.append(shown(f"wording: {name}", f"{np.nanmean(moved):+.1%}", f"nine in ten between {_range(moved)}"))
    return rows


def speed(bench: Bench) -> list[Row]:
    """Ideas scored in a second, with the predicted rating and the check for nonsense."""
    with Library.open(bench.home / "small") as library:
        install_starter(library)
        model = replace(asyncio.run(fit_metrics(library)), rating=default_rating_model())
    ideas = [
        Subject(title=each.title, text=each.text, topic=each.title) for each in read_reviewed_texts(FILES, OutcomeLog())
    ]
    asyncio.run(model.score(ideas[:200], explain=False))
    rates = []
    for _ in range(bench.runs):
        began = time.perf_counter()
        asyncio.run(model.score(ideas[:3000], explain=False))
        rates.append(3000 / (time.perf_counter() - began))
    print(f"  {', '.join(f'{each:,.0f}' for each in sorted(rates))} ideas a second", flush=True)
    return [Row("ideas scored a second, with all of it", f"{median(rates):,.0f}", ">= 1,000", median(rates) >= 1000)]


_CHANGES = {
    "a last sentence that promises code": lambda text: f"{text} Our code is available at https://example.org/code.",
    "a last sentence that claims much": lambda text: (
        f"{text} Extensive experiments show that our method outperforms the state of the art by a large margin."
    ),
    "a last sentence on theory": lambda text: (
        f"{text} We prove tight upper and lower bounds, and show that they hold without further assumptions."
    ),
    "without the last sentence": lambda text: ". ".join(text.split(". ")[:-1]) + ".",
    "in lower case": str.lower,
}


def _agreement(model: RatingModel, papers: Sequence[ReviewedText]) -> tuple[float, float, float]:
    """Spearman inside the group, AUC of the decision, and the share of pairs more than 1 SD apart in order."""
    predicted = _values(model, papers)
    groups = [each.group for each in papers]
    scores = _scores(papers, "rating")
    decided = np.array([each.accepted is not None for each in papers]) & np.isfinite(predicted)
    accepted = np.array([bool(each.accepted) for each in papers])
    area = auc(predicted[decided], accepted[decided])
    standard = standard_scores(scores, groups)
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, len(papers), (2, 200_000))
    apart = np.abs(standard[one] - standard[other]) > 1
    right = np.sign(standard[one] - standard[other]) == np.sign(predicted[one] - predicted[other])
    return mean_correlation(predicted, scores, groups), area.area.value or np.nan, float(right[apart].mean())


def _values(model: RatingModel, papers: Sequence[ReviewedText]) -> Floats:
    return np.array([np.nan if each.value is None else each.value for each in model.predict(_subjects(papers))])


def _shares(model: RatingModel, papers: Sequence[ReviewedText]) -> Floats:
    return np.array([np.nan if each.share is None else each.share for each in model.predict(_subjects(papers))])


def _subjects(papers: Iterable[ReviewedText]) -> list[Subject]:
    return [Subject(title=each.title, text=each.text) for each in papers]


def _scores(papers: Sequence[ReviewedText], aspect: str) -> Floats:
    return np.array([each.scores.get(aspect, np.nan) for each in papers], dtype=float)  # type: ignore[call-overload]


def _referee() -> tuple[float, float]:
    """One referee against the mean of the others, and against the decision, where both fates are frequent."""
    rng = random.Random(13)
    groups: dict[tuple[str, int], list[tuple[float, float, bool]]] = {}
    for record in _records():
        given = [each["rating"] for each in record["reviews"] if isinstance(each.get("rating"), int | float)]
        decision = (record.get("decision") or "").lower()
        if len(given) < 2 or record["venue"] != "ICLR" or record["year"] < _FIRST_TESTED:
            continue
        one = given.pop(rng.randrange(len(given)))
        accepted = any(word in decision for word in ("accept", "poster", "oral", "spotlight"))
        if accepted or "reject" in decision:
            groups.setdefault((record["venue"], record["year"]), []).append((one, float(np.mean(given)), accepted))
    found = []
    for rows in groups.values():
        ones, others, accepted = (np.array(column) for column in zip(*rows, strict=True))
        found.append((spearman(ones, others).r or np.nan, auc(ones, accepted).area.value or np.nan, len(rows)))
    sizes = [size for *_, size in found]
    return tuple(float(np.average([each[at] for each in found], weights=sizes)) for at in range(2))  # type: ignore[return-value]


def _records() -> Iterable[dict]:  # type: ignore[type-arg]
    for file in FILES:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _library_abstracts() -> list[str]:
    with gzip.open(DATA / "papers.jsonl.gz", "rt", encoding="utf-8") as lines:
        papers = map(json.loads, lines)
        return [f"{each['title']}. {each['abstract']}" for each in papers if each.get("abstract")]


def _nonsense(rng: random.Random, texts: Sequence[str]) -> Iterable[str]:
    """Shuffled abstracts, random words, repeated words, made-up words, and other languages."""
    words = [word for text in texts for word in text.split()]
    for text in texts:
        yield " ".join(rng.sample(text.split(), len(text.split())))
    for _ in range(150):
        yield " ".join(rng.choice(words) for _ in range(rng.randint(40, 200)))
    for _ in range(100):
        yield " ".join([rng.choice(words) for _ in range(rng.randint(1, 4))] * rng.randint(15, 60))
    for _ in range(50):
        yield " ".join("".join(rng.choices("aeioulmnrst", k=rng.randint(2, 9))) for _ in range(rng.randint(40, 120)))
    for _ in range(50):
        yield " ".join(rng.sample(_OTHER_LANGUAGES, 2))


_OTHER_LANGUAGES = (
    "Wir untersuchen, wie sich die Genauigkeit von Netzen verbessern lässt, wenn nur wenige Daten vorliegen, und "
    "vergleichen ein neues Verfahren mit bekannten Methoden auf mehreren Mengen von Daten.",
    "Nous étudions la manière dont les modèles apprennent à partir de peu d'exemples, et nous montrons qu'une méthode "
    "simple améliore les résultats sur plusieurs jeux de données.",
    "Estudiamos cómo los modelos aprenden a partir de pocos ejemplos y mostramos que un método sencillo mejora los "
    "resultados en varios conjuntos de datos.",
    "Studiamo come i modelli imparano da pochi esempi e mostriamo che un metodo semplice migliora i risultati su "
    "diversi insiemi di dati.",
    "In dit werk onderzoeken wij hoe een model kan leren van weinig voorbeelden, en we laten zien dat een eenvoudige "
    "methode de resultaten verbetert.",
    "我们研究模型如何从少量样本中学习,并证明一种简单的方法可以改进多个数据集上的结果。",
    "Мы изучаем, как модели учатся на небольшом числе примеров, и показываем, что простой метод улучшает результаты.",
)


def _range(moved: Floats) -> str:
    low, high = np.nanquantile(moved, [0.05, 0.95])
    return f"{low:+.0%} and {high:+.0%}"
