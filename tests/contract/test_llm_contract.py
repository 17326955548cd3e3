"""Every provider of language models keeps the contract, with its own SDK over a real connection."""

from __future__ import annotations

import pytest

from clew.models.providers.anthropic import AnthropicLLM
from clew.models.providers.groq import GroqLLM
from clew.models.providers.openai import OpenAILLM
from clew.testing.llm_contract import LLMContract, MakeLLM
from clew.testing.wires.anthropic import AnthropicWire
from clew.testing.wires.base import Wire
from clew.testing.wires.openai import OpenAIWire


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "GROQ", "ANTHROPIC"):
        monkeypatch.delenv(f"{provider}_API_KEY", raising=False)
        monkeypatch.delenv(f"{provider}_BASE_URL", raising=False)
    monkeypatch.delenv("CLEW_LLM_KEY", raising=False)


class TestOpenAILLM(LLMContract):
    @pytest.fixture
    def wire(self) -> Wire:
        return OpenAIWire()

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        return lambda url, **options: OpenAILLM(base_url=f"{url}/v1", **options)


class TestGroqLLM(LLMContract):
    @pytest.fixture
    def wire(self) -> Wire:
        return OpenAIWire(in_x_groq=True)

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        return lambda url, **options: GroqLLM(base_url=url, **options)


class TestAnthropicLLM(LLMContract):
    @pytest.fixture
    def wire(self) -> Wire:
        return AnthropicWire()

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        return lambda url, **options: AnthropicLLM(base_url=url, **options)
