"""Runs as files: written, read back to the same leaderboard, and tables of others taken as they are."""

from __future__ import annotations

import csv
import json
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novum.benchmarks.liveidea.anchors import NAME
from novum.benchmarks.liveidea.card import MEANING, card
from novum.benchmarks.liveidea.dataset import COLUMNS, PUBLISHED, rows_of
from novum.benchmarks.liveidea.exporting import read_dataset, write_dataset
from novum.benchmarks.liveidea.importing import run_of
from novum.benchmarks.liveidea.leaderboard import leaderboard
from novum.benchmarks.liveidea.records import (
    IdeaRecord,
    JudgeAssignment,
    JudgementRecord,
    Keyword,
    LiveIdeaProtocol,
    LiveIdeaRun,
)
from novum.benchmarks.liveidea.side_tables import MEANING as SIDE_MEANING
from novum.benchmarks.liveidea.side_tables import SIDE_TABLES
from novum.errors import BadInput

ROW = {
    "keywords": "symbiosis", "idea_model": "lab/writer", "critic_model": "lab/critic", "idea": "Ants that farm fungi.",
    "originality": 7, "feasibility": 5, "clarity": 9, "fluency": 4,
}  # fmt: skip
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), min_size=1, max_size=30).filter(str.strip)
SCORE = st.none() | st.integers(1, 10).map(float) | st.just(7.5)


def numbered(*rows):
    return enumerate(rows, 1)


@st.composite
def runs(draw):
    """Runs with every kind of idea and judgement in them."""
    models = draw(st.lists(TEXT.map(str.strip).filter(bool), min_size=1, max_size=2, unique=True))
    words = draw(st.lists(TEXT.map(str.strip).filter(bool), min_size=1, max_size=2, unique=True))
    judges = [JudgeAssignment(model=name) for name in ("judge one", "judge two")]
    ideas, judgements = [], []
    for model in models:
        for word in words:
            for number in range(2):
                fate = draw(st.sampled_from(["judged", "refused", "too long", "failed"]))
                text = draw(TEXT)
                ideas.append(
                    IdeaRecord(
                        model=model, keyword=word, discipline="arts", number=number, idea=text, full=draw(TEXT),
                        fate=fate, why="no" if fate == "failed" else "", first_refused=fate == "refused",
                        first_refusal=draw(TEXT) if fate == "refused" else "", calls=2, prompt_tokens=5,
                    )
                )  # fmt: skip
                for seat in judges if fate == "judged" else ():
                    scores = {name: draw(SCORE) for name in ("originality", "feasibility", "clarity")}
                    judgements.append(judgement(model, word, (number,), number, seat.model, scores, draw(TEXT)))
            if draw(st.booleans()):
                judgements.append(judgement(model, word, (0, 1), 0, "judge one", {"fluency": draw(SCORE)}, "B"))
    return LiveIdeaRun(
        name="a run", protocol=LiveIdeaProtocol(), panel=tuple(judges), panel_wanted=2, seed=3, models=tuple(models),
        keywords=tuple(Keyword(keyword=word, discipline="arts") for word in words),
        ideas=tuple(ideas), judgements=tuple(judgements),
    )  # fmt: skip


def judgement(model, keyword, ideas, number, judge, scores, raw):
    missing = {name: "not a number" for name, score in scores.items() if score is None}
    return JudgementRecord(
        model=model, keyword=keyword, ideas=ideas, number=number, judge=judge, scores=scores, missing=missing, raw=raw
    )


def small_run():
    ideas = [IdeaRecord(model="m", keyword="k", number=n, idea=f"idea {n}", fate="judged") for n in range(2)]
    scores = {"originality": 8.0, "feasibility": 7.5, "clarity": None}
    judged = [judgement("m", "k", (n,), n, "j", scores, "raw") for n in range(2)]
    pair = judgement("m", "k", (0, 1), 0, "j", {"fluency": 7.0}, "B")
    return LiveIdeaRun(
        name="small", models=("m",), keywords=(Keyword(keyword="k"),), ideas=tuple(ideas), judgements=(*judged, pair)
    )


