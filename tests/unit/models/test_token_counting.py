from __future__ import annotations

from hashlib import sha1
from pathlib import Path

import pytest

from clew.models import token_counting
from clew.models.token_counting import token_counter

_PROSE = (
    "The bridge at Norr was built between 1899 and 1902 by Johann Weber, an engineer from Lund, "
    "who had drawn three others. It carries a road and a footpath over the river. "
)


def test_english_is_about_four_and_a_half_characters_a_token() -> None:
    tokens = token_counter()(_PROSE * 20)
    assert 4.0 < len(_PROSE) * 20 / tokens < 5.0


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("諾爾橋建於一九〇二年，由工程師設計。", 12, 24),
        ("Мост через реку Норр был построен инженером Петровым.", 10, 20),
        ("Die Brücke über die Norr wurde vom Ingenieur Weber gebaut.", 11, 18),
        ("", 0, 0),
        ("\ud800 half a character", 4, 7),
    ],
)
def test_other_scripts_are_counted_too(text: str, least: int, most: int) -> None:
    assert least <= token_counter()(text) <= most


def test_it_counts_without_the_packaged_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = token_counter()(_PROSE)
    monkeypatch.setattr(token_counting, "_tokenizer", lambda: None)
    assert token_counter()(_PROSE) == pytest.approx(with_it, rel=0.2)


def test_a_vocabulary_that_would_have_to_be_fetched_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert token_counter("openai/gpt-4o-mini") is token_counter("groq/llama-3.1-8b-instant")


@pytest.mark.parametrize("variable", ["TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"])
def test_a_vocabulary_on_this_machine_is_found_where_tiktoken_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    name = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
    (tmp_path / sha1(name.encode()).hexdigest()).touch()
    monkeypatch.setattr(token_counting, "find_spec", lambda _: object())
    for other in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    ours, theirs = token_counter("groq/llama-3.1-8b-instant"), token_counter("openai/gpt-4o-mini")
    assert theirs is not ours
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "empty"))
    assert token_counter("openai/gpt-4o-mini") is ours, "what is named first holds"
