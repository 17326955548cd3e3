"""Encodings from before Unicode, told apart by what their bytes can mean.

Statistical detectors need a page of text. Short texts are decided by signs first: high bytes that
stand alone between ASCII letters are Western European; runs of pairs that read as kana are
Japanese; as Hangul from the first 25 rows of the table, Korean. What shows no sign goes to
charset-normalizer.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from charset_normalizer import from_bytes

_SAMPLE = 65_536
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
# ‘ ’ “ ” • – — … € ™ and the blank, at the same place in every Windows code page
_TYPOGRAPHY = re.compile(rb"[\x80\x85\x91-\x97\x99\xa0]+")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_JAPANESE = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_HANGUL_LEAD = re.compile(rb"[\xa1-\xfe]{2}")
_KANA_SHARE = 0.15
_LONE_SHARE = 0.8


def decode_legacy(data: bytes) -> str:
    """Return the text of bytes that are no Unicode encoding."""
    sample = data[:_SAMPLE]
    for encoding, sign in _SIGNS:
        if sign(sample):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    best = from_bytes(data).best()
    return data.decode("cp1252", "replace") if best is None else str(best)


def _is_western(sample: bytes) -> bool:
    """High bytes stand alone, and each one inside a word is a letter there."""
    runs = _HIGH_RUN.findall(sample)
    lone = sum(len(run) == 1 or _TYPOGRAPHY.fullmatch(run) is not None for run in runs)
    if lone < _LONE_SHARE * len(runs):
        return False
    text = sample.decode("cp1252", "replace")
    inside = re.findall(r"(?<=[a-z])[^\x00-\x7f](?=[a-z])", text)
    return all(character.isalpha() or character in "’‘–—…" for character in inside)


def _is_shift_jis(sample: bytes) -> bool:
    return _reads_as_japanese(sample, "cp932")


def _is_euc_jp(sample: bytes) -> bool:
    return _reads_as_japanese(sample, "euc_jp")


def _reads_as_japanese(sample: bytes, encoding: str) -> bool:
    text = sample.decode(encoding, "ignore")
    wide = [character for character in text if character > "\x7f"]
    kana = len(_KANA.findall(text))
    if _HALF_WIDTH.search(text) or kana < _KANA_SHARE * len(wide):
        return False
    return bool(kana) and sum(map(bool, map(_JAPANESE.match, wide))) >= 0.95 * len(wide)


def _is_korean(sample: bytes) -> bool:
    """Hangul fills the rows B0–C8; Chinese text goes far beyond them."""
    leads = [pair[0] for pair in _HANGUL_LEAD.findall(sample) if pair[0] >= 0xB0]
    return len(leads) > 1 and all(lead <= 0xC8 for lead in leads)


_SIGNS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("cp1252", _is_western),
    ("cp932", _is_shift_jis),
    ("euc_jp", _is_euc_jp),
    ("cp949", _is_korean),
)