@given(runs())
def test_a_table_read_back_is_the_run_that_it_was_made_of(run):
    header = run.model_copy(update={"ideas": (), "judgements": ()})
    back = run_of(enumerate(rows_of(run), 1), "table", header).run
    assert [each.model_copy(update={"words": 0}) for each in back.ideas] == list(run.ideas)
    assert back.judgements == run.judgements


@pytest.mark.parametrize("name", ["jsonl", "csv", *(["parquet"] if find_spec("pyarrow") else [])])
def test_each_format_comes_back_with_the_same_leaderboard(tmp_path, name):
    run = small_run()
    files = write_dataset(run, tmp_path / "data", [name])
    assert [file.name for file in files] == [f"ideas.{name}", "run.json", "README.md"]
    for place in (files[0], tmp_path / "data"):
        back = read_dataset(place)
        assert (back.rows, back.refused) == (2, 0)
        assert back.run.judgements == run.judgements
        assert leaderboard(back.run, draws=50) == leaderboard(run, draws=50)


def test_the_table_begins_with_the_published_columns_and_every_column_is_explained(tmp_path):
    write_dataset(small_run(), tmp_path, ["csv"])
    with (tmp_path / "ideas.csv").open(newline="") as file:
        head = next(csv.reader(file))
    assert tuple(head[: len(PUBLISHED)]) == PUBLISHED
    assert set(MEANING) == set(COLUMNS)
    card = (tmp_path / "README.md").read_text()
    assert all(f"| {name} |" in card for name in COLUMNS)
    assert "2 that were requested and are missing" in card


def test_a_published_row_says_what_the_paper_says_it_does():
    first, second = rows_of(small_run())
    assert (first["keywords"], first["idea_model"], first["critic_model"]) == ("k", "m", "j")
    assert (first["originality"], first["feasibility"], first["clarity"], first["fluency"]) == (8, 7.5, None, 7)
    assert first["avg"] is None, "nothing is averaged where a score is missing"
    assert json.loads(first["parsed_scores"]) == {"originality": 8, "feasibility": 7.5, "clarity": None}
    assert first["fluency_judgements"]
    assert second["fluency_judgements"] is None, "told once for each keyword and model"


def test_a_table_of_others_with_the_published_columns_alone_gets_its_leaderboard():
    rows = [
        ROW,
        ROW | {"critic_model": "lab/other", "originality": 9},
        ROW | {"idea": "Bees that dance.", "clarity": 7},
    ]
    back = run_of(numbered(*rows), "theirs.csv")
    assert [idea.number for idea in back.run.ideas] == [0, 1]
    assert back.run.protocol.ideas == 2
    [line] = leaderboard(back.run, draws=0).lines
    assert line.scores.originality.value == 7.5  # of (7 + 9) / 2 and 7
    assert line.scores.fluency.value == 4


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"idea_model": None}, "no idea_model"),
        ({"keywords": "  "}, "no keywords"),
        ({"idea": ""}, "the idea is empty"),
        ({"keywords": "x" * 501}, "keywords has 501 characters"),
        ({"idea_number": "minus one"}, "idea_number is no whole number"),
        ({"idea_number": 10**400}, "idea_number is no whole number"),
        ({"critic_calls": 10**400}, "critic_calls is no whole number"),
        ({"idea_number": 10**9}, "no model has so many ideas"),
        ({"fate": "eaten"}, "the fate 'eaten' is none of"),
        ({"fluency_judgements": "{"}, "the judgements of fluency are no JSON"),
        ({"fluency_judgements": '[{"judge": "j"}]'}, "Field required"),
        ({"fluency_judgements": "[" * 100_000}, "the judgements of fluency are no JSON"),
    ],
)
def test_a_row_that_is_none_is_left_out_and_reported(change, why):
    back = run_of(numbered(ROW, ROW | {"keywords": "other"} | change), "table")
    assert (back.rows, back.refused) == (2, 1)
    assert back.why[0].startswith("row 2: ")
    assert why in back.why[0]


