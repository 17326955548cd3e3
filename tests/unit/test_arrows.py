"""Imports go one way: records, then the stages in the order of the data, then what uses them."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import clew

PACKAGE = Path(clew.__file__).parent

FOUNDATION = {"errors", "ids", "records", "settings", "results", "reports", "strict_yaml"}
ROOMS = {
    "errors": set(),
    "ids": set(),
    "records": set(),
    "settings": {"errors"},
    "strict_yaml": set(),
    "results": {"records", "models.base"},
    "reports": {"results", "models.base"},
    "text": FOUNDATION,
    "executors": FOUNDATION | {"models.extras"},
    "models": FOUNDATION | {"executors", "config"},
    "documents": FOUNDATION | {"text"},
    "chunking": FOUNDATION | {"text", "documents", "models.base"},
    "graph": FOUNDATION | {"text"},
    "extraction": FOUNDATION
    | {"text", "graph", "models.base", "models.purpose", "models.thoughts", "executors"}
    | {"config"},
    "stores": FOUNDATION | {"text", "models.base", "models.extras"},
    "retrieval": FOUNDATION
    | {"text", "models.base", "models.adapters", "models.default", "models.reranking"}
    | {"models.purpose", "models.wrappers.stack"}
    | {"stores.base", "stores.filters", "config"},
    "answering": FOUNDATION
    | {"text", "stores.base", "retrieval", "graph", "extraction.lexicon", "extraction.grounding"}
    | {"models.base", "models.purpose", "models.thoughts", "models.token_counting"},
    "exchange": FOUNDATION | {"text", "stores", "models.extras"},
    "evaluation": FOUNDATION
    | {"text", "documents", "executors", "extraction.base", "models.base", "stores", "retrieval"}
    | {"indexing", "config", "progress_lines"},
}
"""What each room may import besides itself; rooms not named here stand at the end of the way."""


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "clew":
                yield from (alias.name for alias in node.names)
            elif node.module.startswith("clew."):
                yield node.module.removeprefix("clew.")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"


@pytest.mark.parametrize(("module", "path"), list(_modules()))
def test_imports_follow_the_data(module: str, path: Path) -> None:
    room = module.split(".", maxsplit=1)[0]
    if room not in ROOMS:
        return
    for imported in _imports(path):
        if imported.split(".")[0] == room or module.endswith("config"):
            continue
        allowed = any(imported == door or imported.startswith(door + ".") for door in ROOMS[room])
        assert allowed, f"clew.{module} must not import clew.{imported}"


def test_importing_clew_loads_no_heavy_module_and_touches_no_file() -> None:
    heavy = ["onnxruntime", "tokenizers", "docx", "pptx", "pypdfium2", "selectolax", "rich",
             "typer", "prompt_toolkit", "yaml", "spacy", "hypothesis", "pytest",
             "sentence_transformers", "transformers", "torch", "ray"]  # fmt: skip
    code = f"import clew, sys; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert found.strip() == "[]"
