"""The rating that a model expects of each of many ideas: `python -m novum.training.finetuning.rate ASKED RATINGS`.

ASKED is a JSON file with `model` (a folder of a trained model, another folder, `offline:NAME` or a name on the hub),
`models_folder`, `conversations` (prompts as turns) and `values` (the ratings that could be written, 0 to 1). RATINGS
gets `ratings`, one for each conversation in their order. What goes wrong is one line on stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import orjson
from pydantic import BaseModel, Field, ValidationError

from novum.errors import BadInput, NovumError
from novum.training.reviews.tasks import Turns
from novum.training.weights.libraries import need_libraries


class RatingRequest(BaseModel):
    """What is to be rated, and by whom."""

    model: Annotated[str, Field(min_length=1)]
    models_folder: Path
    conversations: list[Turns]
    values: Annotated[list[Annotated[float, Field(ge=0, le=1)]], Field(min_length=1, max_length=1000)]


def rate(asked: RatingRequest) -> list[float]:
    """In the order of the conversations. Raises BadInput where the model cannot be had."""
    need_libraries()
    import torch  # noqa: PLC0415 - a wrong file, and a missing library, are told without it

    from novum.training.finetuning.readout import expected_ratings  # noqa: PLC0415
    from novum.training.weights.base import load_base  # noqa: PLC0415

    base = load_base(asked.model, asked.models_folder)
    if torch.cuda.is_available():
        base.model.to("cuda")
    return expected_ratings(base, asked.conversations, asked.values)


def main(arguments: list[str]) -> int:
    """The exit code: 0, or 2 with a line on stderr."""
    if len(arguments) != 2:
        return _failed("Two files are wanted: python -m novum.training.finetuning.rate ASKED.json RATINGS.json")
    questions, answers = map(Path, arguments)
    try:
        answers.write_bytes(orjson.dumps({"ratings": rate(_read(questions))}))
    except NovumError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"The ratings cannot be written: {error.strerror or error}.")
    return 0


def _read(file: Path) -> RatingRequest:
    try:
        return RatingRequest.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise BadInput(f"{file} does not say what is to be rated: {str(error).splitlines()[0]}") from error


def _failed(line: str) -> int:
    print(line, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