def test_a_row_that_is_there_twice_counts_once():
    ours, theirs = list(rows_of(small_run())), [ROW, ROW | {"raw_critique": "The other idea of the same words."}]
    for rows, judgements in ((ours, 3), (theirs, 3)):  # two critiques and the pair
        back = run_of(numbered(*rows, *rows), "table")
        assert (len(back.run.judgements), back.refused) == (judgements, 2)
        assert "in an earlier row" in back.why[0]


def test_the_card_of_a_table_of_others_tells_nothing_that_the_table_does_not():
    told = card(run_of(numbered(ROW), "theirs.csv").run, ["ideas.csv"])
    assert "by others, in an unknown way" in told
    assert not any(words in told for words in ("published protocol", "Seed", "No model judges its own"))
    assert "by the published protocol" in card(small_run().model_copy(update={"began": "2026-11-01"}), [])


def test_first_refusals_of_others_were_matched_as_published_and_are_matched_again_by_ours():
    told = {"first_was_rejected": True, "first_reject_response": "The buoy has an AI module."}
    [idea] = run_of(numbered(ROW | told), "table").run.ideas
    assert (idea.first_refused, idea.first_refused_as_released) == (False, True)
    [idea] = run_of(numbered(ROW | told | {"first_reject_response": "I'm sorry, I can't."}), "table").run.ideas
    assert (idea.first_refused, idea.first_refused_as_released) == (True, True)


def test_a_table_with_as_many_models_as_rows_is_refused_before_it_fills_the_memory():
    rows = (ROW | {"idea_model": f"m{n}", "keywords": f"k{n}", "critic_model": f"j{n}"} for n in range(300))
    with pytest.raises(BadInput, match="300 models, 300 keywords and 300 judges: too many"):
        run_of(numbered(*rows), "table")


def test_another_table_beside_the_description_of_a_run_is_not_taken_for_that_run(tmp_path):
    write_dataset(small_run(), tmp_path, ["jsonl"])
    (tmp_path / "theirs.jsonl").write_text(json.dumps(ROW))
    assert read_dataset(tmp_path / "theirs.jsonl").run.models == (ROW["idea_model"],)
    assert read_dataset(tmp_path / "ideas.jsonl").run.name == small_run().name


@pytest.mark.parametrize("value", [11, -3, 900, "N/A", "nan", "inf", True, "seven", ""])
def test_a_score_that_is_none_is_missing(value):
    run = run_of(numbered(ROW | {"originality": value}), "table").run
    assert run.judgements[0].scores["originality"] is None
    assert "originality" in run.judgements[0].missing
    assert leaderboard(run, draws=0).lines[0].scores.judgements["originality"].missing == 1


def test_files_that_hold_no_ideas_say_what_is_wanted(tmp_path):
    for name, text in {"a.jsonl": "[1]\nnonsense\n", "b.csv": "x,y\n1,2\n", "c.jsonl": ""}.items():
        (tmp_path / name).write_text(text)
        with pytest.raises(BadInput, match="holds no ideas"):
            read_dataset(tmp_path / name)
    (tmp_path / "d.parquet").write_bytes(b"PAR1 but not really")
    with pytest.raises(BadInput, match=r"no Parquet file that can be read|needs the package pyarrow"):
        read_dataset(tmp_path / "d.parquet")
    with pytest.raises(BadInput, match="none of"):
        read_dataset(tmp_path / "e.xlsx")


def judged_beyond():
    """The small run, with what was judged beside the published layout."""
    run = small_run()
    anchors = [
        judgement(
            "", keyword, (number,), number, "j", {"originality": 6.0, "feasibility": None, "clarity": 9.5}, 'a, "b"\nc'
        )
        for number, keyword in enumerate(("large language models", "cover cropping"))
    ]
    return run.model_copy(update={"anchors": NAME, "anchor_judgements": tuple(anchors), "informed": run.judgements[:2]})


