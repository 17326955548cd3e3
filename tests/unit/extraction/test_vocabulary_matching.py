"""Terms are found whole, in any script, whatever stands around them; a slow reference agrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.extraction.places import is_whole
from clew.extraction.vocabulary.matching import TermMatcher
from clew.extraction.vocabulary.phrases import is_technical, parts_of, phrases_in


def _found(matcher: TermMatcher, text: str) -> list[str]:
    names = matcher.find(text)
    assert all(text[name.start : name.end] == name.surface for name in names)
    return [name.surface for name in names]


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("c++", "We wrote C++ code; c++'s rules. Not C.", ["C++", "c++"]),
        (".net", "Ported to .NET and ASP.NET; a net.", [".NET"]),
        ("tidal gauge", "The Tidal gauge's arm. Two tidal gauges.", ["Tidal gauge"]),
        ("x86-64", "An x86-64 machine, an x86-64-like one.", ["x86-64", "x86-64"]),
        ("潮汐計", "この潮汐計は古い。", ["潮汐計"]),
        ("art", "Bart started art in the art-room.", ["art", "art"]),
        ("straße", "STRASSE, Straße und straße", ["Straße", "straße"]),
    ],
)
def test_phrases_are_found_in_any_case_and_as_whole_words(
    term: str, text: str, found: list[str]
) -> None:
    assert _found(TermMatcher({term: "CONCEPT"}, {}), text) == found


def test_names_are_found_as_they_are_written() -> None:
    matcher = TermMatcher({}, {"Old Quay": "PLACE"})
    assert _found(matcher, "Old Quay is an old quay. OLD QUAY") == ["Old Quay"]


def test_of_terms_that_overlap_the_first_and_longest_counts() -> None:
    matcher = TermMatcher({"tide": "A", "tide table": "B", "table of moons": "C"}, {})
    found = matcher.find("The tide table of moons and the tide.")
    assert [(name.surface, name.type) for name in found] == [("tide table", "B"), ("tide", "A")]


def test_a_term_inside_a_longer_word_hides_no_other() -> None:
    assert _found(TermMatcher({"gauge": "A", "tidal gauge": "B"}, {}), "tidal gauges, gauge") == [
        "gauge"
    ]


def test_no_terms_no_names() -> None:
    assert TermMatcher({}, {}).find("anything") == []


_ALPHABET = st.text(alphabet="ab C'-食べİ", min_size=0, max_size=30)


@given(terms=st.sets(_ALPHABET.map(str.strip).filter(bool), max_size=6), text=_ALPHABET)
def test_the_automaton_finds_what_a_slow_search_finds(terms: set[str], text: str) -> None:
    matcher = TermMatcher({term.lower(): "T" for term in terms}, {})
    slow = []
    at = 0
    lowered = text.lower() if len(text.lower()) == len(text) else text
    wanted = sorted({term.lower() for term in terms}, key=len, reverse=True)
    while at < len(text):
        term = next(
            (
                one
                for one in wanted
                if lowered.startswith(one, at)
                and is_whole(text, at, at + len(one))
                and text[at : at + len(one)].lower() == one
            ),
            None,
        )
        if term is None:
            at += 1
        else:
            slow.append((at, at + len(term)))
            at += len(term)
    assert [(name.start, name.end) for name in matcher.find(text)] == slow


def test_technical_words_stand_alone_and_apart() -> None:
    surfaces = [surface for _, _, surface in phrases_in("Fast C++ code for .NET and utf-8 tables.")]
    assert {"C++", ".NET", "utf-8"} <= set(surfaces)
    assert not any("C++" in surface and surface != "C++" for surface in surfaces)
    assert not is_technical("2024")
    assert not is_technical("well-made")


def test_runs_without_blanks_give_pieces() -> None:
    text = "潮汐計を読む"
    surfaces = [surface for _, _, surface in phrases_in(text)]
    assert "潮汐計" in surfaces
    assert all(2 <= len(surface) <= 6 for surface in surfaces)
    for start, end, surface in phrases_in(text):
        assert text[start:end] == surface


def test_parts_lie_inside() -> None:
    assert set(parts_of("spring tide table")) == {
        "spring", "tide", "table", "spring tide", "tide table",
    }  # fmt: skip
    assert set(parts_of("潮汐計")) == {"潮汐", "汐計"}
    assert list(parts_of("tide")) == []
