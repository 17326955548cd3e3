"""Which files folders and globs mean."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew.documents import walk
from clew.documents.walking import matches
from clew.errors import DocumentError


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in (
        "b.md",
        "a.txt",
        "deep/c.md",
        "deep/er/d.md",
        ".hidden.md",
        ".git/config",
        "node_modules/x/readme.md",
        "old.clew/main.db",
        "old.clew/vectors/seg.bin",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


def names(files: list[Path], root: Path) -> list[str]:
    return [file.relative_to(root).as_posix() for file in files]


def test_a_folder_is_walked_in_order_without_what_is_not_meant(tree: Path) -> None:
    assert names(walk(tree), tree) == ["a.txt", "b.md", "deep/c.md", "deep/er/d.md"]


def test_several_paths_give_each_file_once(tree: Path) -> None:
    found = walk([tree / "deep", tree / "b.md", tree, tree / "b.md"])
    assert names(found, tree) == ["a.txt", "b.md", "deep/c.md", "deep/er/d.md"]


def test_what_is_named_itself_is_taken(tree: Path) -> None:
    assert names(walk([tree / ".hidden.md"]), tree) == [".hidden.md"]


def test_globs(tree: Path) -> None:
    assert names(walk(tree / "*.md"), tree) == ["b.md"]
    assert names(walk(str(tree / "**" / "*.md")), tree) == [
        "b.md",
        "deep/c.md",
        "deep/er/d.md",
        "node_modules/x/readme.md",
    ]


def test_include_and_exclude(tree: Path) -> None:
    assert names(walk(tree, include=["*.md"]), tree) == ["b.md", "deep/c.md", "deep/er/d.md"]
    assert names(walk(tree, include=["deep/*.md"]), tree) == ["deep/c.md"]
    assert names(walk(tree, exclude=["deep/**"]), tree) == ["a.txt", "b.md"]
    assert names(walk(tree, exclude=["er", "a.*"]), tree) == ["b.md", "deep/c.md"]
    assert names(walk(tree, exclude=["deep/"]), tree) == ["a.txt", "b.md"]


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("a/b/c.md", "**/c.md", True),
        ("c.md", "**/c.md", True),
        ("a/b/c.md", "a/**/c.md", True),
        ("a/c.md", "a/**/c.md", True),
        ("a/b/c.md", "a/*/c.md", True),
        ("a/b/c.md", "b/*", False),
        ("a/b1.md", "b[0-9].md", True),
        ("a/b1.md", "b[!0-9].md", False),
        ("a/b1.md", "b?.md", True),
        ("a/b+.md", "b+.md", True),
    ],
)
def test_patterns(path: str, pattern: str, expected: bool) -> None:
    assert matches(path, pattern) is expected


def test_a_missing_path_is_named(tree: Path) -> None:
    with pytest.raises(DocumentError, match=r"gone\.md"):
        walk([tree / "b.md", tree / "gone.md"])
    with pytest.raises(DocumentError, match=r"\*\.rst"):
        walk(tree / "*.rst")


def test_loops_of_links_end(tree: Path) -> None:
    (tree / "deep" / "loop").symlink_to(tree)
    (tree / "dangling.md").symlink_to(tree / "nowhere")
    assert names(walk(tree), tree) == ["a.txt", "b.md", "deep/c.md", "deep/er/d.md"]


def test_relative_paths_stay_relative(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert [path.as_posix() for path in walk("deep")] == ["deep/c.md", "deep/er/d.md"]


@pytest.fixture
def closed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that may not be looked into, for root neither."""
    folder, scandir = tree / "deep", os.scandir

    def refuse(path: Any) -> Iterator[os.DirEntry[str]]:
        if Path(path) == folder:
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return folder


def test_a_folder_that_cannot_be_looked_into_is_no_empty_folder(tree: Path, closed: Path) -> None:
    with pytest.raises(DocumentError, match=r"deep: the folder cannot be opened \(Permission"):
        walk(tree)
    told: list[OSError] = []
    assert names(walk(tree, on_unreadable=told.append), tree) == ["a.txt", "b.md"]
    assert [error.filename for error in told] == [str(closed)]


def test_what_is_neither_a_file_nor_a_folder_is_refused_at_once(tree: Path) -> None:
    os.mkfifo(tree / "pipe.txt")
    assert "pipe.txt" not in names(walk(tree), tree)
    assert names(walk(tree / "*.txt"), tree) == ["a.txt"]
    with pytest.raises(DocumentError, match=r"pipe\.txt' is neither a file nor a folder"):
        walk(tree / "pipe.txt")
