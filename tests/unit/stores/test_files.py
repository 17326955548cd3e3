from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from clew.errors import ReadOnlyStoreError, StoreError, StoreFullError
from clew.stores.files import atomic_text, store_error


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    with atomic_text(path) as file:
        file.write("old")
        assert not path.exists()
    with pytest.raises(TypeError), atomic_text(path) as file:
        file.write("new" + 1)  # type: ignore[operator]
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_rights_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    with atomic_text(path):
        pass
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    path.chmod(0o640)
    with atomic_text(path) as file:
        file.write("again")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    with atomic_text(tmp_path / "link.txt") as file:
        file.write("new")
    assert (tmp_path / "real.txt").read_text() == "new"
    assert (tmp_path / "link.txt").is_symlink()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.ENOSPC, StoreFullError),
        (errno.EFBIG, StoreFullError),
        (errno.EACCES, ReadOnlyStoreError),
        (errno.EROFS, ReadOnlyStoreError),
        (errno.EIO, StoreError),
    ],
)
def test_errors_of_the_system_are_named(code: int, kind: type[StoreError]) -> None:
    error = store_error(Path("x.txt"), OSError(code, os.strerror(code)))
    assert type(error) is kind
    assert "x.txt" in str(error)
    assert os.strerror(code) in str(error)
