"""What training rests on, looked at closely: which tokens are learnt, how losses are counted, what merging makes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from novum.errors import BadInput
from novum.training.finetuning.conversations import Conversation, open_set
from novum.training.finetuning.job import TuningJob, write_job
from novum.training.recipes import read_recipe
from novum.training.recipes.recipe import Lengths
from tests.training.tuning import conversation, review_set

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")]
SMALL = [
    "lengths.sequence=1600", "lengths.prompt=1400", "batch.rows=2", "rows.most=8", "rows.tasks.original-review=1",
    "rows.tasks.idea-review=0", "rows.tasks.original-abstract=0", "rows.tasks.idea-abstract=0", "held_out.rows=2",
    "held_out.papers=0", "held_out.choosing_rows=1", "held_out.times=2", "keeping.every=1", "keeping.merge=false",
    "precision.compute=fp32",
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    from tests.training.tiny_base import tiny_base

    return tiny_base(tmp_path_factory.mktemp("base"))


@pytest.fixture
def tokenizer(base):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(base)


@pytest.fixture
def begun(base, tmp_path):
    """A folder with a job of four steps, measured after two and four."""
    data = review_set(tmp_path / "data", papers=16)
    job = TuningJob(name="mini", data=str(data), digest=open_set(data).digest, models_folder=str(tmp_path),
                    recipe=read_recipe("cpu", str(base), SMALL))  # fmt: skip
    folder = tmp_path / "mini"
    folder.mkdir()
    write_job(job, folder)
    return folder


def process(folder, change=""):
    """The training process, with a line changed in it."""
    program = f"import os, sys\nfrom novum.training.finetuning import __main__, checkpoints, stopping\n{change}\n"
    words = [sys.executable, "-c", f"{program}sys.argv[1:] = [{str(folder)!r}]\nsys.exit(__main__.main())"]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def fitter(tokenizer, sequence=1600):
    from novum.training.finetuning.tokens import fitter_for

    return fitter_for(tokenizer, Lengths(sequence=sequence, prompt=sequence - 100))


def test_just_the_completion_is_learnt_and_its_end_only_where_it_was_not_cut(tokenizer):
    answer = "Rating: 0.56\n\nIt is good."
    row = fitter(tokenizer).row(Conversation.model_validate(conversation(5, answer)))
    assert tokenizer.decode(row.tokens[row.prompt :]) == f"{answer}<|im_end|>\n"
    assert tokenizer.decode(row.tokens[: row.prompt]).endswith("<|im_start|>assistant\n")
    cut = fitter(tokenizer, 400).row(Conversation.model_validate(conversation(5, answer + " So it is." * 90)))
    assert cut.completion_cut
    assert tokenizer.eos_token_id not in cut.tokens[cut.prompt :]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{% for", "{% if messages[0]['role'] == 'system' %}{{ raise_exception('No system!') }}{% endif %}{% for"),
         "has no system turn"),
        (("<|im_start|>assistant\n", "<|im_start|>assistant\n<think>\n"), "begins an answer differently"),
    ],
)  # fmt: skip
def test_a_chat_template_that_reviewers_cannot_learn_by_is_refused(tokenizer, change, message):
    opening = tokenizer.chat_template
    tokenizer.chat_template = opening.replace(*change, 1)
    with pytest.raises(BadInput, match=message) as caught:
        fitter(tokenizer)
    assert "\n" not in str(caught.value)


def test_held_out_loss_is_that_of_the_completion_tokens_whatever_the_batch(base):
    import torch
    from transformers import AutoModelForCausalLM

    from novum.training.finetuning.losses import completion_losses
    from novum.training.finetuning.measuring import _mean
    from novum.training.finetuning.tokens import HeldOutRow

    model = AutoModelForCausalLM.from_pretrained(base).eval()
    rows = [HeldOutRow("original-review", list(range(2, 2 + size)), given) for size, given in ((40, 30), (90, 5))]
    losses = completion_losses(model, rows, 2, 1, "cpu")
    by_hand = []
    for row in rows:
        labels = [-100] * row.prompt + row.tokens[row.prompt :]
        with torch.no_grad():
            by_hand.append(float(model(input_ids=torch.tensor([row.tokens]), labels=torch.tensor([labels])).loss))
    assert [loss.nats / loss.tokens for loss in losses] == pytest.approx(by_hand, abs=1e-4)
    assert _mean(losses) == pytest.approx((10 * by_hand[0] + 85 * by_hand[1]) / 95, abs=1e-4)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("targets", [["lm_head"], ["embed_tokens", "q_proj"], ["lm_head", "embed_tokens"]])
def test_an_adapter_on_one_of_two_tied_layers_does_not_change_the_other_when_it_is_merged(base, targets, tmp_path):
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    from novum.training.weights.adapting import merge_adapter

    shared = AutoModelForCausalLM.from_pretrained(base)
    shared.config.tie_word_embeddings = True
    shared.tie_weights()
    shared.save_pretrained(tmp_path / "tied")

    def tied():
        return AutoModelForCausalLM.from_pretrained(tmp_path / "tied")

    torch.manual_seed(0)
    adapted = get_peft_model(tied(), LoraConfig(r=4, lora_alpha=8, target_modules=targets)).eval()
    for name, numbers in adapted.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(numbers, std=0.2)
    adapted.save_pretrained(tmp_path / "adapter")
    merge_adapter(tied(), tmp_path / "adapter").save_pretrained(tmp_path / "merged")
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "merged").eval()
    inputs = {"input_ids": torch.arange(2, 22)[None]}
    with torch.no_grad():
        assert (adapted(**inputs).logits - merged(**inputs).logits).abs().max() < 1e-4


def test_the_best_adapter_is_there_until_a_checkpoint_with_a_better_one_is_whole(begun):
    killed = process(
        begun,
        "whole = checkpoints.finish_checkpoint\n"
        "checkpoints.finish_checkpoint = lambda *arguments: os._exit(9) if arguments[1] == 4 else whole(*arguments)",
    )
    assert killed.returncode == 9, killed.stderr
    assert {place.name for place in (begun / "checkpoints").glob("best-*")} == {"best-2", "best-4"}
    (begun / "checkpoints" / "checkpoint-3" / "whole.json").unlink()  # so that one step more is left than is gone
    stopped = process(begun, "stopping.StopSignals.wanted = lambda *_: 'signal'")
    assert stopped.returncode == 0, stopped.stderr
    assert (begun / "adapter" / "adapter_model.safetensors").is_file()


def test_a_disk_that_fills_while_a_checkpoint_is_written_costs_that_checkpoint_alone(begun):
    full = process(
        begun,
        "import errno, torch\nsave = torch.save\n"
        "def fill(content, file, *more, **named):\n    if 'checkpoint-3' not in str(file):\n"
        "        return save(content, file, *more, **named)\n"
        "    open(file, 'wb').write(bytes(100))\n    raise OSError(errno.ENOSPC, 'No space left on device')\n"
        "torch.save = fill",
    )
    assert full.returncode == 2 and "The disk is full. Free some space and run the same command again" in full.stdout
    assert "Traceback" not in full.stderr
    again = process(begun)
    assert again.returncode == 0, again.stderr
    assert '"kind":"begins","step":2,' in again.stdout


def test_a_loss_that_is_no_number_ends_the_training_in_one_line(begun):
    done = process(
        begun,
        "from novum.training.finetuning import training\nload = training.load_base\n"
        "def broken(*a, **k):\n    base = load(*a, **k)\n    base.model.model.norm.weight.data.fill_(float('nan'))\n"
        "    return base\n"
        "training.load_base = broken",
    )
    assert done.returncode == 2
    assert "not a finite number after step 1" in done.stdout
    assert "Traceback" not in done.stderr
