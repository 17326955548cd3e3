"""The public surface is what ``__all__`` says, and all of it is there when asked for."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import clew
from clew import errors


def _imported_for_type_checkers() -> dict[str, str]:
    """Name → module, of the block that only type checkers and editors read."""
    tree = ast.parse(Path(clew.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: node.module or ""
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_all_is_flat_and_what_is_loaded_on_use_is_what_type_checkers_see() -> None:
    assert len(clew.__all__) == len(set(clew.__all__))
    assert _imported_for_type_checkers() == clew._HOME_OF
    assert set(clew.__all__) == set(clew._HOME_OF) | {"__version__"}
    assert dir(clew) == sorted(clew.__all__)


@pytest.mark.parametrize("name", clew.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(clew, name) is not None


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing_such"):
        clew.nothing_such  # noqa: B018 - asking is the test


def test_star_import_brings_all() -> None:
    code = "from clew import *; print(KnowledgeBase.__name__, ClewError.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["KnowledgeBase", "ClewError"]


def test_every_error_is_public_and_in_the_tree() -> None:
    tree = errors.__doc__ or ""
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, errors.ClewError):
            assert getattr(clew, name) is value
            assert name in tree
            assert value.__doc__, name
