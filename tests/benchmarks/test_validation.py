"""Do metrics mean anything? Made-up papers whose fate is known, and a model that knows what it is told to know."""

from __future__ import annotations

import asyncio
import csv
import gzip
import io
import json
import math

import numpy as np
import pytest

from novum.benchmarks.metric_validation.measurement import NoveltyScorer, measure
from novum.benchmarks.metric_validation.outcomes import (
    MAX_OUTCOMES,
    OutcomeLog,
    check_files,
    parse_decision,
    read_cases,
)
from novum.benchmarks.metric_validation.records import OutcomeCase
from novum.benchmarks.metric_validation.report.page import (
    figures_csv,
    render_validation_markdown,
    render_validation_page,
)
from novum.benchmarks.metric_validation.report.phrases import agreement_line, cells, headline, matrix
from novum.benchmarks.metric_validation.report.records import MetricFinding
from novum.benchmarks.metric_validation.study import ValidationOptions, citation_cases, fill_from, trained_on, validate
from novum.benchmarks.metric_validation.table import MIN_PAPERS, metric_result, outcome_tables
from novum.core import Composite, Paper, PartScore, PredictedRating, Scorecard, Subject
from novum.errors import BadInput
from novum.idea_metrics.card import ModelCard, TrainingPapers
from novum.idea_metrics.settings import FitSettings
from novum.literature import Entry, Library, Reference
from novum.statistics.records import Estimate

NOTHING = Composite(value=None, weights={})
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Model:
    """Scores by rules that a test gives: name to a function of the subject, None where nothing can be said."""

    def __init__(self, **rules):
        self.rules = rules
        self.scored = []

    async def score(self, subjects, *, explain=True):
        self.scored += subjects
        return [self._card(each) for each in subjects]

    def _card(self, subject):
        parts = {name: PartScore(name=name, raw=rule(subject), why="") for name, rule in self.rules.items()}
        return Scorecard(
            subject=subject, parts=parts, creativity=NOTHING, creativity_published=NOTHING,
            creativity_corrected=NOTHING, satisfaction=NOTHING, combined=None,
        )  # fmt: skip


def card(**training):
    facts = {"papers": 500, "first_year": 2000, "last_year": 2019, "with_citations": 0} | training
    return ModelCard(
        settings=FitSettings(), made="2026-01-01T00:00:00Z", learnt_from=TrainingPapers(**facts), embedder="e",
        dimensions=4,
    )  # fmt: skip


def words_of(subject):
    return float(len(subject.text.split()))


def hidden(subject):
    """What only a good metric knows: papers tell it in their titles."""
    return float(subject.title.split()[-1])


def record(number, *, year=2021, venue="V", top=10, noise=0, **more):
    """A paper of quality `number`; every second paper has a long text."""
    rng = np.random.default_rng([number, year, noise])
    rating = round(float(np.clip(number / 20 * top + rng.normal(), 1, top)))
    return {
        "paper_id": f"{venue}{year}:{number}",
        "title": f"Paper {year} {number}",
        "abstract": "word " * (40 + int(rng.integers(40))),
        "venue": venue,
        "year": year,
        "decision": "Accept (oral)" if number > 17 else "Accept (poster)" if number > 9 else "Reject",
        "reviews": [{"rating": rating, "clarity": int(rng.integers(1, 5))}, {"rating": f"{rating}: so so"}],
    } | more


def written(file, records):
    text = "".join(each if isinstance(each, str) else json.dumps(each) + "\n" for each in records)
    packed = gzip.compress(text.encode()) if file.suffix == ".gz" else text.encode()
    file.write_bytes(packed)
    return file


@pytest.fixture
def library(tmp_path):
    with Library.open(tmp_path / "library") as opened:
        yield opened


@pytest.fixture
def reviews(tmp_path):
    """Two venues, one of which rates from 1 to 6."""
    records = [record(number % 20, noise=number, paper_id=f"a{number}") for number in range(100)]
    records += [record(number % 20, venue="W", top=6, noise=number, paper_id=f"b{number}") for number in range(100)]
    return written(tmp_path / "reviews.jsonl.gz", records)


def study_of(options, model, library, **training):
    return asyncio.run(validate(options, model, card(**training), library, direction={"wrong_way": -1}))


