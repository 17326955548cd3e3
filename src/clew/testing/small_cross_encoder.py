"""A cross-encoder small enough to be made in a test, in the files of a real one.

Its graph is a dozen operators: the logit grows with the share of the question's tokens that the
text has too. Needs the package ``onnx`` (part of ``clew[dev]``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_LOGIT_AT_ALL = 4.0


def save_small_cross_encoder(
    folder: Path, words: Iterable[str], *, outputs: int = 1, published: bool = False
) -> Path:
    """Write the model to ``folder`` and return it. It knows ``words``, which are one token each;
    ``outputs`` is the width of its logits; ``published`` lays the files out as hubs have them.
    """
    import onnx  # noqa: PLC0415 - for tests alone

    graph_path = folder / "onnx" / "model.onnx" if published else folder / "small.onnx"
    graph_path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(_model(outputs), str(graph_path))
    _tokenizer(words).save(str(folder / "tokenizer.json"))
    stated = json.dumps({"model_max_length": 48})
    (folder / "tokenizer_config.json").write_text(stated, encoding="utf-8")
    return folder


def _tokenizer(words: Iterable[str]) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: PLC0415

    known = [*_SPECIAL, *sorted({word.lower() for word in words})]
    unknown = "[UNK]"
    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(known)}, unk_token=unknown)
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return tokenizer


def _model(outputs: int) -> Any:
    from onnx import TensorProto, checker, helper  # noqa: PLC0415

    node = helper.make_node
    nodes = [
        node("Greater", ["input_ids", "last_special"], ["is_word"]),
        node("Cast", ["is_word"], ["word"], to=TensorProto.FLOAT),
        node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        node("Sub", ["one", "second"], ["first"]),
        node("Mul", ["word", "first"], ["asked"]),
        node("Mul", ["word", "second"], ["said"]),
        node("Unsqueeze", ["input_ids", "axis_2"], ["rows"]),
        node("Unsqueeze", ["input_ids", "axis_1"], ["columns"]),
        node("Equal", ["rows", "columns"], ["is_same"]),
        node("Cast", ["is_same"], ["same"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["said", "axis_1"], ["said_columns"]),
        node("Mul", ["same", "said_columns"], ["matches"]),
        node("ReduceMax", ["matches", "axis_2"], ["held"], keepdims=0),
        node("Mul", ["asked", "held"], ["answered"]),
        node("ReduceSum", ["answered", "axis_1"], ["answered_count"], keepdims=1),
        node("ReduceSum", ["asked", "axis_1"], ["asked_count"], keepdims=1),
        node("Max", ["asked_count", "one"], ["at_least_one"]),
        node("Div", ["answered_count", "at_least_one"], ["share"]),
        node("Sub", ["share", "half"], ["centred"]),
        node("Mul", ["centred", "steepness"], ["logit"]),
        node("Neg", ["logit"], ["negative"]),
        node("Concat", [["logit"], ["negative", "logit"], ["logit"] * 3][outputs - 1],
             ["logits"], axis=1),
    ]  # fmt: skip
    names = ("input_ids", "attention_mask", "token_type_ids")
    shape: list[str | int | None] = [1, "tokens"]
    graph = helper.make_graph(
        nodes,
        "small_cross_encoder",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, outputs])],
        [
            helper.make_tensor("last_special", TensorProto.INT64, [1], [len(_SPECIAL) - 1]),
            helper.make_tensor("axis_1", TensorProto.INT64, [1], [1]),
            helper.make_tensor("axis_2", TensorProto.INT64, [1], [2]),
            helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0]),
            helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5]),
            helper.make_tensor("steepness", TensorProto.FLOAT, [1], [2 * _LOGIT_AT_ALL]),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    checker.check_model(model)
    return model
