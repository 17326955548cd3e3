"""Ollama keeps the contract of language models."""

from __future__ import annotations

import pytest

from clew.models.providers.ollama import OllamaLLM
from clew.testing.llm_contract import LLMContract, MakeLLM
from clew.testing.wires.base import Wire
from clew.testing.wires.ollama import OllamaWire


class TestOllama(LLMContract):
    @pytest.fixture
    def wire(self) -> Wire:
        return OllamaWire()

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        return OllamaLLM
