"""The marks by which Markdown tells blocks apart, as patterns over one line."""

from __future__ import annotations

import re

ATX_HEADING = re.compile(r"(#{1,6})(?:[ \t]|$)")
SETEXT_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+$")
FENCE = re.compile(r"(`{3,})[^`]*+$|(~{3,})")
RULE = re.compile(r"(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)$")
ITEM = re.compile(r"([-+*]|(\d{1,9})[.)])(?:([ \t]++)|$)")
DELIMITER_ROW = re.compile(
    r"[ \t]*(?!-[ \t]*$)\|?[ \t]*:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$"
)
_CELL_END = re.compile(r"(?<!\\)\|")

_BLOCK_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option "
    "p param search section summary table tbody td tfoot th thead title tr track ul"
)
_ATTRIBUTE = (
    r"""[ \t]++[a-zA-Z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?"""
)
_TAG = r"[a-z][a-z0-9-]*+"
_UNTIL_BLANK = re.compile(r"^[ \t]*$")

HTML_OPENINGS: tuple[tuple[re.Pattern[str], re.Pattern[str], bool], ...] = tuple(
    (re.compile(opening, re.IGNORECASE), closing, interrupts)
    for opening, closing, interrupts in (
        (
            r"<(?:script|pre|style|textarea)(?:[\s>]|$)",
            re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
            True,
        ),
        (r"<!--", re.compile(r"-->"), True),
        (r"<\?", re.compile(r"\?>"), True),
        (r"<![a-z]", re.compile(r">"), True),
        (r"<!\[CDATA\[", re.compile(r"\]\]>"), True),
        (rf"</?(?:{'|'.join(_BLOCK_TAGS.split())})(?:\s|/?>|$)", _UNTIL_BLANK, True),
        (
            rf"(?:<{_TAG}(?:{_ATTRIBUTE})*+[ \t]*+/?>|</{_TAG}[ \t]*+>)[ \t]*+$",
            _UNTIL_BLANK,
            False,
        ),
    )
)
"""What opens an HTML block, what closes it, and whether it may interrupt a paragraph."""


def cells(row: str) -> int:
    """Count the cells of a table row."""
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return len(_CELL_END.findall(inner)) + 1
