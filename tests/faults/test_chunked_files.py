"""Files whose content chunkers are known to lose: JSON, HTML, code."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.chunking import STRATEGIES, ChunkingConfig, ChunkingResult
from clew.chunking.choosing import chooser

JSON = """{
  "mill": {"name": "Orm Mill", "built": 1742, "height_m": 12.50, "sails": null},
  "open": true, "leaks": false, "floors": [0, -1, 2.75e3, "attic"],
  "owner": {"id": "A-17", "note": ""}
}"""
SCALARS = (
    "Orm Mill",
    "1742",
    "12.50",
    "null",
    "true",
    "false",
    "0",
    "-1",
    "2.75e3",
    "attic",
    "A-17",
)

HTML = """<!doctype html><html><head><title>Orm Mill</title>
<style>.mill { color: peru }</style><script>var token = "sesame";</script></head>
<body onload="start()"><h1>Orm Mill</h1><p>It grinds <b>rye</b> &amp; oats.</p>
<script type="application/ld+json">{"hidden": "gears"}</script>
<svg><style>path { fill: teal }</style></svg>
<table><tr><th>year</th><th>sacks</th></tr><tr><td>1931</td><td>420</td></tr></table></body></html>"""
DROPPED = ("peru", "sesame", "start()", "gears", "teal", "color", "<")

CODE = '''"""Gears of the mill."""

from functools import cache


@cache
def teeth(wheel: int) -> int:
    if wheel:
        return 8 * \\
            wheel
    return 0


class Sail:
    """One of four."""

    @property
    def area(self) -> int:
\t\treturn 12

    @staticmethod
    @cache
    def count() -> int:
        return 4
'''
BY_CONTENT = [name for name in STRATEGIES if name not in {"fixed-window", "token-window"}]
"""Windows end wherever they end, even inside a number."""


def _chunked(path: Path, text: str, strategy: str, size: int = 400) -> ChunkingResult:
    path.write_text(text, encoding="utf-8")
    config = ChunkingConfig(chunk_size=size, chunk_overlap=0)
    names = [] if strategy == "adaptive" else [strategy]
    return chooser(config, names).chunk_file(path)


@pytest.mark.parametrize("strategy", BY_CONTENT)
def test_json_keeps_its_scalars(tmp_path: Path, strategy: str) -> None:
    result = _chunked(tmp_path / "mill.json", JSON, strategy, size=80)
    text = " ".join(chunk.text for chunk in result.chunks)
    assert [scalar for scalar in SCALARS if scalar not in text] == []
    for key in ("mill.name", "mill.height_m", "floors", "owner.id"):
        assert f"{key}:" in text


@pytest.mark.parametrize("size", [30, 60, 400])
def test_json_as_text_keeps_every_character_and_its_values_whole(size: int) -> None:
    config = ChunkingConfig(chunk_size=size, chunk_overlap=0)
    chunks = chooser(config, ["json"]).chunk(JSON).chunks
    joined = "".join(chunk.text for chunk in chunks)
    assert "".join(joined.split()) == "".join(JSON.split())
    for scalar in ('"Orm Mill"', "1742", "12.50", "null", "2.75e3", '"A-17"'):
        assert any(scalar in chunk.text for chunk in chunks)
    assert json.loads(JSON)["floors"] == [0, -1, 2750.0, "attic"]


@pytest.mark.parametrize("strategy", BY_CONTENT)
def test_html_drops_scripts_and_styles(tmp_path: Path, strategy: str) -> None:
    result = _chunked(tmp_path / "mill.html", HTML, strategy, size=60)
    text = " ".join(chunk.text for chunk in result.chunks)
    assert [word for word in DROPPED if word in text] == []
    for kept in ("Orm Mill", "rye & oats", "1931", "420"):
        assert kept in text


@pytest.mark.parametrize("strategy", BY_CONTENT)
def test_code_loses_no_line_of_its_file(tmp_path: Path, strategy: str) -> None:
    result = _chunked(tmp_path / "mill.py", CODE, strategy, size=120)
    for chunk in result.chunks:
        assert CODE[chunk.start : chunk.end] == chunk.text
    lines = [line.strip() for chunk in result.chunks for line in chunk.text.splitlines()]
    assert list(filter(None, lines)) == list(filter(None, map(str.strip, CODE.splitlines())))


@pytest.mark.parametrize("size", [130, 200])
def test_code_keeps_its_indentation_and_decorators(tmp_path: Path, size: int) -> None:
    result = _chunked(tmp_path / "mill.py", CODE, "code", size=size)
    for chunk in result.chunks:
        lines = [line for line in chunk.text.splitlines() if line.strip()]
        assert {*lines} <= {*CODE.splitlines()}, "the indentation of every line, the first too"
        assert not lines[-1].lstrip().startswith("@"), "no decorator without its function"
    (cached,) = [chunk.text for chunk in result.chunks if "def teeth" in chunk.text]
    assert "@cache\ndef teeth" in cached
    ast.parse(cached)
    (counted,) = [chunk.text for chunk in result.chunks if "def count" in chunk.text]
    assert "    @staticmethod\n    @cache\n    def count" in counted
    (area,) = [chunk.text for chunk in result.chunks if "def area" in chunk.text]
    assert "    @property\n    def area(self) -> int:\n\t\treturn 12" in area


def test_what_is_in_such_files_is_found(tmp_path: Path) -> None:
    for name, text in {"mill.json": JSON, "mill.html": HTML, "mill.py": CODE}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with KnowledgeBase.in_memory(config=ClewConfig(embedding_model="none")) as kb:
        assert kb.ingest(tmp_path).counts == {"inserted": 3}
        assert any("height_m: 12.50" in item.content for item in kb.search("Orm Mill").items)
        assert "@cache" in kb.search("teeth of a wheel").items[0].content
        assert all("sesame" not in item.content for item in kb.search("sesame token").items)
