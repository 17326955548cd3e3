"""Settings that can be sent to another process."""

from __future__ import annotations

from clew.config import ClewConfig


def portable(config: ClewConfig) -> ClewConfig:
    """The settings without what only this process can call."""
    return config.replace(on_chunk_processed=None, on_batch_complete=None, on_progress=None)
