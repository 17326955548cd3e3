"""Scripts that are no part of the package, loaded as modules."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from clew.chunking import STRATEGIES, chunker_names, unregister_chunker

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def script() -> Iterator[Callable[[str], ModuleType]]:
    """Give a function that loads a script by its path in the repository."""
    loaded: list[str] = []

    def load(path: str) -> ModuleType:
        name = f"script_{Path(path).stem}"
        spec = importlib.util.spec_from_file_location(name, ROOT / path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look themselves up there
        loaded.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in loaded:
        sys.modules.pop(name, None)


@pytest.fixture(autouse=True)
def _forget_strategies() -> Iterator[None]:
    """What an example registers is for that example."""
    yield
    for name in set(chunker_names()) - set(STRATEGIES):
        unregister_chunker(name)
