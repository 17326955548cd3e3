"""all-MiniLM-L6-v2 as an int8 ONNX graph whose output is the token states, and its tokenizer.

Data only: this package knows where its two files are and what their hashes must be. It loads
nothing; :mod:`clew.models.local` does.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

__all__ = [
    "MODEL_SHA256",
    "TOKENIZER_SHA256",
    "__version__",
    "model_path",
    "tokenizer_path",
    "verify",
]

__version__ = "1.0.0"

MODEL_SHA256 = "fa84f47a7f2480739cd9fc1f52f9f29e752a676f55790ce04d5338442da77c00"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

_FOLDER = Path(__file__).parent


def model_path() -> Path:
    """The ONNX graph: ``[texts, tokens]`` int32 in, float32 ``[texts, tokens, 384]`` out."""
    return _FOLDER / "all-MiniLM-L6-v2-int8-tokens.onnx"


def tokenizer_path() -> Path:
    """The WordPiece tokenizer in the format of the ``tokenizers`` package."""
    return _FOLDER / "tokenizer.json"


def verify() -> None:
    """Raise ``ValueError`` for a file whose SHA-256 is not the published one."""
    expected_hashes = {model_path(): MODEL_SHA256, tokenizer_path(): TOKENIZER_SHA256}
    for path, expected in expected_hashes.items():
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        if found != expected:
            raise ValueError(
                f"{path}: sha256 is {found}, expected {expected}; "
                "reinstall with `pip install --force-reinstall clew-minilm`"
            )
