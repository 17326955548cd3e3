"""Bytes → text: byte order marks, strict UTF-8, UTF-16 without a mark, then the older encodings.

The locale never matters. What holds too many control characters to be a text is refused, so that
a picture named ``.txt`` does not become a document.
"""

from __future__ import annotations

import codecs
import re

from clew.documents.legacy_encodings import decode_legacy
from clew.errors import UnsupportedFormatError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 65_536
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROLS_UTF8 = 0.1
_MAX_CONTROLS_OTHER = 0.01
_FEW = 2
_MANY_ZEROS = 0.2  # UTF-16 of Latin text: half; of other scripts: the blanks and line ends
_FEW_ZEROS = 0.02
_MAX_DAMAGE = 0.25


def decode(data: bytes) -> str:
    """Return the text of ``data``, without byte order mark; raise for what is no text.

    >>> decode("“Norr”".encode("cp1252")), decode("食べ物".encode("shift_jis"))
    ('“Norr”', '食べ物')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _checked(data[len(mark) :].decode(encoding, "replace"), _MAX_CONTROLS_UTF8)
    wide = _without_mark(data)
    if wide is not None:
        return wide
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _checked(_damaged_utf8(data) or decode_legacy(data), _MAX_CONTROLS_OTHER)
    return _checked(text, _MAX_CONTROLS_UTF8)


def _checked(text: str, limit: float) -> str:
    sample = text[:_SAMPLE]
    controls = len(_CONTROLS.findall(sample))
    if controls > max(_FEW, limit * len(sample)):
        raise UnsupportedFormatError(
            f"it is binary, not text ({controls} control characters in the first {len(sample)}); "
            "give it the suffix of its format, or leave it out"
        )
    return text


def _without_mark(data: bytes) -> str | None:
    """UTF-16 shows as zero bytes that all lie on one side of the pairs."""
    sample = data[: _SAMPLE - _SAMPLE % 2]
    if len(data) % 2 or len(data) < 4:
        return None
    high, low = sample[0::2].count(0), sample[1::2].count(0)
    many, few = max(high, low), min(high, low)
    if many < _MANY_ZEROS * (len(sample) / 2) and (many < 2 or few):
        return None
    if few > _FEW_ZEROS * many:
        return None
    try:
        text = data.decode("utf-16-le" if low > high else "utf-16-be")
    except UnicodeDecodeError:
        return None
    plausible = sum(map(_is_text, text[:_SAMPLE]))
    return text if plausible >= 0.95 * len(text[:_SAMPLE]) else None


def _is_text(character: str) -> bool:
    return character.isalnum() or character.isprintable() or character in "\t\r\n\f"


def _damaged_utf8(data: bytes) -> str | None:
    """A text that is UTF-8 save for a few stray bytes keeps its letters; those become U+FFFD."""
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    sound = sum(character > "\x7f" for character in text) - damaged
    return text if damaged <= _MAX_DAMAGE * sound else None
