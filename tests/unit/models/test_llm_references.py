"""How language models are named, and which class a name makes."""

from __future__ import annotations

from importlib import import_module
from inspect import signature

import pytest

from clew.config import ClewConfig, settings_from_environment
from clew.errors import ConfigError, MissingModelError
from clew.models import AnthropicLLM, GroqLLM, OpenAILLM
from clew.models.default import (
    _ADDRESS_OPTION,
    _LLM_CLASSES,
    _SEEDLESS,
    default_llm,
    resolve_llm,
)
from clew.models.llm_references import EXAMPLES, LLMReference, llm_reference
from clew.testing import ScriptedLLM


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in ("OPENAI", "GROQ", "ANTHROPIC"):
        monkeypatch.delenv(f"{provider}_API_KEY", raising=False)
        monkeypatch.delenv(f"{provider}_BASE_URL", raising=False)
    monkeypatch.delenv("CLEW_LLM_KEY", raising=False)


@pytest.mark.parametrize(
    ("text", "provider", "model", "url"),
    [
        ("none", "none", "", ""),
        (" openai:gpt-4o-mini ", "openai", "gpt-4o-mini", ""),
        ("OpenAI:gpt-4o-mini", "openai", "gpt-4o-mini", ""),
        ("openai:qwen@http://[::1]:80/v1/", "openai", "qwen", "http://[::1]:80/v1"),
        ("openai:qwen@https://user:pass@host/v1", "openai", "qwen", "https://user:pass@host/v1"),
        ("openai:m@https://h/v1?api-version=1", "openai", "m", "https://h/v1?api-version=1"),
        ("groq:openai/gpt-oss-20b", "groq", "openai/gpt-oss-20b", ""),
        ("anthropic:claude@20260101", "anthropic", "claude@20260101", ""),
        ("ollama:llama3:8b@http://gpu:11434", "ollama", "llama3:8b", "http://gpu:11434"),
        ("ollama:hf.co/org/model:Q4_K_M", "ollama", "hf.co/org/model:Q4_K_M", ""),
        ("gemini:gemini-2.5-flash", "gemini", "gemini-2.5-flash", ""),
        ("oci:ocid1.generativeaimodel.oc1..x", "oci", "ocid1.generativeaimodel.oc1..x", ""),
    ],
)
def test_every_form_is_read(text: str, provider: str, model: str, url: str) -> None:
    found = llm_reference("llm_model", text)
    assert (found.provider, found.model, found.url) == (provider, model, url)
    assert ClewConfig(llm_model=text).llm_model == text


@pytest.mark.parametrize(("provider", "example"), EXAMPLES.items())
def test_the_examples_are_right(provider: str, example: str) -> None:
    assert llm_reference("llm_model", example) == LLMReference(
        provider=next(known for known in EXAMPLES if known == provider),
        model=example.partition(":")[2],
    )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "write none, or PROVIDER:MODEL"),
        ("opnai:gpt-4o", "did you mean 'openai'"),
        ("nonee", "did you mean 'none'"),
        ("groq", "such as groq:"),
        ("gpt-4o-mini", "did you mean 'openai:gpt-4o-mini'"),
        ("claude-haiku-4-5", "did you mean 'anthropic:claude-haiku-4-5'"),
        ("llama3:8b", "did you mean 'ollama:llama3:8b'"),
        ("http://host/v1", "write none, or PROVIDER:MODEL"),
        ("openai:", "such as openai:gpt-4o-mini"),
        ("openai: ", "such as openai:gpt-4o-mini"),
        ("openai: @http://host/v1", "write openai:gpt-4o-mini, and for a server"),
        ("openai:m@localhost:80/v1", r"openai:MODEL@http://HOST:PORT"),
        ("openai:m@http://", r"openai:MODEL@http://HOST:PORT"),
        ("openai:m@http://host:port/v1", r"openai:MODEL@http://HOST:PORT"),
    ],
)
def test_what_names_no_model_is_refused_with_what_was_meant(text: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=r"llm_model=.*") as caught:
        ClewConfig(llm_model=text)
    assert hint in str(caught.value)


def test_none_is_none() -> None:
    assert default_llm(ClewConfig()) is None
    assert resolve_llm(None, ClewConfig()) is None
    given = ScriptedLLM([(".*", "yes")])
    assert resolve_llm(given, ClewConfig(llm_model="openai:x")) is given


def test_a_named_model_is_made_with_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    config = ClewConfig(
        llm_model="openai:small-1@http://127.0.0.1:9/v1", llm_temperature=0.5, llm_seed=7
    )
    llm = default_llm(config)
    assert isinstance(llm, OpenAILLM)
    named = "openai/small-1/http://127.0.0.1:9/v1/seed=7/temperature=0.5"
    assert llm.fingerprint == named
    monkeypatch.setenv("CLEW_LLM_KEY", "k")
    groq = default_llm(config.replace(llm_model="groq:small-1"))
    assert isinstance(groq, GroqLLM)
    assert groq.fingerprint == "groq/small-1/seed=7/temperature=0.5"
    claude = default_llm(config.replace(llm_model="anthropic:small-1"))
    assert isinstance(claude, AnthropicLLM)
    assert claude.fingerprint == "anthropic/small-1/temperature=0.5", "it takes no seed"


@pytest.mark.parametrize(
    ("text", "variable"),
    [("openai:m", "OPENAI_API_KEY"), ("groq:m", "GROQ_API_KEY"), ("anthropic:m", "ANTHROPIC_API")],
)
def test_a_key_that_is_missing_is_said_at_once(text: str, variable: str) -> None:
    with pytest.raises(MissingModelError, match=rf"{text} needs a key: set {variable}"):
        default_llm(ClewConfig(llm_model=text))


@pytest.mark.parametrize("provider", EXAMPLES)
def test_every_class_takes_what_the_settings_say(provider: str) -> None:
    module, name = _LLM_CLASSES[provider]
    kind = getattr(import_module(f"clew.models.providers.{module}"), name)
    taken = set(signature(kind).parameters)
    wanted = {"model", "temperature", "timeout_s", _ADDRESS_OPTION.get(provider, "base_url")}
    assert wanted <= taken
    assert ("seed" in taken) == (provider not in _SEEDLESS)


def test_variables_of_models_are_no_misspelt_settings() -> None:
    environment = {"CLEW_LLM_KEY": "k", "CLEW_TEST_LLM": "openai:m", "CLEW_LLM_MODEL": "groq:m"}
    assert settings_from_environment(environment=environment) == {"llm_model": "groq:m"}


def test_models_are_found_in_their_room() -> None:
    room = import_module("clew.models")
    for name in room.__all__:
        assert getattr(room, name).__name__ == name
    assert dir(room) == sorted(room.__all__)
    with pytest.raises(AttributeError, match="no attribute 'OpenAILM'"):
        room.OpenAILM  # noqa: B018 - asking is the test
