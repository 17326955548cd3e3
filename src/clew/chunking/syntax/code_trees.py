"""Code read by a parser: the syntax trees of tree-sitter, with the grammars of the extra ``code``.

The grammars are compiled into their wheels: nothing is fetched when code is read. A node that fits
into a chunk is not looked into, as in *cAST: Enhancing Code Retrieval-Augmented Generation with
Structural Chunking via Abstract Syntax Tree* (arXiv 2506.15655).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clew.chunking.syntax.code import CodeOutline, Definition
from clew.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node, Parser

Path = tuple[str, ...]

_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "java": ("tree_sitter_java", "language"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "bash": ("tree_sitter_bash", "language"),
}
LANGUAGES = tuple(_GRAMMARS)
_DEEPEST = 16
_WRAPS = ("definition", "declaration")
_LEADING = ("comment", "decorator", "attribute", "annotation")


def has_grammar(language: str) -> bool:
    """Whether code in this language can be parsed with what is installed."""
    if language not in _GRAMMARS or find_spec("tree_sitter") is None:
        return False
    return find_spec(_GRAMMARS[language][0]) is not None


def read_tree(text: str, language: str, most_chars: int) -> CodeOutline:
    """Return where code may be cut so that what fits into ``most_chars`` stays whole."""
    source = text.encode("utf-8", "surrogatepass")
    walk = _Walk(_offsets(text, source), most_chars)
    walk.visit(_parser(language).parse(source).root_node)
    starts = [sorted(places) for places in walk.starts]
    return CodeOutline(starts, sorted(walk.definitions), "tree-sitter", language)


class _Child(NamedTuple):
    node: Node
    start: int
    may_begin: bool


class _Walk:
    def __init__(self, offset: Callable[[int], int], most_chars: int) -> None:
        self.starts: list[set[int]] = []
        self.definitions: list[Definition] = []
        self._offset = offset
        self._most = most_chars

    def visit(self, root: Node) -> None:
        """Go down level by level into the nodes that are larger than a chunk."""
        level: list[tuple[Node, Path]] = [(root, ())]
        for _ in range(_DEEPEST):
            places: set[int] = set()
            inner: list[tuple[Node, Path]] = []
            for node, path in level:
                for child in self._children(node):
                    if child.may_begin:
                        places.add(child.start)
                    below = self._define(child, path)
                    if child.node.end_byte - child.node.start_byte > self._most:
                        inner.append((child.node, below))
            if places:
                self.starts.append(places)
            level = inner

    def _children(self, node: Node) -> Iterator[_Child]:
        """Yield the children of a node; comments and decorators go with what they lead."""
        body = node.child_by_field_name("body")
        lead: Node | None = None
        before: Node | None = None
        for child in node.named_children:
            gap = 1 if before is None else _gap(before, child)
            if gap > 1:
                lead = None
            begins = before is not None and lead is None and child != body and gap > 0
            yield _Child(child, self._offset((lead or child).start_byte), begins)
            is_lead = any(word in child.type for word in _LEADING)
            lead = (lead or child) if is_lead else None
            before = child

    def _define(self, child: _Child, path: Path) -> Path:
        """Note what a node defines; return the path of what lies in it."""
        node = child.node
        inner = next(
            (inner for field in _WRAPS if (inner := node.child_by_field_name(field))), node
        )
        name = inner.child_by_field_name("name")
        if name is None or name.text is None or inner.child_by_field_name("body") is None:
            return path
        if node.parent and any(node.parent.child_by_field_name(field) == node for field in _WRAPS):
            return path  # noted with its decorators already
        path = (*path, name.text.decode("utf-8", "replace"))
        end = self._offset(node.end_byte)
        self.definitions.append(Definition(child.start, end, ".".join(path), len(path) - 1))
        return path


def _gap(before: Node, node: Node) -> int:
    """How many lines ``node`` begins behind the end of ``before``."""
    return node.start_point[0] - before.end_point[0] + (before.end_point[1] == 0)


def _offsets(text: str, source: bytes) -> Callable[[int], int]:
    if len(source) == len(text):
        return lambda place: place
    begins = (np.frombuffer(source, np.uint8) & 0xC0) != 0x80
    counts: Sequence[int] = np.concatenate(([0], np.cumsum(begins))).tolist()
    return lambda place: counts[place]


@cache
def _parser(language: str) -> Parser:
    if language not in _GRAMMARS:
        raise ConfigError(f"language={language!r} is not one of {', '.join(LANGUAGES)}")
    module, function = _GRAMMARS[language]
    try:
        tree_sitter = import_module("tree_sitter")
        grammar = getattr(import_module(module), function)()
    except ImportError as error:
        raise MissingExtraError(
            f"{module} is not installed, which reads {language}: "
            "pip install 'clew[code]', or leave parser='auto'"
        ) from error
    parser: Parser = tree_sitter.Parser(tree_sitter.Language(grammar))
    return parser
