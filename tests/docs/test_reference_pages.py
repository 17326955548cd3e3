"""The reference pages say what the code says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from types import ModuleType

import pytest

from clew import errors
from clew.config import ClewConfig

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def generator(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("docs/generate_reference.py")


def test_the_committed_pages_are_current(generator: ModuleType) -> None:
    for name, text in generator.pages().items():
        committed = (DOCS / "reference" / name).read_text(encoding="utf-8")
        assert committed == text, f"{name}: run docs/generate_reference.py"


def test_every_setting_is_documented_once(generator: ModuleType) -> None:
    page = generator.pages()["configuration.md"]
    for item in fields(ClewConfig):
        assert page.count(f"| `{item.name}` |") == 1


def test_every_error_is_in_the_tree_and_in_the_table(generator: ModuleType) -> None:
    page = generator.pages()["errors.md"]
    tree, table = page.split("| error | when |")
    for name, kind in vars(errors).items():
        if isinstance(kind, type) and issubclass(kind, errors.ClewError):
            assert name in tree
            assert f"| `{name}` |" in table
