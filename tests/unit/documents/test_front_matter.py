"""Front matter becomes metadata; what is broken costs the text nothing."""

from pathlib import Path
from typing import Any

import pytest

from clew.documents import load_file
from clew.documents.front_matter import front_matter
from clew.records import BlockKind, Document


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        (
            "---\ntitle: T\nyear: 1911\nbuilt: 1911-05-02\ntags: [oak]\nby: {name: A}\nx:\n---\n",
            {
                "year": 1911,
                "built": "1911-05-02",
                "tags": ["oak"],
                "by": {"name": "A"},
            },
        ),
        ('+++\ntitle = "Tern"\nyear = 1911\n+++\ntext', {"year": 1911}),
        ("---\r\nyear: 1911\r\n---\r\ntext", {"year": 1911}),
        ("---\nyear: 1911\n...\ntext", {"year": 1911}),
        ("---\n- a\n- b\n---\ntext", {}),
        ("---\njust words\n---\ntext", {}),
        ("---\nyear: 1911\nno end", {}),
        ("\n---\nyear: 1911\n---\n", {}),
        ("text\n---\nyear: 1911\n---\n", {}),
        ("", {}),
    ],
)
def test_entries(text: str, entries: dict[str, Any]) -> None:
    assert front_matter(text) == entries


@pytest.mark.parametrize(
    "body",
    [
        "a: [1, 2",
        "a: &x [1]\nb: *x",
        "a: !!python/object/apply:os.getcwd []",
        "a: " + "[" * 3000,
    ],
)
def test_what_cannot_be_read_is_named(body: str) -> None:
    assert list(front_matter(f"---\n{body}\n---\ntext")) == ["front_matter_error"]


def test_a_file_with_front_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("---\ntitle: The Tern\nyear: 1911\n---\n\nA boat.\n")
    (document,) = load_file(path)
    assert isinstance(document, Document)
    assert (document.title, document.metadata) == ("The Tern", {"year": 1911})
    assert document.blocks[0].kind is BlockKind.FRONT_MATTER