def findings(study, outcome, when="later"):
    table = next(each for each in study.tables if (each.outcome, each.when) == (outcome, when))
    return {each.metric: each for each in table.findings}


# -- reading outcomes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "accepted", "highlighted", "unsettled"),
    [
        ("Accept (oral)", 1, 1, ""),
        ("Spotlight", 1, 1, ""),
        ("Accept (Poster)", 1, 0, ""),
        ("Accept", 1, None, ""),
        ("Reject", 0, None, ""),
        ("Invite to Workshop Track", None, None, "Invite to Workshop Track"),
        ("Withdrawn", None, None, "Withdrawn"),
        ("Unknown", None, None, "Unknown"),
        ("", None, None, ""),
    ],
)
def test_decisions_are_read_in_the_words_of_many_venues(words, accepted, highlighted, unsettled):
    assert parse_decision(words) == (accepted, highlighted, unsettled)


def test_reviews_become_means_and_scored_ideas_keep_their_scores(tmp_path):
    idea = {"id": "i", "set": "people", "title": "An idea", "text": "Do it.", "scores": {"novelty": 4.5, "bad": "n/a"}}
    file = written(tmp_path / "both.jsonl", [record(12), idea])
    paper, idea = read_cases([file], OutcomeLog())
    assert paper.group == "v 2021"
    assert paper.outcomes.keys() == {"rating", "clarity", "accepted", "highlighted"}
    assert paper.outcomes["rating"] == round(paper.outcomes["rating"])  # `7` and `7: so so` are the same mark
    assert (idea.group, idea.outcomes) == ("people", {"novelty": 4.5})


def test_bad_lines_are_reported_with_their_number_and_the_rest_is_read(tmp_path):
    bad = ["{no json\n", "\n", "[1]\n", '{"title": ""}\n', '{"title": "No outcome"}\n', "[" * 100_000 + "\n"]
    odd = [{"title": "T", "abstract": "x", "year": "x",
            "reviews": [{"rating": 10**400}, 3, {"rating": math.nan}, {"rating": True}]}]  # fmt: skip
    log = OutcomeLog()
    found = list(read_cases([written(tmp_path / "r.jsonl", [*bad, record(3), *odd])], log))
    assert [each.outcomes.get("rating") is None for each in found] == [False, True]
    assert log.refused == 5
    assert [each.split(":")[0] for each in log.why] == [f"r.jsonl, line {line}" for line in (1, 3, 4, 5, 6)]


def test_halves_of_letters_are_replaced_before_anything_is_embedded(tmp_path):
    odd = {"title": "Half \ud800", "abstract": "\udfff", "authors": ["\ud800"], "scores": {"\ud800": 1}}
    (case,) = read_cases([written(tmp_path / "i.jsonl", [odd])], OutcomeLog())
    assert (case.subject.title, case.subject.text, case.subject.authors) == ("Half ?", "?", ("?",))
    assert case.outcomes == {"?": 1}


def test_a_packed_file_that_is_cut_off_gives_what_came_before(tmp_path):
    file = written(tmp_path / "r.jsonl.gz", [record(number, noise=number) for number in range(20)] * 200)
    file.write_bytes(file.read_bytes()[:-12])
    log = OutcomeLog()
    assert len(list(read_cases([file], log))) > 10
    assert "damaged or cut off" in log.why[-1]


def test_scores_of_a_thousand_names_are_not_a_thousand_tables(tmp_path):
    ideas = [
        {"id": f"{n}", "title": "T", "text": "x", "scores": {f"score {n} {k}": k for k in range(50)}} for n in range(3)
    ]
    log = OutcomeLog()
    cases = list(read_cases([written(tmp_path / "i.jsonl", ideas)], log))
    assert len({name for each in cases for name in each.outcomes}) == MAX_OUTCOMES
    assert log.names_left_out == 150 - MAX_OUTCOMES


def test_only_the_named_subsets_are_read(tmp_path):
    ideas = [
        {"title": f"T {name}", "text": "x", "set": name, "scores": {"overall": 1}} for name in ("one", "Two", "two")
    ]
    log = OutcomeLog()
    cases = list(read_cases([written(tmp_path / "i.jsonl", ideas)], log, ["TWO"]))
    assert ([each.subject.title for each in cases], log.other_sets) == (["T Two", "T two"], 1)


