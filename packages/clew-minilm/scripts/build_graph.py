"""Write the float32 ONNX graph of all-MiniLM-L6-v2: BERT with its token states as the output.

    python build_graph.py model.safetensors float32.onnx

The graph is laid out by hand from the weights, with the fused operators that ONNX Runtime has for
BERT (domain ``com.microsoft``), so neither a framework nor an exporter is needed: onnx and numpy.
It ends at the last hidden state, before pooling: the vector of a text and those of the sentences
in it are then means over rows of one and the same output ("late pooling", arXiv 2409.04701).
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, HEADS, DIMENSIONS = 6, 12, 384
LAYER_NORM_EPSILON = 1e-12
FUSED = "com.microsoft"
INPUTS = ("input_ids", "attention_mask", "token_type_ids")

Weights = dict[str, NDArray[np.float32]]


def main(weights_path: Path, graph_path: Path) -> None:
    content = weights_path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != WEIGHTS_SHA256:
        sys.exit(f"{weights_path}: sha256 is {found}, expected {WEIGHTS_SHA256}")
    onnx.save(BertGraph(read_safetensors(content)).model(), graph_path)


def read_safetensors(content: bytes) -> Weights:
    """The float tensors of a safetensors file: a length, a JSON header, then the raw numbers."""
    (header_size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + header_size])
    header.pop("__metadata__", None)
    weights = {}
    for name, entry in header.items():
        if entry["dtype"] == "F32":
            start, end = (8 + header_size + offset for offset in entry["data_offsets"])
            numbers = np.frombuffer(content[start:end], np.float32)
            weights[name.removeprefix("bert.")] = numbers.reshape(entry["shape"])
    return weights


class BertGraph:
    """Collects nodes and constants, layer by layer."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._nodes: list[NodeProto] = []
        self._constants: dict[str, TensorProto] = {}

    def model(self) -> onnx.ModelProto:
        states = self._embeddings()
        for number in range(LAYERS):
            states = self._layer(number, states)
        self._nodes[-1].output[0] = "token_states"
        graph = helper.make_graph(
            self._nodes,
            "all-MiniLM-L6-v2",
            [
                helper.make_tensor_value_info(name, TensorProto.INT32, ["texts", "tokens"])
                for name in INPUTS
            ],
            [
                helper.make_tensor_value_info(
                    "token_states", TensorProto.FLOAT, ["texts", "tokens", DIMENSIONS]
                )
            ],
            list(self._constants.values()),
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)

    def _embeddings(self) -> str:
        tables = ("word_embeddings", "position_embeddings", "token_type_embeddings")
        norm = ("LayerNorm.weight", "LayerNorm.bias")
        constants = [self._weight(f"embeddings.{table}.weight") for table in tables]
        constants += [self._weight(f"embeddings.{part}") for part in norm]
        self._fused(
            "EmbedLayerNormalization",
            ["input_ids", "token_type_ids", *constants],
            ["states_0", "mask_index"],
            epsilon=LAYER_NORM_EPSILON,
        )
        return "states_0"

    def _layer(self, number: int, states: str) -> str:
        prefix = f"encoder.layer.{number}."
        inside = f"layer_{number}."
        attended = self._attention(prefix + "attention.self.", states, inside)
        projected = self._product(attended, prefix + "attention.output.dense", inside + "projected")
        middle = self._add_and_norm(projected, states, prefix + "attention.output", inside + "mid")
        wide = self._product(middle, prefix + "intermediate.dense", inside + "wide")
        bias = self._weight(prefix + "intermediate.dense.bias")
        self._fused("BiasGelu", [wide, bias], [inside + "gelu"])
        narrow = self._product(inside + "gelu", prefix + "output.dense", inside + "narrow")
        return self._add_and_norm(narrow, middle, prefix + "output", f"states_{number + 1}")

    def _attention(self, prefix: str, states: str, inside: str) -> str:
        parts = ("query", "key", "value")
        kernel = np.concatenate([self._weights[f"{prefix}{part}.weight"].T for part in parts], 1)
        bias = np.concatenate([self._weights[f"{prefix}{part}.bias"] for part in parts])
        constants = [
            self._constant(prefix + "qkv.weight", kernel),
            self._constant(prefix + "qkv.bias", bias),
        ]
        inputs = [states, *constants, "attention_mask"]
        self._fused("Attention", inputs, [inside + "attended"], num_heads=HEADS)
        return inside + "attended"

    def _product(self, states: str, dense: str, output: str) -> str:
        """Multiply by a dense layer's weights; its bias is added by the fused node behind."""
        kernel = self._constant(f"{dense}.kernel", self._weights[f"{dense}.weight"].T)
        self._nodes.append(helper.make_node("MatMul", [states, kernel], [output], name=output))
        return output

    def _add_and_norm(self, states: str, residual: str, prefix: str, output: str) -> str:
        names = ("LayerNorm.weight", "LayerNorm.bias", "dense.bias")
        constants = [self._weight(f"{prefix}.{name}") for name in names]
        self._fused(
            "SkipLayerNormalization",
            [states, residual, *constants],
            [output],
            epsilon=LAYER_NORM_EPSILON,
        )
        return output

    def _fused(self, operator: str, inputs: list[str], outputs: list[str], **options: Any) -> None:
        node = helper.make_node(operator, inputs, outputs, name=outputs[0], domain=FUSED, **options)
        self._nodes.append(node)

    def _weight(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _constant(self, name: str, numbers: NDArray[np.float32]) -> str:
        tensor = numpy_helper.from_array(np.ascontiguousarray(numbers), name)
        return self._constants.setdefault(name, tensor).name


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
