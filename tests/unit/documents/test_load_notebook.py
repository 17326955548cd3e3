"""Notebooks: Markdown cells with their structure, code, text outputs."""

import json
from pathlib import Path
from typing import Any

import pytest

from clew.documents import load_file
from clew.errors import BrokenDocumentError
from clew.records import BlockKind, Document


def load(path: Path, notebook: Any) -> Document:
    path.write_text(json.dumps(notebook))
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def test_cells_in_order(tmp_path: Path) -> None:
    outputs = [
        {"output_type": "stream", "text": ["1911\n"]},
        {"output_type": "execute_result", "data": {"text/plain": "7", "image/png": "AAAA"}},
        {"output_type": "error", "ename": "KeyError", "evalue": "\x1b[31m'tern'\x1b[0m"},
        {"output_type": "display_data", "data": {"image/png": "AAAA"}},
    ]
    cells = [
        {"cell_type": "markdown", "source": ["# Boats\n", "\n", "Two of *them*.\n"]},
        {"cell_type": "code", "source": "year = 1911\nprint(year)", "outputs": outputs},
        {"cell_type": "raw", "source": "raw words"},
        {"cell_type": "code", "source": "", "outputs": []},
    ]
    document = load(tmp_path / "a.ipynb", {"nbformat": 4, "cells": cells, "metadata": {}})
    found = [(b.kind, document.text[b.start : b.end].strip()) for b in document.blocks]
    assert found == [
        (BlockKind.HEADING, "# Boats"),
        (BlockKind.PARAGRAPH, "Two of *them*."),
        (BlockKind.CODE, "year = 1911\nprint(year)"),
        (BlockKind.CODE, "1911"),
        (BlockKind.CODE, "7"),
        (BlockKind.CODE, "KeyError: 'tern'"),
        (BlockKind.PARAGRAPH, "raw words"),
    ]
    assert document.title == "Boats"


def test_worksheets_of_format_3(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Boats"},
        {"cell_type": "code", "input": "1 + 1", "outputs": [{"output_type": "pyout", "text": "2"}]},
    ]
    document = load(tmp_path / "a.ipynb", {"nbformat": 3, "worksheets": [{"cells": cells}]})
    assert document.text == "Boats\n\n1 + 1\n\n2"


@pytest.mark.parametrize("content", ["[]", "7", '"x"'])
def test_other_json_is_no_notebook(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(content)
    with pytest.raises(BrokenDocumentError, match="no notebook"):
        list(load_file(path))


def test_odd_cells_are_passed_over(tmp_path: Path) -> None:
    document = load(
        tmp_path / "a.ipynb", {"cells": [None, 7, {"cell_type": "code"}, {"source": 1}]}
    )
    assert document.text == ""
