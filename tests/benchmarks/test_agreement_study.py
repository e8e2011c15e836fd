"""People against the panel, from CSV to figures: the published study gives its published figures."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from novum.benchmarks.liveidea.agreement import human_agreement, panel_inside, panel_of_run
from novum.benchmarks.liveidea.other_benchmarks import read_benchmark_scores
from novum.benchmarks.liveidea.ratings import read_ratings
from novum.benchmarks.liveidea.records import IdeaRecord, JudgementRecord, LiveIdeaRun
from novum.benchmarks.liveidea.report.agreement import (
    AgreementStudy,
    render_agreement,
    render_agreement_page,
    write_agreement,
)
from novum.cli.liveidea.reports import agree
from novum.errors import BadInput
from tests.reports.reading import Page
from tests.statistics.published import DIMENSIONS, EXPERTS, PANEL

EVIL = '<script>alert(1)</script> | [x](javascript:alert(1)) "quoted", and a comma'


def table(rows):
    """Rows as CSV, under the names of our columns."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["idea", "rater", *DIMENSIONS])
    writer.writerows(rows)
    return out.getvalue()


def of_people():
    return [
        [idea + 1, f"expert {person + 1}", *(EXPERTS[name][idea, person] for name in DIMENSIONS)]
        for idea in range(22)
        for person in range(6)
    ]


def of_panel():
    return [[idea + 1, "panel", *(PANEL[name][idea] for name in DIMENSIONS)] for idea in range(22)]


@pytest.fixture(scope="module")
def study():
    people = read_ratings(table(of_people()), "experts.csv")
    return human_agreement(people, read_ratings(table(of_panel()), "panel.csv"))


def by_dimension(study, value):
    return {each.dimension: round(value(each), 3) for each in study.dimensions}


def test_the_published_correlations_come_out(study):
    assert by_dimension(study, lambda each: each.with_panel.r) == {
        "originality": 0.820, "feasibility": 0.572, "clarity": 0.420,
    }  # fmt: skip


def test_both_forms_of_reliability_are_given_the_printed_one_and_the_named_one(study):
    assert by_dimension(study, lambda each: each.people.consistency_average.value) == {
        "originality": 0.823, "feasibility": 0.453, "clarity": 0.782,
    }  # fmt: skip
    assert by_dimension(study, lambda each: each.people.agreement_average.value) == {
        "originality": 0.766, "feasibility": 0.396, "clarity": 0.637,
    }  # fmt: skip


def test_bands_and_p_values_stand_beside_them(study):
    clarity = study.dimensions[2]
    assert [clarity.people.agreement_average.band, clarity.people.consistency_average.band] == ["moderate", "good"]
    assert clarity.with_panel.p == pytest.approx(0.0518, abs=1e-4)


def test_the_panel_scores_above_people_which_a_correlation_does_not_show(study):
    shift = {each.dimension: each.shift for each in study.dimensions}
    assert shift["originality"] == pytest.approx(PANEL["originality"].mean() - EXPERTS["originality"].mean())
    assert shift["originality"] > 1


def test_people_and_panel_may_be_in_one_file(study):
    both = read_ratings(table(of_people() + of_panel()), "all.csv")
    assert human_agreement(*panel_inside(both)).dimensions == study.dimensions


def test_judges_of_a_run_are_the_panel_of_ideas_that_people_rated_by_their_text():
    idea = IdeaRecord(model="m", keyword="k", number=0, idea="Measure the wind.", words=3, fate="judged")
    marks = [
        JudgementRecord(
            model="m", keyword="k", ideas=(0,), number=0, judge=judge, scores=dict.fromkeys(DIMENSIONS, score)
        )
        for judge, score in (("one", 4.0), ("two", 7.0))
    ]
    run = LiveIdeaRun(name="run", models=("m",), keywords=(), ideas=(idea,), judgements=tuple(marks))
    people = read_ratings(table([["measure  the wind.", "ann", 5, 5, 5]]), "people.csv")
    (point,) = human_agreement(people, panel_of_run(run)).dimensions[0].ideas
    assert (point.people, point.panel) == (5.0, 5.5)


