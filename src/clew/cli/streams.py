"""Standard streams that no locale, closed descriptor or hostile text can break."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

_CONTROLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_CONTROLS |= dict.fromkeys(range(0x7F, 0xA0), 0x2421)
_REORDERING = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)
_VISIBLE = _CONTROLS | _REORDERING


def prepare_streams() -> None:
    """Make every standard stream usable: one that is closed reads and writes nothing, and a
    character that its encoding lacks is escaped.
    """
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    if sys.stdout is None:
        sys.stdout = _nothing("w")
    if sys.stderr is None:
        sys.stderr = _nothing("w")
    for stream, errors in (
        (sys.stdin, "replace"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def speaks_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def visible(text: str) -> str:
    """``text`` without what would steer a terminal: control characters become their pictures, and
    marks that change the direction of writing a replacement character.

    >>> visible("a\\x1b[31mb")
    'a␛[31mb'
    """
    return text if text.isascii() and text.isprintable() else text.translate(_VISIBLE)


def _nothing(mode: str) -> io.TextIOWrapper:
    stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - for the whole run
    assert isinstance(stream, io.TextIOWrapper)
    return stream
