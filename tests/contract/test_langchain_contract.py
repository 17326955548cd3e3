"""A model that goes to LangChain and comes back keeps the contract of language models."""

from __future__ import annotations

from typing import Any

import pytest

from clew.integrations.langchain_models import ClewChatModel
from clew.models.providers.langchain import LangChainLLMAdapter
from clew.models.providers.ollama import OllamaLLM
from clew.testing.llm_contract import LLMContract, MakeLLM
from clew.testing.wires.base import Wire
from clew.testing.wires.ollama import OllamaWire


class TestThereAndBack(LLMContract):
    @pytest.fixture
    def wire(self) -> Wire:
        return OllamaWire()

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        def make(url: str, **options: Any) -> LangChainLLMAdapter:
            return LangChainLLMAdapter(ClewChatModel(llm=OllamaLLM(url, **options)))

        return make
