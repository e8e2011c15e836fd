"""Ideas written by a model in batches: `python -m novum.training.finetuning.write REQUEST TEXTS`.

REQUEST is a JSON file with the fields of `WritingRequest`. Texts are appended to the JSONL file TEXTS, a line each with
`prompt`, `sample` and `text`; what is there already is not written again. Errors are one line on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, Field, ValidationError

from novum.errors import BadInput, NovumError
from novum.files.inputs import read_plain
from novum.training.reviews.tasks import Turns
from novum.training.weights.libraries import need_libraries


class WritingRequest(BaseModel):
    """Prompts, and how a model answers them."""

    model: Annotated[str, Field(min_length=1)]
    """The folder of a trained model, another folder, `offline:NAME`, or a name on the hub."""
    models_folder: Path
    prompts: list[Turns]
    samples: Annotated[int, Field(ge=1, le=1000)] = 1
    """Answers to each prompt."""
    most_tokens: Annotated[int, Field(ge=8, le=8192)] = 256
    temperature: Annotated[float, Field(gt=0, le=5)] = 1.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 0.95
    seed: int = 0
    batch: Annotated[int, Field(ge=1, le=4096)] = 16
    """Answers that are written at once."""


def write(request: WritingRequest, target: Path) -> None:
    """Append the missing answers to `target`. Raises BadInput if the model cannot be loaded, OSError if the disk is
    full."""
    need_libraries()
    missing = list(_missing(request, target))
    if not missing:
        return
    import torch  # noqa: PLC0415 - slow to load, and not needed to report a wrong file

    from novum.training.weights.base import load_base, load_with_prefix  # noqa: PLC0415

    base = load_with_prefix(request.model, request.models_folder) or load_base(request.model, request.models_folder)
    if torch.cuda.is_available():
        base.model.to("cuda")
    base.model.eval()
    base.tokenizer.padding_side = "left"
    with target.open("ab") as out:
        out.write(b"\n" if target.stat().st_size else b"")  # what was cut off has no end of line
        for places in missing:
            torch.manual_seed(_seed_of(request.seed, places[0]))
            for (prompt, sample), text in zip(places, _answers(base, request, places), strict=True):
                out.write(orjson.dumps({"prompt": prompt, "sample": sample, "text": text}) + b"\n")
            out.flush()


Place = tuple[int, int]
"""Numbers of a prompt and of an answer to it."""


def _missing(request: WritingRequest, target: Path) -> Iterator[list[Place]]:
    """The batches of which an answer is missing. Batches are always the same, so that answers do not depend on an
    interruption."""
    places = [(prompt, sample) for prompt in range(len(request.prompts)) for sample in range(request.samples)]
    known = set(_known(target))
    for start in range(0, len(places), request.batch):
        batch = places[start : start + request.batch]
        if not known.issuperset(batch):
            yield batch


def _known(target: Path) -> Iterator[Place]:
    if not target.exists():
        return
    for line in read_plain(target).splitlines():
        try:
            row = orjson.loads(line)
            yield int(row["prompt"]), int(row["sample"])
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):  # a line that was cut off
            continue


def _seed_of(seed: int, place: Place) -> int:
    return (seed * 1_000_003 + place[0] * 1009 + place[1]) % 2**31


def _answers(base: Any, request: WritingRequest, places: Sequence[Place]) -> list[str]:
    import torch  # noqa: PLC0415

    tokenizer, model = base.tokenizer, base.model
    texts = [
        tokenizer.apply_chat_template(request.prompts[prompt], tokenize=False, add_generation_prompt=True)
        for prompt, _ in places
    ]
    inputs = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False).to(model.device)
    with torch.no_grad():
        out = model.generate(
            **inputs, max_new_tokens=request.most_tokens, do_sample=True, temperature=request.temperature,
            top_p=request.top_p, top_k=0, pad_token_id=tokenizer.pad_token_id,
        )  # fmt: skip
    written: list[str] = tokenizer.batch_decode(out[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
    return [text.strip() for text in written]


def main(arguments: list[str]) -> int:
    """Run the command. Returns the exit code: 0, or 2 with a line on stderr."""
    if len(arguments) != 2:
        return _report_failure("Name two files: python -m novum.training.finetuning.write REQUEST.json TEXTS.jsonl")
    source, target = map(Path, arguments)
    try:
        write(_read(source), target)
    except NovumError as error:
        return _report_failure(str(error))
    except OSError as error:
        return _report_failure(f"The texts cannot be written: {error.strerror or error}.")
    return 0


def _read(file: Path) -> WritingRequest:
    try:
        return WritingRequest.model_validate_json(read_plain(file))
    except (OSError, ValidationError) as error:
        raise BadInput(f"{file} is not a valid request: {str(error).splitlines()[0]}") from error


def _report_failure(line: str) -> int:
    print(line, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
