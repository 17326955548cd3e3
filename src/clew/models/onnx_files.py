"""Loading what ONNX models are made of: a graph and a tokenizer, both for one text at a time."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from clew.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_LOG_ERRORS = 3


def load_graph(path: Path) -> InferenceSession:
    """Load a graph for one text at a time on one core; raise :class:`ModelError` if it is none."""
    import onnxruntime  # noqa: PLC0415 - heavy, and many commands embed nothing

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _LOG_ERRORS
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    # Lengths differ from text to text: kept memory plans and arenas only grow.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            str(path),
            options,
            providers=["CPUExecutionProvider"],
            # The fused operator takes eight times as long as the two it stands for.
            disabled_optimizers=["SkipLayerNormFusion"],
        )
    except (
        Exception
    ) as error:  # onnxruntime raises classes of its own, without a common public root
        raise ModelError(f"{path}: ONNX Runtime cannot load it: {error}") from error


def load_tokenizer(path: Path) -> Tokenizer:
    """Load a tokenizer that neither cuts nor pads; raise :class:`ModelError` if it is none."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - heavy, and many commands embed nothing

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the extension raises bare Exception
        raise ModelError(f"{path}: cannot be loaded: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
