"""``--where``: a filter as people write it, or as JSON.

::

    year >= 2020 and (lang = en or tags contains bridge)
    not draft = true and author.name in ["Ida Holm", Orm]
    when exists and when < 2024-01-31

``=  !=  >  >=  <  <=  in  not in  contains  exists  missing``, joined with ``and``, ``or``,
``not`` and brackets. A value in quotes is a text; without, a number, ``true``, ``false`` and
``null`` are what they look like, and anything else is a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from clew.errors import FilterError, nearest
from clew.stores.filters import parse_where

Where = Annotated[
    str | None,
    typer.Option(
        "--where",
        help="Filter by metadata: 'year >= 2020 and lang in [en, de]', or the same as JSON.",
    ),
]

_OPERATORS: Final = {
    "=": "$eq", "==": "$eq", "!=": "$ne", ">": "$gt", ">=": "$gte", "<": "$lt", "<=": "$lte",
}  # fmt: skip
_WORDS: Final = {"and", "or", "not", "in", "contains", "exists", "missing"}
_COMPARING: Final = "=, !=, >, >=, <, <=, in, not in, contains, exists, missing"
_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<sign>[=!<>]=?|[()\[\],])"""
    r"""|(?P<word>[^\s()\[\],=!<>"']+))"""
)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE)
_INTEGER: Final = re.compile(r"[+-]?\d{1,18}")
_NAMED: Final = {"true": True, "false": False, "null": None}

Clause = dict[str, Any]


def where_of(text: str | None) -> dict[str, Any] | None:
    """The clause that ``text`` says. Raises :class:`FilterError` with the place and what is valid.

    >>> where_of("year >= 2020 and not lang = en")
    {'$and': [{'year': {'$gte': 2020}}, {'$not': {'lang': {'$eq': 'en'}}}]}
    """
    if text is None:
        return None
    clause = _from_json(text) if text.lstrip().startswith("{") else _Reader(text).clause()
    parse_where(clause)
    return clause


def _from_json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise FilterError(
            f"--where {text!r} is not JSON ({error.msg} at character {error.pos + 1}); "
            "write it like '{\"year\": {\"$gte\": 2020}}', or as 'year >= 2020'"
        ) from error
    assert isinstance(value, dict), "it begins with a brace"
    return value


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


class _Reader:
    """Reads one expression from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split())
        self._next = 0

    def clause(self) -> dict[str, Any]:
        found = self._any()
        if self._token.kind != "end":
            raise self._fault("'and', 'or', or the end")
        return found

    def _split(self) -> Iterator[_Token]:
        at = 0
        while self._text[at:].strip():
            match = _TOKEN.match(self._text, at)
            if match is None:
                start = at + len(self._text[at:]) - len(self._text[at:].lstrip())
                raise FilterError(
                    f"--where {self._text!r}: the quotation from character {start + 1} on is not "
                    "closed"
                )
            kind = match.lastgroup or ""
            yield _Token(kind, match[kind], match.start(kind))
            at = match.end()
        yield _Token("end", "", len(self._text))

    def _any(self) -> dict[str, Any]:
        return self._joined("or", "$or", self._all)

    def _all(self) -> dict[str, Any]:
        return self._joined("and", "$and", self._one)

    def _joined(self, word: str, name: str, part: Callable[[], Clause]) -> Clause:
        parts = [part()]
        while self._take_word(word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else {name: parts}

    def _one(self) -> dict[str, Any]:
        if self._take_word("not"):
            return {"$not": self._one()}
        if self._take_sign("("):
            inside = self._any()
            if not self._take_sign(")"):
                raise self._fault("')'")
            return inside
        return self._comparison()

    def _comparison(self) -> dict[str, Any]:
        token = self._token
        if token.kind not in {"word", "quoted"} or self._is_word(*_WORDS):
            raise self._fault("a key such as year or author.name, 'not', or '('")
        self._next += 1
        key = _unquoted(token)
        return {key: self._test(key)}

    def _test(self, key: str) -> dict[str, Any]:
        """What stands behind a key."""
        negated = self._take_word("not")
        if self._take_word("in"):
            return {"$nin" if negated else "$in": self._list()}
        if negated:
            raise self._fault("'in' behind 'not'")
        for word, there in (("exists", True), ("missing", False)):
            if self._take_word(word):
                return {"$exists": there}
        if self._take_word("contains"):
            return {"$contains": self._value()}
        if self._token.kind == "sign" and self._token.text in _OPERATORS:
            name = _OPERATORS[self._token.text]
            self._next += 1
            return {name: self._value()}
        raise self._fault(f"one of {_COMPARING} behind {key!r}")

    def _list(self) -> list[Any]:
        closing = "]" if self._take_sign("[") else ")" if self._take_sign("(") else ""
        if not closing:
            raise self._fault("a list such as [en, de]")
        values: list[Any] = []
        while not self._take_sign(closing):
            if values and not self._take_sign(","):
                raise self._fault(f"',' or {closing!r}")
            values.append(self._value())
        return values

    def _value(self) -> Any:
        token = self._token
        if token.kind not in {"word", "quoted"}:
            raise self._fault("a value")
        self._next += 1
        if token.kind == "quoted":
            return _unquoted(token)
        if _NUMBER.fullmatch(token.text):
            return int(token.text) if _INTEGER.fullmatch(token.text) else float(token.text)
        return _NAMED.get(token.text.casefold(), token.text)

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _is_word(self, *words: str) -> bool:
        return self._token.kind == "word" and self._token.text.casefold() in words

    def _take_word(self, word: str) -> bool:
        taken = self._is_word(word)
        self._next += taken
        return taken

    def _take_sign(self, sign: str) -> bool:
        taken = self._token.kind == "sign" and self._token.text == sign
        self._next += taken
        return taken

    def _fault(self, expected: str) -> FilterError:
        token = self._token
        found = repr(token.text) if token.kind != "end" else "the end"
        hint = nearest(token.text.casefold(), _WORDS) if token.kind == "word" else ""
        return FilterError(
            f"--where {self._text!r}: expected {expected} at character {token.at + 1}, found "
            f"{found}{hint}. Write it like 'year >= 2020 and lang in [en, de]'; a text with blanks "
            "or signs stands in quotes"
        )


def _unquoted(token: _Token) -> str:
    if token.kind != "quoted":
        return token.text
    return re.sub(r"\\(.)", r"\1", token.text[1:-1])