def test_the_layout_of_published_data_sets_is_a_panel_too():
    text = "keywords,idea_model,critic_model,idea,originality,feasibility,clarity\nk,m,judge,an idea,7,6,8\n"
    found = read_ratings(text, "judges.csv")
    assert found.raters == ("judge",)
    assert {each.dimension: each.score for each in found.ratings} == dict(zip(DIMENSIONS, (7, 6, 8), strict=True))


def test_what_cannot_be_read_is_reported_line_by_line_and_the_rest_is_used():
    text = table([[1, "ann", 7, "eight", 11], ["", "ann", 5, 5, 5], [1, "ann", 6, "", ""], [2, "ann", "nan", 0, 3]])
    found = read_ratings(text, "people.csv")
    assert [(each.idea, each.dimension, each.score) for each in found.ratings] == [
        ("1", "originality", 7), ("2", "clarity", 3),
    ]  # fmt: skip
    assert found.refused == (
        "line 2 of people.csv: feasibility is 'eight', not a number from 1 to 10",
        "line 2 of people.csv: clarity is '11', not a number from 1 to 10",
        "line 3 of people.csv: no idea is named",
        "line 4 of people.csv: ann rated that idea before",
        "line 5 of people.csv: originality is 'nan', not a number from 1 to 10",
        "line 5 of people.csv: feasibility is '0', not a number from 1 to 10",
    )


def test_of_very_many_faults_the_first_are_reported_and_the_others_counted():
    found = read_ratings(table([[1, "ann", 5, 5, 5], *([["", "x", 1, 1, 1]] * 30)]), "people.csv")
    assert len(found.refused) == 21
    assert found.refused[-1] == "10 more lines of people.csv"


def test_a_missing_rating_costs_its_row_in_the_reliability_and_nothing_in_the_correlation():
    rows = [row for row in of_people() if row[:2] != [5, "expert 2"]]
    found = human_agreement(read_ratings(table(rows), "people.csv"), read_ratings(table(of_panel()), "panel.csv"))
    assert (found.dimensions[0].people.subjects, found.dimensions[0].people.left_out) == (21, 1)
    assert found.dimensions[0].with_panel.n == 22


def test_ideas_that_the_panel_does_not_know_are_reported():
    found = human_agreement(
        read_ratings(table(of_people()), "people.csv"), read_ratings(table(of_panel()[:20]), "panel.csv")
    )
    assert found.dimensions[0].with_panel.n == 20
    assert "does not know 2 of 22 ideas that people rated" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "has the columns (none)"),
        ("idea,rater\n1,ann\n", "has the columns idea, rater"),
        ("rater,originality\nann,5\n", "has the columns rater, originality"),
        (table([]), "holds no rating from 1 to 10"),
        (table([[1, "ann", "good", "good", "good"]]), "line 2 of people.csv: originality is 'good'"),
    ],
)
def test_a_file_that_holds_no_ratings_is_one_clear_line(text, told):
    with pytest.raises(BadInput) as caught:
        read_ratings(text, "people.csv")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_people_and_panel_without_a_common_idea_is_one_clear_line():
    with pytest.raises(BadInput, match="no rated idea in common"):
        human_agreement(
            read_ratings(table([[1, "ann", 5, 5, 5]]), "a.csv"), read_ratings(table([[2, "x", 5, 5, 5]]), "b.csv")
        )


@pytest.mark.parametrize("rows", [[[1, "ann", 5, 5, 5]], [[1, "Panel", 5, 5, 5]]])
def test_one_file_needs_both_people_and_panel(rows):
    with pytest.raises(BadInput, match=r"holds no (people|panel)"):
        panel_inside(read_ratings(table(rows), "all.csv"))


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_no_text_breaks_the_reading(text):
    try:
        found = read_ratings(text, "x.csv")
    except BadInput as error:
        assert str(error)
    else:
        assert all(1 <= each.score <= 10 for each in found.ratings)