@pytest.mark.parametrize("name", ["missing.jsonl", "table.csv"])
def test_files_that_are_none_are_refused_before_anything_is_scored(tmp_path, name):
    (tmp_path / "table.csv").write_text("a,b\n")
    with pytest.raises(BadInput, match=name):
        check_files([tmp_path / name])


# -- measuring --------------------------------------------------------------------------------------------------------


def case(number, *, group="g", year=2021, text="some words", **outcomes):
    subject = Subject(title=f"Paper {number}", text=text, year=year)
    return OutcomeCase(id=f"{number}", subject=subject, group=group, outcomes=outcomes)


def test_a_paper_in_two_files_is_scored_once_with_the_outcomes_of_both():
    model = Model(quality=hidden)
    cases = [case(1, rating=3.0), case(2, rating=4.0), case(1, rating=9.0, clarity=2.0)]
    measured = asyncio.run(measure(cases, model, direction={}))
    assert (len(measured), measured.repeated, len(model.scored)) == (2, 1, 2)
    assert measured.outcomes["rating"].tolist() == [3, 4]
    assert measured.outcomes["clarity"][0] == 2


def test_files_that_merely_count_their_records_do_not_share_a_paper(tmp_path):
    """Both have a record 1, of papers that have nothing to do with each other."""
    files = [
        written(tmp_path / f"{name}.jsonl", [{"id": "1", "title": name, "text": "x", "scores": {"quality": at}}])
        for at, name in enumerate(("bees", "fog"))
    ]
    assert len({case.id for case in read_cases(files, OutcomeLog())}) == 2
    again = written(tmp_path / "again.jsonl", [{"paper_id": "1", "title": "Bees.", "text": "x", "decision": "Accept"}])
    assert len({case.id for case in read_cases([files[0], again], OutcomeLog())}) == 1


def test_venues_with_both_decisions_are_apart_and_reviewers_are_a_line_of_the_table(library, tmp_path):
    """In one venue all is accepted, and its reviewers say anything."""
    rng = np.random.default_rng(3)
    records = []
    for number in range(160):
        selected = number % 2 == 0
        worth = 0.0 if selected else float(rng.normal())
        ratings = [{"rating": float(5 + worth + rng.normal(0, 0.7))} for _ in range(3)]
        records.append(
            record(number, venue="Selected" if selected else "V", reviews=ratings)
            | {"decision": "Accept" if selected or worth > 0 else "Reject"}
        )
    options = ValidationOptions([written(tmp_path / "r.jsonl", records)], bootstrap_samples=200)
    study = study_of(options, Model(quality=hidden), library)
    table = next(each for each in study.tables if each.outcome == "rating")
    assert table.mixed == 80
    assert table.icc_mixed > table.icc > 0.1 > table.icc_others
    assert table.reviewer.both_decisions.value > 0.5 > table.reviewer.spearman.value
    assert table.best_baseline.metric != table.reviewer.metric, "a reviewer is no plain baseline"
    assert "with both decisions" in agreement_line(table)
    assert "one reviewer, against the others" in "".join(cells(table.rows[-1], table))


def test_the_predicted_rating_is_missing_for_groups_that_it_was_fitted_to():
    class Rated(Model):
        def _card(self, subject):
            return super()._card(subject).model_copy(update={"rating": PredictedRating(value=1.5)})

    cases = [case(1, group="seen", rating=3.0), case(2, group="new", rating=4.0)]
    measured = asyncio.run(measure(cases, Rated(quality=hidden), direction={}, rated_groups={"seen"}))
    column = measured.values[:, measured.metrics.index("rating")]
    assert np.isnan(column).tolist() == [True, False]


def test_metrics_of_which_less_is_better_are_negated_and_unknown_values_are_missing():
    model = Model(perplexity=hidden, silent=lambda subject: None)
    measured = asyncio.run(measure([case(7, rating=1.0)], model, direction={"perplexity": -1}))
    values = dict(zip((*measured.metrics, *measured.baselines), measured.values[0], strict=True))
    assert values["perplexity"] == -7
    assert math.isnan(values["silent"])
    assert (values["length"], values["title length"]) == (2, 2)


