"""LiveIdeaBench by published prompts: sent word for word, with the published limits and fallback, and named as such.

The prompts here are invented; the hashes of the real ones are checked in `tests/prompts/test_published.py`.
"""

from __future__ import annotations

import asyncio
import json

import pytest

from novum.benchmarks.liveidea import published
from novum.benchmarks.liveidea.exporting import read_dataset, write_dataset
from novum.benchmarks.liveidea.leaderboard import leaderboard
from novum.benchmarks.liveidea.report.numbers import liveidea_report
from novum.benchmarks.liveidea.report.phrases import prompts, protocol
from novum.cli.liveidea.table import remarks
from novum.errors import BadInput
from novum.prompts import builtin_prompts
from novum.prompts.published import sha256_of
from novum.runs.published_prompts import install_prompts
from tests.benchmarks.liveidea_lab import assignment, measured, recalled, resumed, unsorted
from tests.prompts.invented_instrument import TEXTS, instrument, printed, released

IDEA = "Grow coral on frames that sound like a healthy reef, so that larvae settle again where reefs have died."
SCORES = '```json\n{"originality": 7, "feasibility": 6, "clarity": 8}\n```'


@pytest.fixture(autouse=True)
def song_contest(monkeypatch):
    """The invented instrument in place of the published one."""
    monkeypatch.setattr(published, "liveideabench", instrument)


def install(home, text):
    file = home / "copy.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    asyncio.run(install_prompts(instrument(), [str(file)], home / "protocols"))


def singing(request, idea=IDEA):
    """Answers to the invented prompts; every request for an idea gets another one."""
    if "You are on stage" in request.text:
        return f"{idea} Variant {request.body['seed']}."
    return "C" if "Alike?" in request.text else f"Fine.\n{SCORES}"


def sent(server):
    """The messages of each request, by role."""
    return [[(each["role"], each["content"]) for each in request.messages] for request in server.asked]


def test_exactly_the_published_prompts_are_sent_and_nothing_else(serve, tmp_path):
    install(tmp_path, printed())
    server = serve(singing)
    run = measured(tmp_path, assignment(server, models=("dreamer-3",), keywords=1, prompts="published"))
    keyword = run.keywords[0].keyword
    one, other = (idea.idea for idea in run.ideas)
    assert one != other
    pair = TEXTS["fluency"].replace("{{keyword}}", keyword).replace("{{A}}", one).replace("{{B}}", other)
    messages = [TEXTS["judge-message"].replace("{{idea}}", idea) for idea in (one, other)]
    expected = {
        (("user", TEXTS["idea"].replace("{{keywords}}", keyword)),),
        *((("system", TEXTS["judge"]), ("user", message)) for message in messages),
        (("user", pair),),
    }
    assert {tuple(each) for each in sent(server)} == expected
    assert all("temperature" not in request.body for request in server.asked)
    assert {each.scores["originality"] for each in run.judgements if not each.of_pair} == {7}
    assert [each.scores for each in run.judgements if each.of_pair] == [{"fluency": 4}]


def test_a_marked_model_gets_the_published_sentence_and_only_its_final_idea_counts(serve, tmp_path):
    install(tmp_path, printed())
    server = serve(lambda request: singing(request, f"Let me think.\n\n**Final Idea:** {IDEA}"))
    task = assignment(server, models=("dreamer-3",), keywords=1, prompts="published", marked=("server:dreamer-3",))
    run = measured(tmp_path, task)
    asked = TEXTS["idea"].replace("{{keywords}}", run.keywords[0].keyword)
    assert [("user", asked + TEXTS["marker"])] in sent(server)
    assert all(idea.idea.startswith(IDEA) for idea in run.ideas)


def test_the_fallback_follows_a_published_phrase_anywhere_and_its_answer_is_judged_whatever_it_says(serve, tmp_path):
    install(tmp_path, printed())
    for number, said in enumerate((IDEA + " The frame has an AI module.", "I am sorry, I cannot sing about that.")):
        server = serve(lambda request, said=said: singing(request, said))
        task = assignment(server, models=("dreamer-3",), keywords=1, ideas=1, prompts="published")
        run = measured(tmp_path, task, seed=number)
        assert [("user", TEXTS["fallback"].replace("{{keywords}}", run.keywords[0].keyword))] in sent(server)
        assert [(idea.fallback, idea.fate) for idea in run.ideas] == [(True, "judged")]


def test_an_idea_of_more_words_than_published_is_excluded(serve, tmp_path):
    install(tmp_path, printed())
    server = serve(lambda request: singing(request, "word " * 201))
    run = measured(tmp_path, assignment(server, models=("dreamer-3",), keywords=1, prompts="published"))
    assert {idea.fate for idea in run.ideas} == {"too long"}
    assert run.judgements == ()


def test_without_the_prompts_nothing_is_asked(serve, tmp_path):
    server = serve(singing)
    with pytest.raises(BadInput, match=r"not installed.*novum liveidea protocol install FILE"):
        measured(tmp_path, assignment(server, prompts="published"))
    assert server.asked == []


