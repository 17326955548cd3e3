"""Code read by a parser: the syntax trees of tree-sitter, with the grammars of the extra ``code``.

The grammars are compiled into their wheels: nothing is fetched when code is read. A node that fits
into a chunk is not looked into, as in *cAST: Enhancing Code Retrieval-Augmented Generation with
Structural Chunking via Abstract Syntax Tree* (arXiv 2506.15655).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from clew.chunking.syntax.code import CodeOutline, Definition
from clew.errors import ConfigError, MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tree_sitter import Node, Parser

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


class _Walk:
    def __init__(self, offset: Callable[[int], int], most_chars: int) -> None:
        self.starts: list[set[int]] = []
        self.definitions: list[Definition] = []
        self._offset = offset
        self._most = most_chars

    def visit(self, root: Node) -> None:
        """Go down level by level into the nodes that are larger than a chunk."""
        level: list[tuple[Node, str]] = [(root, "")]
        for _ in range(_DEEPEST):
            places: set[int] = set()
            inner: list[tuple[Node, str]] = []
            for node, path in level:
                places.update(self._places(node))
                for child in node.named_children:
                    name = self._name(child, path)
                    if child.end_byte - child.start_byte > self._most:
                        inner.append((child, name))
            if places:
                self.starts.append(places)
            level = inner
            if not level:
                return

    def _places(self, node: Node) -> list[int]:
        """Return where the children of a node begin that begin a line, each with what leads it."""
        body = node.child_by_field_name("body")
        places = []
        lead: Node | None = None
        before: Node | None = None
        for child in node.named_children:
            if lead is not None and before is not None and _gap(before, child) > 1:
                lead = None
            first = lead or child
            is_led = any(word in child.type for word in _LEADING)
            if before is not None and first is child and child != body and _gap(before, child) > 0:
                places.append(self._offset(child.start_byte))
            lead = first if is_led else None
            before = child
        return places

    def _name(self, node: Node, path: str) -> str:
        """Note what ``node`` defines; return the path of what lies in it."""
        inner = node.child_by_field_name("definition") or node
        name = inner.child_by_field_name("name")
        if name is None or inner.child_by_field_name("body") is None or name.text is None:
            return path
        said = name.text.decode("utf-8", "replace")
        path = f"{path}.{said}" if path else said
        span = self._offset(node.start_byte), self._offset(node.end_byte)
        self.definitions.append(Definition(*span, path))
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
