"""The models that clew asks: protocols, adapters, wrappers and providers.

What is named here is loaded on use, and the package of a provider when its class is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.models.openai_embedding import OpenAIEmbedding
    from clew.models.providers.anthropic import AnthropicLLM
    from clew.models.providers.gemini import GeminiLLM
    from clew.models.providers.gemini_embedding import GeminiEmbedding
    from clew.models.providers.groq import GroqLLM
    from clew.models.providers.langchain import LangChainLLMAdapter
    from clew.models.providers.langchain_embedding import LangChainEmbeddingAdapter
    from clew.models.providers.oci import OCIGenAILLM
    from clew.models.providers.oci_embedding import OCIGenAIEmbedding
    from clew.models.providers.ollama import OllamaLLM
    from clew.models.providers.ollama_embedding import OllamaEmbedding
    from clew.models.providers.openai import OpenAILLM
    from clew.models.sentence_transformers import HuggingFaceEmbedding

__all__ = [
    "AnthropicLLM",
    "GeminiEmbedding",
    "GeminiLLM",
    "GroqLLM",
    "HuggingFaceEmbedding",
    "LangChainEmbeddingAdapter",
    "LangChainLLMAdapter",
    "OCIGenAIEmbedding",
    "OCIGenAILLM",
    "OllamaEmbedding",
    "OllamaLLM",
    "OpenAIEmbedding",
    "OpenAILLM",
]

_HOME_OF = {
    "AnthropicLLM": "clew.models.providers.anthropic",
    "GeminiEmbedding": "clew.models.providers.gemini_embedding",
    "GeminiLLM": "clew.models.providers.gemini",
    "GroqLLM": "clew.models.providers.groq",
    "HuggingFaceEmbedding": "clew.models.sentence_transformers",
    "LangChainEmbeddingAdapter": "clew.models.providers.langchain_embedding",
    "LangChainLLMAdapter": "clew.models.providers.langchain",
    "OCIGenAIEmbedding": "clew.models.providers.oci_embedding",
    "OCIGenAILLM": "clew.models.providers.oci",
    "OllamaEmbedding": "clew.models.providers.ollama_embedding",
    "OllamaLLM": "clew.models.providers.ollama",
    "OpenAIEmbedding": "clew.models.openai_embedding",
    "OpenAILLM": "clew.models.providers.openai",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'clew.models' has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