def test_papers_with_different_metadata_are_not_compared():
    """Otherwise a score that uses metadata of one file would count as skill."""
    accepted = [case(number, text="text", accepted=1.0) for number in range(40)]
    rejected = [case(100 + number, text="", accepted=0.0) for number in range(40)]
    model = Model(has_text=lambda subject: float(bool(subject.text)))
    measured = asyncio.run(measure([*accepted, *rejected], model, direction={}))
    (table,) = outcome_tables(measured, None, draws=100, seed=0)
    assert table.findings[0].auc.value is None
    assert table.findings[0].standing == "unknown"


# -- the study --------------------------------------------------------------------------------------------------------


def test_a_good_metric_is_distinguished_from_length_and_from_noise(library, reviews):
    model = Model(
        good=lambda subject: hidden(subject) + 0.0,
        wrong_way=lambda subject: -hidden(subject),
        against=lambda subject: -hidden(subject),
        noise=lambda subject: float(hash_of(subject)),
    )
    study = study_of(ValidationOptions([reviews], bootstrap_samples=200), model, library)
    for outcome in ("accepted", "rating"):
        found = findings(study, outcome)
        assert found["good"].standing == found["wrong_way"].standing == "beyond"
        assert found["against"].standing == "reversed"
        assert found["noise"].standing == "nothing"
        assert found["length"].standing is None
    assert findings(study, "accepted")["good"].auc.value == 1
    assert "predicts acceptance" in study.verdicts["good"]
    assert "better than any baseline" in study.verdicts["good"]
    assert study.verdicts["against"].startswith("points the wrong way for acceptance")


def test_a_metric_is_better_than_a_baseline_only_if_its_whole_interval_is_above_it():
    finding = MetricFinding(
        metric="m", is_baseline=False, spearman=Estimate(value=0.3, low=0.2, high=0.4), p=0.001, q=0.001,
        given_length=Estimate(value=0.3, low=0.2, high=0.4), auc=None, n=500, missing=0.0, strata=1, standing=None,
    )  # fmt: skip
    assert [metric_result(finding, bar) for bar in (0.15, 0.25, 0.35)] == ["beyond", "baseline", "baseline"]


def hash_of(subject):
    return np.random.default_rng(list(subject.id.encode())).normal()


def test_a_metric_that_is_only_length_is_recognised(library, tmp_path):
    """Here reviewers love long texts, and the metric counts characters."""
    rng = np.random.default_rng(5)
    lengths = rng.integers(20, 200, 120)
    records = [
        record(
            number, abstract="word " * int(length), reviews=[{"rating": (length + rng.normal(0, 30)) / 3}], decision=""
        )
        for number, length in enumerate(lengths)
    ]
    jitter = {f"Paper 2021 {number}": float(rng.normal(0, 25)) for number in range(120)}
    model = Model(disguised=lambda subject: len(subject.text) + jitter[subject.title])
    study = study_of(ValidationOptions([written(tmp_path / "r.jsonl", records)], bootstrap_samples=300), model, library)
    found = findings(study, "rating")["disguised"]
    assert found.spearman.low > 0.5
    assert found.standing == "length"
    verdict = f"predicts reviewers' ratings (ρ +{found.spearman.value:.2f}) no better than length does"
    assert study.verdicts["disguised"] == verdict


def test_scales_of_venues_are_not_mixed(library, reviews):
    """A metric that only knows the venue, whose ratings are higher, knows nothing."""
    model = Model(venue=lambda subject: float(subject.venue == "V"))
    found = findings(study_of(ValidationOptions([reviews], bootstrap_samples=100), model, library), "rating")["venue"]
    assert (found.spearman.value, found.n, found.standing) == (None, 0, "unknown")


def test_papers_that_the_model_was_fitted_to_are_left_out_and_counted(library, reviews):
    title = "PAPER 2021: 12"  # all ten papers of quality 12 have this title
    library.add([Entry(paper=Paper(title=title, year=2018, abstract="Known."))], "test")
    model = Model(good=hidden)
    study = study_of(ValidationOptions([reviews], bootstrap_samples=100), model, library)
    assert (study.account.learnt_from, study.account.later) == (10, 190)
    with_them = study_of(ValidationOptions([reviews], bootstrap_samples=100, with_known=True), model, library)
    assert (with_them.account.learnt_from, with_them.account.later) == (10, 200)
    assert findings(with_them, "rating")["good"].n == 200


