"""Folders as training leaves them, with made-up parts."""

from __future__ import annotations

import json

from novum.core.trained import CurvePoint, TrainedModel
from novum.training.weights.trained_folder import write_trained

CURVE = (
    CurvePoint(step=0, seconds=3, held_out_loss=3.0, rating_rmse=0.3),
    CurvePoint(step=50, seconds=600, train_loss=2.4, held_out_loss=2.5, rating_rmse=0.2),
)


def trained_folder(folder, *, base="offline:smollm2-135m", gguf=None, merged=False, rank=12, **adapter):
    """`gguf`: the bytes of its file. `adapter`: further settings of the adapter."""
    (folder / "adapter").mkdir(parents=True)
    (folder / "adapter" / "adapter_model.safetensors").write_bytes(b"numbers")
    (folder / "adapter" / "adapter_config.json").write_text(json.dumps({"r": rank, "bias": "none"} | adapter))
    if merged:
        (folder / "merged").mkdir()
    if gguf is not None:
        (folder / "judge.gguf").write_bytes(gguf)
    model = TrainedModel(
        name="mini",
        purpose="judge",
        base=base,
        data="5" * 16,
        steps=50,
        seconds=600,
        tokens=90_000,
        curve=CURVE,
        merged="merged" if merged else "",
        gguf="" if gguf is None else "judge.gguf",
    )
    write_trained(model, folder)
    return folder
