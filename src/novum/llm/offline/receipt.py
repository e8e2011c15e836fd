"""What lies in the models folder: one receipt per model, which spares hashing a big file at every start."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from novum.core import Value
from novum.errors import BadInput
from novum.files.atomic import write_atomic
from novum.files.inputs import read_plain


class Receipt(Value):
    """A weights file whose hash was computed when it looked like this."""

    name: str
    title: str
    path: str
    """Relative to the models folder for what was installed there, absolute for a user's own file."""
    sha256: str
    size_bytes: int
    mtime_ns: int
    licence: str
    context: int | None = None
    """Tokens; None when not known."""
    own: bool = False
    """Registered by the user, not from the catalogue: never deleted."""

    def file(self, models_folder: Path) -> Path:
        """Where the weights lie."""
        return models_folder / self.path

    def untouched(self, models_folder: Path) -> bool:
        """Size and time are still those of the file that was hashed."""
        path = self.file(models_folder)
        if not path.is_file():
            return False
        now = path.stat()
        return (now.st_size, now.st_mtime_ns) == (self.size_bytes, self.mtime_ns)


def receipt_path(name: str, models_folder: Path) -> Path:
    """Where the receipt of a model lies, there or not."""
    return models_folder / f"{name}.receipt.json"


def converted_folder(sha256: str, models_folder: Path) -> Path:
    """Where the file of this hash lies in the form that training reads, once it was trained."""
    return models_folder / f"{sha256[:16]}.transformers"


def read_receipt(name: str, models_folder: Path) -> Receipt | None:
    """None when there is none, or when it cannot be read: then the file is hashed again."""
    try:
        return Receipt.model_validate_json(read_plain(receipt_path(name, models_folder)))
    except (OSError, ValidationError):
        return None


def write_receipt(receipt: Receipt, models_folder: Path) -> Receipt:
    """Puts it in place as a whole, so that no other process reads half of it."""
    path = receipt_path(receipt.name, models_folder)
    write_atomic(path, receipt.model_dump_json(indent=2))
    return receipt


def sha256_of(path: Path) -> str:
    """Hex digest of a file; 0.3 s per 100 MB."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}. Check the path and its permissions.") from error