def test_training_papers_follow_from_the_filters_of_the_fit(library):
    library.add([Entry(paper=Paper(title=f"Of {year}", year=year, abstract="Text.")) for year in (2010, 2020)], "test")
    seen = trained_on(
        library, TrainingPapers(papers=1, first_year=2010, last_year=2010, with_citations=0, before="2015-01-01")
    )
    assert seen(Subject(title="OF 2010."))
    assert not seen(Subject(title="Of 2020"))


def test_older_papers_and_those_without_a_year_have_their_own_tables(library, tmp_path):
    records = [record(number, year=year) for year in (2015, 2021) for number in range(40)]
    records += [record(number, venue="U") | {"year": None} for number in range(40)]
    study = study_of(
        ValidationOptions([written(tmp_path / "r.jsonl", records)], bootstrap_samples=100), Model(good=hidden), library
    )
    assert {(each.when, each.outcome, each.papers) for each in study.tables if each.outcome == "rating"} == {
        ("later", "rating", 40), ("older", "rating", 80)
    }  # fmt: skip
    assert (study.account.later, study.account.older, study.account.undated) == (40, 80, 40)


@pytest.mark.parametrize(("across_venues", "strata"), [(False, 4), (True, 2)])
def test_citations_of_a_library_count_among_papers_of_the_same_venue_and_year(library, across_venues, strata):
    papers = [
        Paper(
            title=f"Paper {year} {number}",
            year=year,
            venue="VW"[number % 2],
            abstract="Text. " * 9,
            citation_count=number + 100 * (2030 - year),
        )
        for year in (2021, 2022)
        for number in range(30)
    ]
    silent = [Paper(title="Uncounted", year=2021, abstract="Text."), Paper(title="Bare", year=2021, citation_count=1)]
    library.add([Entry(paper=paper) for paper in (*papers, *silent)], "test")
    assert len(list(citation_cases(library))) == 60
    model = Model(good=hidden)
    options = ValidationOptions(citations=True, across_venues=across_venues, bootstrap_samples=100)
    found = findings(study_of(options, model, library, last_year=2020, before="2021-01-01"), "citations")["good"]
    assert (found.spearman.value, found.n, found.strata) == (pytest.approx(1), 60, strata)


def test_a_validation_on_known_papers_alone_says_what_to_do(library, tmp_path):
    library.add([Entry(paper=Paper(title="Paper 2021 3", year=2021, abstract="Known."))], "test")
    with pytest.raises(BadInput, match=r"fitted to all 1 paper with an outcome in .*--before"):
        study_of(ValidationOptions([written(tmp_path / "r.jsonl", [record(3)])]), Model(good=hidden), library)


def test_literature_novelty_can_be_added_to_the_metrics(library):
    """A paper of words that the library holds is nearer to its past than one of other words; it is not its own past."""
    texts = {"Graphs": "message passing networks on graphs", "Cells": "enzymes fold in living cells"}
    past = [Paper(title="Old graphs", year=2010, abstract=texts["Graphs"])]
    papers = [Paper(title=title, year=2021, abstract=text) for title, text in texts.items()]
    library.add([Entry(paper=paper) for paper in (*past, *papers)], "test")
    subjects = [Subject.of_paper(paper) for paper in papers]
    near, far = asyncio.run(NoveltyScorer(Model(good=lambda subject: 1.0), library).score(subjects))
    assert near.of("good") == 1
    assert 0 <= near.of("novelty_historical") < far.of("novelty_historical")


def test_missing_metadata_are_filled_in_from_the_library(library):
    cited = Paper(title="Before", year=2000, abstract="Text.")
    known = Paper(title="A Paper", year=2021, authors=("Ada",), fields=("logic",), venue="V")
    library.add(
        [Entry(paper=cited, key="c"), Entry(paper=known, references=(Reference(scheme="key", value="c"),))], "t"
    )
    filled, other = fill_from(library)([Subject(title="A paper!", year=2021, venue="Own"), Subject(title="Else")])
    assert (filled.authors, filled.fields, filled.venue, filled.references) == (
        ("Ada",),
        ("logic",),
        "Own",
        (cited.id,),
    )
    assert other == Subject(title="Else")


