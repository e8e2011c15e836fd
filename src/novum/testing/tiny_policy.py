"""A language model that speaks in whole words, drawn by chance: it knows nothing, and learns from rewards in minutes.

Its vocabulary is that of the texts it is made for. Needs the extra `train`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_TEMPLATE = (
    "{% for message in messages %}<|im_start|> {{ message['role'] }} {{ message['content'] }} <|im_end|> {% endfor %}"
    "{% if add_generation_prompt %}<|im_start|> assistant {% endif %}"
)
_MARKS = ("<|im_start|>", "<|im_end|>", "[UNK]")
_ROLES = ("system", "user", "assistant")


def write_tiny_policy(folder: Path, texts: Iterable[str], *, width: int = 32, seed: int = 0) -> Path:
    """Writes a model with a chat template to `folder`, whose tokens are the words of `texts`."""
    import torch  # noqa: PLC0415  an extra
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: PLC0415
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast  # noqa: PLC0415

    words = sorted({word for text in texts for word in re.findall(r"[a-z]+", text.lower())})
    known = {piece: number for number, piece in enumerate([*_MARKS, *_ROLES, *(w for w in words if w not in _ROLES)])}
    inner = Tokenizer(models.WordLevel(vocab=known, unk_token=_MARKS[2]))
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.decoder = decoders.WordPiece(prefix="##")
    inner.add_special_tokens(list(_MARKS))
    marks = {"eos_token": _MARKS[1], "pad_token": _MARKS[1], "unk_token": _MARKS[2]}
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, **marks)
    tokenizer.chat_template = _TEMPLATE
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(known), hidden_size=width, intermediate_size=2 * width, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=2048, eos_token_id=1, pad_token_id=1,
        bos_token_id=None,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
