from __future__ import annotations

import pytest

from clew.documents.making import make_document
from clew.graph.titles import Title, without_article


def title(name: str, text: str = "It is long.") -> Title:
    return Title.of(make_document(text, doc_id="d", title=name))


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Norr Bridge", ["Norr Bridge"]),
        ("The Norr (1932 film)", ["The Norr (1932 film)", "The Norr", "Norr"]),
        ("Lambert, Margrave of Norr", ["Lambert, Margrave of Norr", "Lambert"]),
        ("Sir John Orm", ["Sir John Orm", "John Orm"]),
        ("World Tide Union (WTU)", ["World Tide Union", "WTU"]),
        ("My whole life", ["My whole life"]),
        ("(untitled)", ["(untitled)"]),
        ("...", []),
        ("", []),
    ],
)
def test_forms(name: str, forms: list[str]) -> None:
    assert sorted(title(name).forms) == sorted(forms)
    assert title(name).name == (forms[0] if forms else "")


def test_brackets_tell_apart_unless_they_explain() -> None:
    assert title("John Roe (explorer)").told_apart
    assert not title("World Tide Union (WTU)").told_apart
    assert not title("John Roe").told_apart


@pytest.mark.parametrize(
    ("name", "text", "person"),
    [
        ("Zvena Holm", "Zvena Holm was a poet.", True),
        ("Zvena Holm", "Zvena Holm (3 May 1931 – 9 June 2001) built it.", True),
        ("Zvena Holm", "Zvena Holm built it. She died.", True),
        ("Norr Bridge", "Norr Bridge is a bridge. It fell.", False),
        ("Norr 2", "Norr 2 was made. He liked it.", False),
    ],
)
def test_persons(name: str, text: str, person: bool) -> None:
    assert title(name, text).person is person


def test_articles() -> None:
    assert without_article("The Norr") == "Norr"
    assert without_article("The 1932 Games") == "1932 Games"
    assert without_article("The norr") == "The norr"
    assert without_article("Theodor") == "Theodor"
