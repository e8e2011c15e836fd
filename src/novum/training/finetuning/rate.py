"""Expected ratings of many ideas: `python -m novum.training.finetuning.rate REQUEST RATINGS`.

REQUEST is a JSON file with `model` (the folder of a trained model, another folder, `offline:NAME` or a name on the
hub), `models_folder`, `conversations` (prompts as turns) and `values` (the ratings that could be written, 0 to 1).
`ratings` is written to the JSON file RATINGS, one number for each conversation in their order. Errors are one line on
stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import orjson
from pydantic import BaseModel, Field, ValidationError

from novum.errors import BadInput, NovumError
from novum.files.inputs import read_plain
from novum.training.reviews.tasks import Turns
from novum.training.weights.libraries import need_libraries


class RatingRequest(BaseModel):
    """The conversations to rate, and the model."""

    model: Annotated[str, Field(min_length=1)]
    models_folder: Path
    conversations: list[Turns]
    values: Annotated[list[Annotated[float, Field(ge=0, le=1)]], Field(min_length=1, max_length=1000)]


def rate(request: RatingRequest) -> list[float]:
    """Expected ratings in the order of the conversations. Raises BadInput if the model cannot be loaded."""
    need_libraries()
    import torch  # noqa: PLC0415 - slow to load, and not needed to report a wrong file or a missing library

    from novum.training.finetuning.readout import expected_ratings  # noqa: PLC0415
    from novum.training.weights.base import load_base  # noqa: PLC0415

    base = load_base(request.model, request.models_folder)
    if torch.cuda.is_available():
        base.model.to("cuda")
    return expected_ratings(base, request.conversations, request.values)


def main(arguments: list[str]) -> int:
    """Run the command. Returns the exit code: 0, or 2 with a line on stderr."""
    if len(arguments) != 2:
        return _report_failure("Name two files: python -m novum.training.finetuning.rate REQUEST.json RATINGS.json")
    source, target = map(Path, arguments)
    try:
        target.write_bytes(orjson.dumps({"ratings": rate(_read(source))}))
    except NovumError as error:
        return _report_failure(str(error))
    except OSError as error:
        return _report_failure(f"The ratings cannot be written: {error.strerror or error}.")
    return 0


def _read(file: Path) -> RatingRequest:
    try:
        return RatingRequest.model_validate_json(read_plain(file))
    except (OSError, ValidationError) as error:
        raise BadInput(f"{file} is not a valid request for ratings: {str(error).splitlines()[0]}") from error


def _report_failure(line: str) -> int:
    print(line, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