def test_semicolons_commas_as_decimal_points_and_a_byte_order_mark_are_read():
    found = read_ratings("\ufeffIdea;Expert;Originality\n1;ann;7,5\n", "people.csv")
    assert [(each.rater, each.score) for each in found.ratings] == [("ann", 7.5)]


def test_the_result_is_written_as_page_markdown_data_and_scatter_plots(tmp_path, study):
    files = write_agreement(study, tmp_path)
    assert AgreementStudy.model_validate(json.loads(files.json.read_text("utf-8"))) == study
    assert sorted(path.relative_to(tmp_path).as_posix() for path in files.others) == [
        "agreement.md",
        *(f"charts/{name}.{kind}" for name in sorted(DIMENSIONS) for kind in ("png", "svg")),
    ]
    for words in ("0.820", "0.766", "0.823", "ICC(A,k)", "ICC(C,k)", "moderate", "0.052"):
        assert words in Page(files.html.read_text("utf-8")).words, words


def test_the_markdown_has_one_table_for_each_question(study):
    text = render_agreement(study)
    assert "| originality | 0.82 [0.61 to 0.92] |" in text
    assert text.count("| ICC(A,k) |") == 3


def test_evil_names_and_ideas_stay_text():
    rows = [[f"{EVIL} {idea}", f"{EVIL} {person}", 4 + idea, 5, 6] for idea in range(3) for person in range(2)]
    people = read_ratings(table(rows), EVIL)
    found = human_agreement(people, people)
    page = Page(render_agreement_page(found))
    assert page.faults == []
    assert "script" not in page.tags
    tokens = [
        token for block in MarkdownIt().parse(render_agreement(found)) for token in [block, *(block.children or [])]
    ]
    assert not {token.type for token in tokens} & {"html_block", "html_inline", "link_open", "image"}


def test_the_command_says_the_figures_and_where_the_report_is(tmp_path, capsys):
    ratings = tmp_path / "all.csv"
    ratings.write_text(table(of_people() + of_panel()), "utf-8")
    agree(ratings, panel=None, run=None, out=tmp_path / "study", as_json=False)
    told = capsys.readouterr().out
    for words in ("0.766", "0.823", "0.82 [0.61 to 0.92]", "p = 0.052", str(tmp_path / "study" / "agreement.html")):
        assert words in told, words


def test_as_json_the_command_prints_the_whole_result(tmp_path, capfdbinary):
    ratings, panel = tmp_path / "people.csv", tmp_path / "panel.csv"
    ratings.write_text(table(of_people()), "utf-8")
    panel.write_text(table(of_panel()), "utf-8")
    agree(ratings, panel=panel, run=None, out=tmp_path / "study", as_json=True)
    told = AgreementStudy.model_validate_json(capfdbinary.readouterr().out)
    assert [each.dimension for each in told.dimensions] == list(DIMENSIONS)


def test_a_panel_named_twice_or_a_file_that_is_not_there_is_one_clear_line(tmp_path):
    with pytest.raises(BadInput, match="named twice"):
        agree(tmp_path / "a.csv", panel=tmp_path / "b.csv", run="last", out=None, as_json=False)
    with pytest.raises(BadInput, match=r"a\.csv cannot be read: No such file"):
        agree(tmp_path / "a.csv", panel=None, run=None, out=None, as_json=False)


def test_another_benchmarks_scores_are_found_under_either_spelling_of_a_model():
    text = "Model,Organization,Global Average\no1,OpenAI,75.2\nunknown,X,1\ndelta,D,n/a\no1,OpenAI,10\n"
    assert read_benchmark_scores(text, "lb.csv", ["openai/o1", "delta"]) == {"openai/o1": 75.2}


def test_the_column_of_the_score_can_be_named():
    assert read_benchmark_scores("model,math\na,61%\n", "lb.csv", ["a"], "Math") == {"a": 61.0}


@pytest.mark.parametrize(
    ("text", "told"), [("a,b\n1,2\n", "has the columns a, b"), ("model,score\nx,1\n", "knows none")]
)
def test_a_benchmark_that_does_not_fit_is_one_clear_line(text, told):
    with pytest.raises(BadInput, match=told):
        read_benchmark_scores(text, "lb.csv", ["a"])