def test_a_copy_without_the_printed_message_can_be_run_as_released(serve, tmp_path):
    install(tmp_path, released({name: text for name, text in TEXTS.items() if name != "judge-message"}))
    server = serve(singing)
    with pytest.raises(BadInput, match=r"lacks judge-message.*or sing as released"):
        measured(tmp_path, assignment(server, prompts="published"))
    task = assignment(server, models=("dreamer-3",), keywords=1, prompts="published", as_released=True)
    measured(tmp_path, task)
    asked = [messages for messages in sent(server) if messages[0] == ("system", TEXTS["judge"])]
    assert asked
    assert all(messages[1][1].startswith(f"Weigh the plan:\n\n{IDEA}") for messages in asked)


def test_judging_with_papers_is_not_mixed_with_published_prompts(serve):
    with pytest.raises(ValueError, match="cannot be compared with published ones"):
        assignment(serve(singing), prompts="published", papers=3)


def test_a_run_names_its_prompts_with_their_hashes_and_is_replayed_and_resumed_without_asking(serve, tmp_path):
    install(tmp_path, printed())
    server = serve(singing)
    run = measured(tmp_path, assignment(server, models=("dreamer-3",), keywords=1, prompts="published"))
    used = ("idea", "fallback", "judge", "judge-message", "fluency")
    assert run.protocol.prompt_hashes == {name: sha256_of(TEXTS[name]) for name in used}
    asked = len(server.asked)
    assert unsorted(recalled(tmp_path, run.name)) == unsorted(resumed(tmp_path, run.name)) == unsorted(run)
    assert len(server.asked) == asked


def test_report_leaderboard_and_data_set_name_the_prompts(serve, tmp_path):
    install(tmp_path, printed())
    run = measured(tmp_path, assignment(serve(singing), models=("dreamer-3",), keywords=2, prompts="published"))
    digest = sha256_of(TEXTS["judge"])[:12]
    facts = dict(protocol(liveidea_report(run, draws=0)))
    assert facts["Prompts"].startswith("published, word for word (SHA-256: idea ")
    assert digest in facts["Prompts"]
    assert facts["Refusals"].startswith("matched anywhere")
    assert any(digest in line for line in remarks(run, leaderboard(run, draws=0)))
    write_dataset(run, tmp_path / "data")
    assert digest in (tmp_path / "data" / "README.md").read_text("utf-8")
    assert read_dataset(tmp_path / "data").run.protocol == run.protocol
    (tmp_path / "data" / "run.json").unlink()
    assert prompts(read_dataset(tmp_path / "data" / "ideas.csv").run).startswith("not stated")


def test_runs_of_two_protocols_are_not_linked_silently(serve, tmp_path):
    install(tmp_path, printed())
    task = assignment(serve(singing), models=("dreamer-3",), keywords=1, prompts="published")
    theirs = measured(tmp_path, task).model_copy(update={"anchors": "set"})
    by_novum = theirs.protocol.model_copy(update={"prompts": "novum"})
    ours = theirs.model_copy(update={"name": "ours", "protocol": by_novum})
    others = liveidea_report(theirs, draws=0, linked_to=[ours]).others
    same = liveidea_report(theirs, draws=0, linked_to=[theirs.model_copy(update={"name": "same"})]).others
    assert not any("mixes two instruments" in note for note in same.notes)
    hashes = theirs.protocol.prompt_hashes | {"judge": "another"}
    reworded = theirs.protocol.model_copy(update={"prompt_hashes": hashes})
    later = theirs.model_copy(update={"name": "later", "protocol": reworded})
    assert any("later" in n and "mixes" in n for n in liveidea_report(theirs, draws=0, linked_to=[later]).others.notes)
    assert any("mixes two instruments" in note for note in others.notes)


def test_a_run_says_when_its_prompts_have_changed_since_it_began(serve, tmp_path):
    home, changed = tmp_path / "home", tmp_path / "prompts"
    run = measured(home, assignment(serve(), models=("dreamer-3",), keywords=1))
    assert not any("have changed" in note for note in recalled(home, run.name).notes)
    changed.mkdir()
    own = builtin_prompts().get("liveidea_fluency").source
    (changed / "liveidea_fluency.md").write_text(own.replace("version: 2", "version: 3"), "utf-8")
    notes = recalled(home, run.name, prompts=str(changed)).notes
    assert [note for note in notes if "The prompts liveidea_fluency have changed since" in note]


def test_novum_records_the_hashes_of_its_own_prompts(serve, tmp_path):
    run = measured(tmp_path, assignment(serve(), models=("dreamer-3",), keywords=1))
    assert set(run.protocol.prompt_hashes) == {"liveidea_idea", "liveidea_judge", "liveidea_fluency"}
    assert "cannot be compared with those by the published prompts" in prompts(run)
    assert json.loads(run.model_dump_json())["protocol"]["prompts"] == "novum"
