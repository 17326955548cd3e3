"""The models that ``clew.models`` names are there, and loading them loads no SDK."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clew import models


@pytest.mark.parametrize("name", models.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(models, name).__name__ == name
    assert models._HOME_OF[name] == getattr(models, name).__module__


def test_names_agree() -> None:
    assert sorted(models._HOME_OF) == models.__all__ == dir(models)
    with pytest.raises(AttributeError, match="NothingLLM"):
        _ = models.NothingLLM


def test_no_sdk_is_loaded_for_a_name() -> None:
    sdks = ["google.genai", "google.ai", "ollama", "openai", "anthropic", "groq", "oci", "httpx",
            "langchain_core", "sentence_transformers", "requests", "grpc"]  # fmt: skip
    code = (
        "import sys, clew.models as m; [getattr(m, name) for name in m.__all__]; "
        f"print([name for name in {sdks} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
