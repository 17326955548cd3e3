"""OCI Generative AI keeps the contract of language models, in both of its forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest

from clew.models.providers.oci import OCIGenAILLM
from clew.testing.llm_contract import LLMContract, MakeLLM
from clew.testing.wires.base import Wire
from clew.testing.wires.oci import OCICohereWire, OCIWire, write_configuration


@pytest.fixture(scope="module")
def config_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_configuration(tmp_path_factory.mktemp("oci"))


class TestOCI(LLMContract):
    takes_keys: ClassVar[bool] = False
    bounds_replies: ClassVar[bool] = False
    api_format: ClassVar[Any] = "generic"

    @pytest.fixture
    def wire(self) -> Wire:
        return OCIWire()

    @pytest.fixture
    def make_llm(self, config_file: Path) -> MakeLLM:
        def make(url: str, **options: Any) -> OCIGenAILLM:
            return OCIGenAILLM(
                "ocid1.compartment.oc1..mill",
                base_url=url,
                config_file=config_file,
                api_format=self.api_format,
                **options,
            )

        return make


class TestOCIOfCohere(TestOCI):
    api_format: ClassVar[Any] = "cohere"

    @pytest.fixture
    def wire(self) -> Wire:
        return OCICohereWire()
