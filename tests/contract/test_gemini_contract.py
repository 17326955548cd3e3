"""Gemini, through both of Google's SDKs, keeps the contract of language models."""

from __future__ import annotations

from typing import Any

import pytest

from clew.models.providers.gemini import GeminiLLM
from clew.testing.llm_contract import LLMContract, MakeLLM
from clew.testing.wires.base import Wire
from clew.testing.wires.gemini import GeminiWire


class TestGeminiThroughGenAI(LLMContract):
    sdk = "genai"

    @pytest.fixture
    def wire(self) -> Wire:
        return GeminiWire(sse=self.sdk == "genai")

    @pytest.fixture
    def make_llm(self) -> MakeLLM:
        def make(url: str, **options: Any) -> GeminiLLM:
            return GeminiLLM(base_url=url, sdk=self.sdk, **options)

        return make


class TestGeminiThroughTheOlderSDK(TestGeminiThroughGenAI):
    sdk = "generativeai"
    bounds_replies = False