@pytest.mark.parametrize("name", ["jsonl", "csv", *(["parquet"] if find_spec("pyarrow") else [])])
def test_judgements_beyond_the_protocol_stand_beside_the_table_and_come_back_with_it(tmp_path, name):
    run = judged_beyond()
    files = write_dataset(run, tmp_path, [name])
    assert [file.name for file in files] == [f"ideas.{name}", "anchors.csv", "informed.csv", "run.json", "README.md"]
    for place in (tmp_path, files[0]):
        back = read_dataset(place)
        assert (back.rows, back.refused) == (6, 0)
        assert (back.run.anchors, back.run.anchor_judgements) == (NAME, run.anchor_judgements)
        assert (back.run.judgements, back.run.informed) == (run.judgements, run.informed)
        assert leaderboard(back.run, draws=50) == leaderboard(small_run(), draws=50)


def test_each_column_beside_the_table_is_explained_and_our_anchors_can_be_read_there(tmp_path):
    write_dataset(judged_beyond(), tmp_path, ["csv"])
    card = (tmp_path / "README.md").read_text()
    with (tmp_path / "anchors.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert set(SIDE_TABLES[0].columns) | set(SIDE_TABLES[1].columns) <= set(COLUMNS) | set(SIDE_MEANING)
    assert "anchors.csv: scores of each judge" in card
    assert "2 judgements of the set novum-2026-11" in card
    assert table[0]["idea"].startswith("We will use large language models")


def test_what_an_earlier_run_left_beside_the_table_goes_and_what_others_put_there_stays(tmp_path):
    write_dataset(judged_beyond(), tmp_path, ["jsonl"])
    write_dataset(small_run(), tmp_path, ["jsonl"])
    assert {file.name for file in tmp_path.iterdir()} == {"ideas.jsonl", "run.json", "README.md"}
    (tmp_path / "anchors.csv").write_text("keyword,idea\nants,Ants that farm.\n")
    write_dataset(small_run(), tmp_path, ["jsonl"])
    assert read_dataset(tmp_path).refused == 0
    with pytest.raises(BadInput, match=r"anchors\.csv is there already and is another file"):
        write_dataset(judged_beyond(), tmp_path, ["jsonl"])
    assert "Ants that farm" in (tmp_path / "anchors.csv").read_text()


def test_odd_rows_beside_the_table_are_left_out_and_reported(tmp_path):
    write_dataset(judged_beyond(), tmp_path, ["jsonl"])
    with (tmp_path / "anchors.csv").open("a") as file:
        file.write("another-set,0,ants,,j,5,5,5\nnovum-2026-11,-1,ants,,j,5,5,5\nnovum-2026-11,0,ants,,,5,5,5\n")
    with (tmp_path / "informed.csv").open("a") as file:
        file.write("k,m,7,j,5,5,5\nk,m,1,j,50,five,5\n")
    back = read_dataset(tmp_path)
    assert (back.rows, back.refused) == (11, 4)
    assert back.why[0].endswith("the anchor set 'another-set' is not 'novum-2026-11'")
    assert back.why[1].endswith("anchor_number is no whole number ('-1')")
    assert back.why[2].endswith("no critic_model")
    assert back.why[3].startswith("informed.csv, row ")
    assert back.run.informed[-1].scores == {"originality": None, "feasibility": None, "clarity": 5}


def test_a_run_json_of_something_else_is_reported(tmp_path):
    write_dataset(small_run(), tmp_path, ["jsonl"])
    (tmp_path / "run.json").write_text('{"name": 3}')
    with pytest.raises(BadInput, match="does not describe a run of Novum"):
        read_dataset(tmp_path)


def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(BadInput, match="There is no format 'xml'"):
        write_dataset(small_run(), tmp_path / "data", ["jsonl", "xml"])
    assert not (tmp_path / "data").exists()


@given(st.sampled_from(["table.jsonl", "table.csv", "table.parquet"]), st.binary(max_size=300) | TEXT.map(str.encode))
def test_no_bytes_break_the_reading(tmp_path_factory, name, content):
    file = tmp_path_factory.mktemp("odd") / name
    file.write_bytes(content)
    with pytest.raises(BadInput, match=name.replace(".", r"\.")):
        read_dataset(file)
