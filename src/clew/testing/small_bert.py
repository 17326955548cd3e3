"""A BERT of two random layers, in the folder of a published model: it loads as the large do.

What it says is chance, and always the same. Needs ``clew[sentence-transformers]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Any

DIMENSIONS = 32
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def save_small_bert(
    folder: Path, *, labels: int = 0, names: Mapping[int, str] | None = None, window: int = 64
) -> Path:
    """Write a bare encoder to ``folder``, or with ``labels`` outputs one that judges pairs of
    texts, and return the folder. ``names`` say what each output means.
    """
    torch, transformers = import_module("torch"), import_module("transformers")
    torch.manual_seed(0)
    pieces = _pieces()
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=DIMENSIONS,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=window,
        **({"num_labels": labels} if labels else {}),
        **({"id2label": dict(names)} if names else {}),
    )
    kind = transformers.BertForSequenceClassification if labels else transformers.BertModel
    kind(config).save_pretrained(folder)
    _tokenizer(pieces, window).save_pretrained(folder)
    return folder


def save_small_embedder(folder: Path, *, mode: str = "mean", window: int = 64) -> Path:
    """Write a model of sentence-transformers that pools token states by ``mode`` to ``folder``."""
    library = import_module("sentence_transformers")
    modules = import_module("sentence_transformers.sentence_transformer.modules")
    encoder = save_small_bert(folder.with_name(f"{folder.name}-encoder"), window=window)
    parts = [
        modules.Transformer(str(encoder)),
        modules.Pooling(DIMENSIONS, pooling_mode=mode),
    ]
    library.SentenceTransformer(modules=parts, device="cpu").save(str(folder))
    return folder


def _pieces() -> list[str]:
    letters = [*ascii_lowercase, *digits, *".,?:"]
    return [*_SPECIAL, *letters, *(f"##{letter}" for letter in letters)]


def _tokenizer(pieces: list[str], window: int) -> Any:
    tokenizers, transformers = import_module("tokenizers"), import_module("transformers")
    numbers = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(numbers, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(token, numbers[token]) for token in ("[CLS]", "[SEP]")],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",  # noqa: S106
        pad_token="[PAD]",  # noqa: S106
        cls_token="[CLS]",  # noqa: S106
        sep_token="[SEP]",  # noqa: S106
        model_max_length=window,
    )
