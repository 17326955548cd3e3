from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.text.names import name_key


@pytest.mark.parametrize(
    ("surface", "key"),
    [
        ("Norr Bridge", "norr bridge"),
        ("  Norr\n Bridge ", "norr bridge"),
        ("O’Brien’s", "o'brien"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("J. R. R. Holm", "jrr holm"),
        ("J.R.R. Holm", "jrr holm"),
        ("JRR Holm", "jrr holm"),
        ("Jane T. Roe", "jane t roe"),
        ("the U.S. Navy", "the us navy"),
        ("Plan B", "plan b"),
        ("iPhone 14", "iphone 14"),
        ("ＮＯＲＲ", "norr"),
        ("Örm", "örm"),
        ("O\u0308rm", "örm"),
        ("東京 タワー", "東京 タワー"),
        ("Москва", "москва"),
        ("[[a|b]]", "ab"),
        ("%s", "s"),
        ("\x00Norr\x00", "norr"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("...", ""),
        ("", ""),
    ],
)
def test_keys(surface: str, key: str) -> None:
    assert name_key(surface) == key


def test_what_tells_names_apart_stays() -> None:
    apart = ["C", "C++", "C#", "NET", ".NET", "iPhone 14", "iPhone 15", "Orm", "Örm", "Roe Jr"]
    assert len({name_key(name) for name in apart}) == len(apart)


@given(st.text())
def test_a_key_is_its_own_key(surface: str) -> None:
    key = name_key(surface)
    assert name_key(key) == key


@given(st.text(st.characters(max_codepoint=127)))
def test_case_does_not_matter(surface: str) -> None:
    assert name_key(surface.upper()) == name_key(surface.lower())
