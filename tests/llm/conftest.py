"""A real model, on request: ``make test-llm``. Without ``CLEW_TEST_LLM`` nothing here is a test."""

from __future__ import annotations

import os

import pytest

from clew.config import ClewConfig
from clew.models.base import StreamingLLM
from clew.models.default import default_llm

VARIABLE = "CLEW_TEST_LLM"

collect_ignore_glob = [] if os.environ.get(VARIABLE) else ["test_*.py"]


@pytest.fixture(scope="session")
def model() -> str:
    """The name of the model as ``llm_model`` takes it."""
    return os.environ[VARIABLE]


@pytest.fixture(scope="session")
def llm(model: str) -> StreamingLLM:
    named = default_llm(ClewConfig(llm_model=model, llm_timeout_s=600))
    assert isinstance(named, StreamingLLM)
    return named
