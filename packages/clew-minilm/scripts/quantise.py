"""Turn the float32 graph into the int8 graph that is shipped, and print its hash.

    python quantise.py float32.onnx all-MiniLM-L6-v2-int8-tokens.onnx

Dynamic quantisation: weights are int8 with one scale per output channel, activations are scaled
when they occur, so no calibration data takes part and the result depends on the weights alone.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from onnx import TensorProto
from onnxruntime.quantization import QuantType, quantize_dynamic

OPERATORS = ("MatMul", "EmbedLayerNormalization")


def main(float_path: Path, int8_path: Path) -> None:
    quantize_dynamic(
        float_path,
        int8_path,
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=list(OPERATORS),
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )
    print(hashlib.sha256(int8_path.read_bytes()).hexdigest(), int8_path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
