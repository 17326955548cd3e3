"""What is known of a source text in a programming language, whoever found it out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

_MOST_INSIDE = 500
"""How many definitions before a place are looked at: more than a class has methods."""


class Definition(NamedTuple):
    """A function, a class, … by offset; ``name`` is the qualified one, ``depth`` 0 outside of any
    other.
    """

    start: int
    end: int
    name: str
    depth: int


@dataclass(frozen=True, slots=True)
class CodeOutline:
    """``starts[depth]`` are the places where a piece of code may begin, outer ones first;
    definitions are in order of their starts.
    """

    starts: Sequence[Sequence[int]]
    definitions: Sequence[Definition]
    parser: str
    language: str = ""

    def symbol(self, offset: int) -> str:
        """Return the name of the innermost definition around ``offset``; ``""`` outside of all."""
        at = bisect_right(self.definitions, offset, key=lambda definition: definition.start)
        for definition in reversed(self.definitions[max(0, at - _MOST_INSIDE) : at]):
            if offset < definition.end:
                return definition.name
            if not definition.depth:
                break
        return ""


SUFFIXES = {
    **dict.fromkeys("py pyi pyw".split(), "python"),
    **dict.fromkeys("js mjs cjs jsx".split(), "javascript"),
    **dict.fromkeys("ts mts cts".split(), "typescript"),
    "tsx": "tsx",
    "java": "java",
    "go": "go",
    "rs": "rust",
    **dict.fromkeys("c h".split(), "c"),
    **dict.fromkeys("cc cpp cxx hpp hh hxx".split(), "cpp"),
    "cs": "csharp",
    "rb": "ruby",
    "php": "php",
    **dict.fromkeys("sh bash".split(), "bash"),
}


def language_of(name: str) -> str:
    """Return the language that the suffix of a file name tells; ``""`` for none that is known."""
    return SUFFIXES.get(name.rpartition(".")[2].lower(), "")