def test_too_few_papers_say_nothing(library, tmp_path):
    few = [record(number % 20, noise=number, paper_id=f"{number}") for number in range(MIN_PAPERS - 1)]
    study = study_of(
        ValidationOptions([written(tmp_path / "r.jsonl", few)], bootstrap_samples=100), Model(good=hidden), library
    )
    assert (study.tables, study.verdicts, study.asked) == ((), {}, 0)
    assert "too few papers" in render_validation_markdown(study)
    assert "too few papers" in render_validation_page(study)


def test_files_without_any_outcome_are_refused(library, tmp_path):
    file = written(tmp_path / "r.jsonl", ["nonsense\n"])
    with pytest.raises(BadInput, match=r"holds no outcome. The first error: r.jsonl, line 1: no JSON"):
        study_of(ValidationOptions([file]), Model(good=hidden), library)


def test_the_same_validation_gives_the_same_numbers(library, reviews):
    one, other = (
        study_of(ValidationOptions([reviews], bootstrap_samples=100, seed=3), Model(good=hidden), library)
        for _ in range(2)
    )
    assert one == other


def test_all_tests_are_counted_and_adjusted_together(library, reviews):
    model = Model(good=hidden, noise=hash_of, other=lambda subject: math.sin(hash_of(subject)), long=words_of)
    study = study_of(ValidationOptions([reviews], bootstrap_samples=100), model, library)
    tested = [each for table in study.tables for each in table.findings if each.q is not None]
    assert study.asked == len(tested) == 4 * len(study.tables)
    assert all(each.q >= each.p for each in tested)
    assert study.starred == sum(each.q <= 0.05 for each in tested) >= 3


def test_significant_results_in_the_wrong_direction_are_no_success(library, reviews):
    study = study_of(
        ValidationOptions([reviews], bootstrap_samples=100), Model(against=lambda subject: -hidden(subject)), library
    )
    assert study.starred == 3
    assert "3 of them in the wrong direction" in headline(study)
    assert headline(study).startswith("Of 5 metrics, none predict at least one of 4 outcomes better than the baselines")


# -- the report -------------------------------------------------------------------------------------------------------


def test_names_from_files_are_harmless_on_the_page_in_markdown_and_in_the_table(library, tmp_path):
    names = (HOSTILE, "=cmd()|x", "a|b\n# c")
    ideas = [
        {
            "id": f"{n}",
            "title": f"Idea {n}",
            "text": "Some words.",
            "set": HOSTILE,
            "scores": dict.fromkeys(names, n),
        }
        for n in range(40)
    ]
    file = written(tmp_path / "i.jsonl", [*ideas, f"{HOSTILE}\n"])
    study = study_of(ValidationOptions([file], bootstrap_samples=100), Model(good=hidden), library)
    page, text = render_validation_page(study), render_validation_markdown(study)
    assert "<img src=x" not in page
    assert "<script" not in page
    assert "<img" not in text
    assert not [line for line in text.splitlines() if line.startswith("# c")]
    rows = list(csv.DictReader(io.StringIO(figures_csv(study))))
    assert {row["outcome"] for row in rows} == {HOSTILE, "'=cmd()|x", "a|b # c"}
    assert {row["metric"] for row in rows} >= {"good", "length", "readability"}


def test_the_page_holds_every_number_that_the_terminal_shows(library, reviews):
    study = study_of(ValidationOptions([reviews], bootstrap_samples=100), Model(good=hidden), library)
    page = render_validation_page(study, {"forest-later": "<svg/>"})
    heads, *lines = matrix(study.tables)
    assert heads[:3] == ("Spearman", "accepted from rejected", "talks and spotlights from posters")
    assert [line[0] for line in lines][-3:] == ["(length)", "(readability)", "(title length)"]
    for table in study.tables:
        for each in table.findings:
            if each.spearman.value is not None:
                assert f"{each.spearman.value:+.2f}".replace("-", "−").lstrip("+") in page
    assert page.count("data:image/svg+xml") == 1
