"""Names of paths, and which documents came from below one."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew import DocumentError
from clew.indexing.paths import is_below, normal_paths, posix_name


def test_spellings_of_a_path_are_one() -> None:
    assert normal_paths(["./docs", "docs/", "docs/../docs", Path("docs")]) == ["docs"] * 4
    assert normal_paths("docs//a.md") == ["docs/a.md"]
    assert posix_name("./docs//a.md") == "docs/a.md"


def test_no_path_is_not_the_current_folder() -> None:
    with pytest.raises(DocumentError, match="empty"):
        normal_paths("")
    assert normal_paths(".") == ["."]


@pytest.mark.parametrize(
    ("source", "root", "expected"),
    [
        ("docs/a.md", "docs", True),
        ("docs/a.md", "docs/", True),
        ("docs/a.md", "docs/a.md", True),
        ("docs2/a.md", "docs", False),
        ("docs", "docs/a", False),
        ("docs/a.md", ".", True),
        ("../other/a.md", ".", False),
        ("/srv/a.md", ".", False),
        ("/srv/a.md", "/", True),
        ("/srv/deep/a.md", "/srv/*/*.md", True),
        ("docs/a.md", "docs/*.md", True),
        ("docs/a.txt", "docs/*.md", False),
        ("docs/deep/er/a.md", "docs/**/*.md", True),
        ("docs/a.md", "docs/**/*.md", True),
        ("other/docs/a.md", "docs/*.md", False),
        ("a.md", "*.md", True),
        ("docs/a.md", "*.md", False),
        ("docs/a.md", "d*", True),
    ],
)
def test_below(source: str, root: str, expected: bool) -> None:
    assert is_below(source, root) is expected


def test_a_folder_whose_name_looks_like_a_pattern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs[1]").mkdir()
    assert is_below("docs[1]/a.md", "docs[1]")
    assert not is_below("docs1/a.md", "docs[1]")
