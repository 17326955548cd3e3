"""Code by syntax trees and by lines."""

from __future__ import annotations

import sys

import pytest

from clew.chunking import CodeChunker, chunk_by
from clew.chunking.syntax.code import language_of
from clew.chunking.syntax.code_lines import read_lines
from clew.chunking.syntax.code_trees import LANGUAGES, read_tree
from clew.errors import ConfigError, MissingExtraError
from clew.records import Chunk, Document
from clew.testing.chunk_contract import ChunkContract

BRIDGES = '''"""Bridges."""

import os

LIMIT = 3


# How long a bridge stands.
@cached
@traced
def age(bridge, year):
    if year < bridge.year:
        raise ValueError(year)

    return year - bridge.year


class Bridge:
    """One bridge."""

    def __init__(self, name):
        self.name = name

    @property
    def length(self):
        return sum(self.parts)

    async def open(self):
        await self.gate.open()
'''
GATE = """import x from "y";

// Adds.
export function add(a, b) {
  return a + b;
}

export class Gate {
  /** Opens. */
  open(who) {
    return this.lock.open(who);
  }

  close() { return 1; }
}
"""


def _chunks(text: str, size: int, name: str, parser: str = "auto") -> tuple[Chunk, ...]:
    document = Document(id="d", doc_id=name, source=f"src/{name}", text=text)
    return chunk_by(CodeChunker(max_size=size, parser=parser), document)


@pytest.mark.parametrize("parser", ["tree-sitter", "lines"])
def test_definitions_stay_whole_with_decorators_and_comments(parser: str) -> None:
    chunks = _chunks(BRIDGES, 180, "bridges.py", parser)
    assert [chunk.text.split("\n")[0] for chunk in chunks] == [
        '"""Bridges."""',
        "# How long a bridge stands.",
        "class Bridge:",
        "    async def open(self):",
    ]
    assert [chunk.metadata["code_symbol"] for chunk in chunks] == [
        "",
        "age",
        "Bridge",
        "Bridge.open",
    ]
    assert {chunk.metadata["code_parser"] for chunk in chunks} == {parser}
    assert {chunk.metadata["code_language"] for chunk in chunks} == {"python"}


@pytest.mark.parametrize("parser", ["tree-sitter", "lines"])
def test_indentation_is_kept(parser: str) -> None:
    for size in (60, 90, 130):
        for chunk in _chunks(BRIDGES, size, "bridges.py", parser):
            line = BRIDGES[BRIDGES.rfind("\n", 0, chunk.start) + 1 :].split("\n", maxsplit=1)[0]
            assert chunk.text.split("\n")[0] == line or len(chunk.text) >= size - 8
            assert len(chunk.text) <= size


@pytest.mark.parametrize("parser", ["tree-sitter", "lines"])
def test_braces(parser: str) -> None:
    chunks = _chunks(GATE, 90, "gate.js", parser)
    assert chunks[0].text.endswith("// Adds.\nexport function add(a, b) {\n  return a + b;\n}")
    assert chunks[1].text == GATE[GATE.index("export class") : GATE.index("\n\n  close")]
    assert chunks[2].text == "  close() { return 1; }\n}"


def test_body_is_not_parted_from_its_head_while_it_fits() -> None:
    text = "def long_name_of_a_function(argument_one, argument_two):\n    return argument_one\n" * 3
    chunks = _chunks(text, 90, "a.py")
    assert len(chunks) == 3
    assert all(chunk.text.startswith("def long") for chunk in chunks)


def test_offsets_are_characters() -> None:
    size = 'def größe():\n    return "🇳🇴"\n\n\n'
    text = f'"""Brücke über den Fluß, 橋."""\n\n\n{size}def zwei():\n    pass\n'
    chunks = _chunks(text, 50, "a.py", "tree-sitter")
    assert [chunk.text.split("\n")[0] for chunk in chunks[1:]] == ["def größe():", "def zwei():"]
    assert chunks[1].metadata["code_symbol"] == "größe"


SNIPPETS = {
    "python": ("def one():\n    a = 1\n    return a\n", "one"),
    "javascript": ("function one() {\n  return 1;\n}\n", "one"),
    "typescript": ("function one(a: number): number {\n  return a;\n}\n", "one"),
    "tsx": ("function one() {\n  return <b>1</b>;\n}\n", "one"),
    "java": ("class One {\n  int a = 1;\n}\n", "One"),
    "go": ("func one() int {\n\treturn 1\n}\n", "one"),
    "rust": ("pub fn one() -> i32 {\n    1\n}\n", "one"),
    "c": ("int one(void) {\n  return 1;\n}\n", ""),
    "cpp": ("class One {\n  int a;\n};\n", "One"),
    "csharp": ("class One {\n  int a = 1;\n}\n", "One"),
    "ruby": ("def one\n  1\nend\n", "one"),
    "php": ("<?php\nfunction one() {\n  return 1;\n}\n", "one"),
    "bash": ("one() {\n  echo 1\n}\n", "one"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_grammar_is_in_its_wheel(language: str) -> None:
    snippet, name = SNIPPETS[language]
    code = read_tree(snippet + "\n" + snippet.removeprefix("<?php\n"), language, 30)
    assert code.starts
    assert {definition.name for definition in code.definitions} == ({name} if name else set())


@pytest.mark.parametrize("language", ["java", "go", "rust", "cpp", "ruby"])
def test_lines_find_definitions_in_any_language(language: str) -> None:
    snippet, name = SNIPPETS[language]
    code = read_lines(snippet)
    assert [definition.name for definition in code.definitions] == [name]


def test_control_flow_defines_nothing() -> None:
    text = "int main(int argc) {\n  for (int i = 0; i < 3; i++) {\n  }\n  if (argc) {\n  }\n}\n"
    assert [definition.name for definition in read_lines(text).definitions] == ["main"]


def test_language_is_told_by_the_suffix_or_given() -> None:
    assert language_of("a/b/c.PY") == "python"
    assert language_of("README") == ""
    (chunk,) = _chunks("x = 1", 50, "notes.txt")
    assert chunk.metadata["code_parser"] == "lines"
    document = Document(id="d", doc_id="d", text="x = 1")
    (chunk,) = chunk_by(CodeChunker(language="python"), document)
    assert chunk.metadata["code_parser"] == "tree-sitter"


def test_parser_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="parser='trees' is not one of auto"):
        CodeChunker(parser="trees")
    with pytest.raises(ConfigError, match="language='cobol' is not one of python"):
        _ = chunk_by(
            CodeChunker(parser="tree-sitter", language="cobol"),
            Document(id="d", doc_id="d", text="x"),
        )
    from clew.chunking.syntax import code_trees

    code_trees._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[code\]'"):
        _chunks("func one() {}", 50, "a.go", "tree-sitter")


def test_broken_code_is_still_cut() -> None:
    text = "def (:\n  ]]] }} class\n" * 40
    for parser in ("tree-sitter", "lines"):
        chunks = _chunks(text, 100, "a.py", parser)
        assert max(len(chunk.text) for chunk in chunks) <= 100


def test_blanks_before_a_line_do_not_make_the_overlap_too_long() -> None:
    text = "- [7 End]\n    - [8.1 First part]\n    - [8.2 Second part]\n- [9 Last]\n"
    for size in range(24, 60):
        for overlap in range(1, size // 2):
            chunks = chunk_by(
                CodeChunker(max_size=size, overlap=overlap), Document(id="d", doc_id="d", text=text)
            )
            faults = list(ChunkContract(text).faults(chunks, size=size, overlap=overlap))
            assert not faults, (size, overlap, faults)
