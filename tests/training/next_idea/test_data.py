"""Tasks of next-idea prediction: targets, references, leaks, splits, resuming, the command, and bad input."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections import Counter
from dataclasses import replace

import pytest

from novum.core import Paper
from novum.core.research_context import ResearchContext, ResearchSignal
from novum.errors import BadInput, BudgetSpent
from novum.lab import Workplace
from novum.ledger import Ledger
from novum.literature import Entry, Reference, StaticEmbedder
from novum.runs.engine import resume, start
from novum.settings import load_settings
from novum.training.next_idea.data.durable import NEXT_IDEA_DATA, NextIdeaTask
from novum.training.next_idea.data.files import open_next_ideas
from novum.training.next_idea.data.leaks import LeakCheck, near_truth, nearest_entries, same_work, without_leaks
from novum.training.next_idea.data.settings import NextIdeaSettings
from novum.training.next_idea.data.splitting import with_splits
from novum.training.next_idea.report.record_page import record_lines
from tests.training.next_idea.conftest import entries, idea, record, reference, target

TRUTH = target(0).abstract


def test_a_task_has_a_context_from_the_references_and_the_idea_of_the_target_as_its_truth(build, serve):
    card, folder = build(serve())
    tasks = open_next_ideas(folder)
    every = [each for split in ("train", "validation", "test") for each in tasks.records(split)]
    assert len(every) == card.records == 4
    one = every[0]
    assert {each.paper_id for each in one.context.ideas} == {reference(number).id for number in range(6)}
    assert one.truth.paper_id == one.target_id
    assert {each.kind for each in one.context.signals} == {"insight", "trend", "serendipity"}
    assert one.encoded.text
    assert one.references.resolved == 6


def test_a_task_that_stands_twice_in_a_file_is_refused(build, serve):
    _, folder = build(serve())
    file = folder / "data" / "train.jsonl"
    file.write_text(file.read_text() + file.read_text().splitlines()[0] + "\n")
    with pytest.raises(BadInput, match="is there twice"):
        open_next_ideas(folder).records("train")


def test_no_request_for_a_context_contains_the_target(build, serve):
    server = serve()
    build(server, entries(1))
    seen = [each for each in server.asked if "target0word3" in each.text]
    assert [each.form for each in seen] == ["IdeaParts"]
    assert all("Target paper number" not in each.text for each in server.asked if each.form != "IdeaParts")


def test_validation_and_test_targets_are_later_than_all_training_targets(build, serve):
    _, folder = build(serve(), entries(6), validation=0.2, test=0.2)
    tasks = open_next_ideas(folder)
    days = {split: [each.target_date for each in tasks.records(split)] for split in ("train", "validation", "test")}
    assert max(days["train"]) < min(days["validation"])
    assert max(days["validation"]) < min(days["test"])


def test_conclusions_nearest_to_the_truth_are_named_for_reading_and_stay(build, serve, context):
    told = ResearchSignal(kind="insight", text="problem of 900 and approach of 900", paper_ids=("paper-0", "paper-2"))
    planted = context.model_copy(update={"signals": (*context.signals, told)})
    near = asyncio.run(nearest_entries(StaticEmbedder(), planted, idea(900)))
    assert near[0].what == f"signal: {told.text}"
    assert len(near) == 3
    assert near[0].cosine > near[1].cosine >= near[2].cosine
    _, folder = build(serve(), entries(1))
    [task] = open_next_ideas(folder).records("train")
    assert task.near_truth
    assert any("Near the truth" in line for line in record_lines(task))
    assert asyncio.run(nearest_entries(StaticEmbedder(), ResearchContext(), idea(900))) == ()


def test_a_split_that_was_asked_for_and_is_empty_is_told(build, serve):
    same_day = [replace(each, paper=each.paper.but(date=dt.date(2025, 1, 1))) for each in entries(3)]
    card, folder = build(serve(), same_day, validation=0.3, test=0.0)
    assert [each.records for each in card.splits] == [3, 0, 0]
    assert "There is no validation task: a day is never divided" in (folder / "README.md").read_text()
    assert "no test task" not in (folder / "README.md").read_text()


def test_targets_before_the_first_day_are_not_used(build, serve):
    card, _ = build(serve(), entries(4), since=dt.date(2025, 3, 1))
    assert card.records == 2


def test_the_same_work_under_another_name_among_the_references_is_removed_before_anything_is_asked(build, serve):
    version = Paper(title="Target paper number 0 about joining of distant things", year=2024, abstract="Another text.")
    copy = Paper(title="A preprint", year=2024, abstract=target(0).abstract)
    links = tuple(Reference(scheme="key", value=key) for key in ("v", "c", *(f"ref/{n}" for n in range(6))))
    papers = [*entries(0), Entry(paper=version, key="v"), Entry(paper=copy, key="c"),
              Entry(paper=target(0), key="t", references=links)]  # fmt: skip
    server = serve()
    card, folder = build(server, papers)
    assert sum(card.leaks.values()) == 2
    [task] = open_next_ideas(folder).records("train")
    assert {each.why for each in task.leaks} == {
        "its title is that of the target", "its abstract repeats that of the target"
    }  # fmt: skip
    assert not {version.id, copy.id} & {each.paper_id for each in task.context.ideas}
    assert all("Another text." not in each.text for each in server.asked)


def test_planted_leaks_in_answers_do_not_reach_the_context(build, serve):
    passage = " ".join(f"target0word{each}" for each in range(9))

    def leaking(request):
        if request.form == "Signals":
            texts = [f"One should do this: {passage}.", f"See {target(0).title}.", "Noise matters to all of these."]
            return json.dumps({"signals": [{"one": "P1", "other": "P2", "more": [], "text": each} for each in texts]})
        if request.form == "GroupRouting":
            return json.dumps({"reason": "r", "group": 0, "name": target(0).title, "memory": passage, "misplaced": []})
        return None

    card, folder = build(serve(leaking), entries(1))
    [task] = open_next_ideas(folder).records("train")
    assert "target0word" not in task.encoded.text
    assert "joining" not in task.encoded.text
    assert {each.text for each in task.context.signals} == {"Noise matters to all of these."}
    assert set(card.leaks) == {"it repeats a passage of the target", "it names the title of the target"}


def test_a_reference_whose_idea_is_nearly_the_truth_is_removed(build, serve):
    told = {"problem": "how to join fish", "approach": "by nets", "contribution": "a net", "limitation": ""}

    def answer(request):
        same = "Study 3" in request.text or "Target paper" in request.text
        return json.dumps(told) if request.form == "IdeaParts" and same else None

    _, folder = build(serve(answer), entries(1))
    [task] = open_next_ideas(folder).records("train")
    assert [each.why for each in task.leaks] == ["its idea is nearly that of the target"]
    assert len(task.context.ideas) == 5


def test_other_ideas_are_not_near_the_truth():
    ideas = [idea(1, problem="soup"), idea(2, problem="how proteins fold in water")]
    truth = idea(2, problem="how proteins fold in water")
    near = asyncio.run(near_truth(StaticEmbedder(), ideas, truth, 0.999))
    assert near == {"paper-2"}


def test_removing_an_idea_removes_its_relations_and_signals(context):
    clean = context.without(frozenset({"paper-1"}))
    assert [each.paper_id for each in clean.ideas] == ["paper-0", "paper-2", "paper-3"]
    assert clean.relations == ()
    assert [each.kind for each in clean.signals] == ["insight"]


def test_a_context_without_leaks_stays_as_it_is(context):
    assert without_leaks(context, LeakCheck.of(target(0), idea(9))) == (context, ())


def test_a_signal_that_repeats_the_hidden_idea_is_removed(context):
    truth = idea(9, approach="we let the crystals choose the rate at which they are cooled")
    signal = ResearchSignal(kind="trend", text="Next, let the crystals choose the rate at which they are cooled!",
                            paper_ids=("paper-0",))  # fmt: skip
    clean, findings = without_leaks(context.model_copy(update={"signals": (signal,)}), LeakCheck.of(target(0), truth))
    assert clean.signals == ()
    assert findings[0].why == "it repeats a passage of the target"


def test_a_turn_of_phrase_that_the_reader_uses_for_other_papers_too_is_no_leak(context):
    phrase = "this work addresses a problem that earlier work leaves open"
    ideas = [idea(number, problem=f"{phrase} {number}") for number in range(3)]
    check = LeakCheck.of(target(0), idea(9, problem=f"{phrase}, namely joining"), ideas)
    assert check.why(ideas[0].text) == ""
    assert LeakCheck.of(target(0), idea(9, problem=phrase), ideas[:1]).why(ideas[0].text)


@pytest.mark.parametrize(("title", "why"), [("Another matter entirely", ""), (target(0).title.upper(), "title")])
def test_works_are_the_same_by_their_titles(title, why):
    assert (why in same_work(Paper(title=title, year=2024), target(0))) and bool(why) == bool(
        same_work(Paper(title=title, year=2024), target(0))
    )


def skipped(build, serve, papers):
    with pytest.raises(BadInput) as problem:
        build(serve(), papers)
    return str(problem.value)


def test_a_paper_without_references_cannot_be_a_target(build, serve):
    assert "No paper of the library passes as a target" in skipped(build, serve, [Entry(paper=target(0), key="t")])


def test_references_that_cannot_be_resolved_are_reported(build, serve):
    lost = tuple(Reference(scheme="doi", value=f"10.1/{each}") for each in range(6))
    told = skipped(build, serve, [Entry(paper=target(0), key="t", references=lost)])
    assert "none of its references could be resolved" in told
    assert "Nothing was written" in told


def test_a_reference_known_by_its_title_alone_is_found_in_the_library(build, serve):
    named = tuple(
        Reference(scheme="title", value=reference(number).title.replace("Study", "study")) for number in range(6)
    )
    papers = [Entry(paper=target(0), key="t", references=named), *entries(0)]
    _, folder = build(serve(), papers)
    assert len(open_next_ideas(folder).records("train")[0].context.ideas) == 6


def test_a_target_with_too_few_references_is_skipped_and_counted(build, serve):
    one = Entry(paper=target(9, 9), key="t9", references=(Reference(scheme="key", value="ref/0"),))
    card, _ = build(serve(), [*entries(1), one])
    assert card.skipped == {"fewer than 5 of its references have a text": 1}


def test_references_later_than_the_target_are_left_out(build, serve):
    late = Paper(title="A later work", date=dt.date(2025, 6, 1), year=2025, abstract="Later than the target.")
    links = tuple(Reference(scheme="key", value=key) for key in ("late", *(f"ref/{n}" for n in range(6))))
    _, folder = build(
        serve(), [*entries(0), Entry(paper=late, key="late"), Entry(paper=target(0), key="t", references=links)]
    )
    [task] = open_next_ideas(folder).records("train")
    assert late.id not in {each.paper_id for each in task.context.ideas}
    assert task.references.left_out == 1


def test_split_by_row_lets_variants_of_one_target_lie_in_several_splits(context):
    records = [record(number, context, variant=variant) for number in range(20) for variant in range(6)]
    drawn = with_splits(records, NextIdeaSettings(split="row", validation=0.3, test=0.2))
    splits = {each.target_id: set() for each in drawn}
    for each in drawn:
        splits[each.target_id].add(each.split)
    assert max(map(len, splits.values())) > 1
    by_time = with_splits(records, NextIdeaSettings(validation=0.3, test=0.2))
    assert Counter(each.split for each in by_time) == {"train": 60, "validation": 36, "test": 24}


def test_targets_of_unknown_day_are_only_trained_on():
    records = [record(number, target_date=None) for number in range(5)]
    assert {each.split for each in with_splits(records, NextIdeaSettings(validation=0.4, test=0.4))} == {"train"}


def test_a_variant_lacks_a_share_of_the_relations_of_the_whole_context(build, serve):
    _, folder = build(serve(), entries(1), variants=3, dropout=0.5)
    first, second, third = open_next_ideas(folder).records("train")
    whole = len(first.context.relations)
    assert [len(each.context.relations) for each in (second, third)] == [whole - round(whole / 2)] * 2
    assert len({first.id, second.id, third.id}) == 3


def test_a_run_that_was_stopped_resumes_without_asking_again(serve, tmp_path):
    server, folder = serve(), tmp_path / "tasks"

    def loaded(**more):
        return load_settings({"home": str(tmp_path / "home"), "writer": server.model, **more}, environment={},
                             folder=tmp_path)  # fmt: skip

    async def first():
        async with Workplace(loaded(budget_calls=11)) as workplace:
            workplace.library.add(list(entries()))
            task = NextIdeaTask(folder=str(folder), settings=NextIdeaSettings(since=dt.date(2025, 1, 1)))
            await start(NEXT_IDEA_DATA, workplace, task)

    async def second(run_id):
        async with Workplace(loaded()) as workplace:
            return await resume(NEXT_IDEA_DATA, workplace, run_id)

    with pytest.raises(BudgetSpent):
        asyncio.run(first())
    assert not folder.exists()
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        [stopped] = ledger.runs()
    card = asyncio.run(second(stopped.id))
    with Ledger.open(tmp_path / "home" / "ledger.sqlite") as ledger:
        keys = Counter(call.key for call in ledger.calls(stopped.id))
    assert card.records == 4
    assert set(keys.values()) == {1}
    assert server.answered == len(keys)


def test_a_folder_without_tasks_is_refused_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="holds no set of next-idea tasks"):
        open_next_ideas(tmp_path)


@pytest.mark.parametrize(("field", "value"), [("validation", 0.9), ("tokens", 10), ("dropout", 1.0), ("split", "x")])
def test_settings_out_of_range_are_refused(field, value):
    with pytest.raises(ValueError, match=field):
        NextIdeaSettings(**{field: value})
