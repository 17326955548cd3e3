"""Zip containers read with a guard: a small file may not unpack into all of the memory."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from urllib.parse import unquote

from clew.errors import BrokenDocumentError, EncryptedDocumentError

MAX_UNPACKED_BYTES = 128 * 2**20
# Text in XML shrinks to a tenth or so, pictures and films hardly at all.
MAX_RATIO = 200
_IS_ENCRYPTED = 0x1
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)


class Archive:
    """The members of a zip file by name, with at most ``max_bytes`` read in all."""

    def __init__(self, data: bytes, *, max_bytes: int | None = None) -> None:
        self._limit = MAX_UNPACKED_BYTES if max_bytes is None else max_bytes
        self._read = 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise BrokenDocumentError(f"it is a damaged zip container ({error})") from error
        self.names = frozenset(self._zip.namelist())
        self._refuse_bombs(len(data))

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @property
    def is_exhausted(self) -> bool:
        """Whether more was asked for than the limit: then no part may count as merely missing."""
        return self._read > self._limit

    def read(self, name: str) -> bytes:
        """Return a member; raise :class:`BrokenDocumentError` when it is missing or damaged."""
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise BrokenDocumentError(f"its part {name!r} is missing") from None
        if info.flag_bits & _IS_ENCRYPTED:
            raise EncryptedDocumentError("it is encrypted; save it without a password")
        self._read += info.file_size
        if self._read > self._limit:
            raise _too_large(self._read, self._limit)
        try:
            return self._zip.read(info)
        except _DAMAGE as error:
            raise BrokenDocumentError(f"its part {name!r} is damaged ({error})") from error

    def find(self, name: str) -> bytes | None:
        """Return a member, or None where there is none of that name."""
        return self.read(name) if name in self.names else None

    def _refuse_bombs(self, packed: int) -> None:
        unpacked = sum(info.file_size for info in self._zip.infolist())
        if unpacked > self._limit and unpacked > MAX_RATIO * packed:
            raise _too_large(unpacked, self._limit)


def resolve(base: str, target: str) -> str:
    """Return the name of the member that ``target`` means inside the member ``base``.

    >>> resolve("ppt/slides/slide1.xml", "../charts/chart%201.xml#a")
    'ppt/charts/chart 1.xml'
    """
    path = unquote(target.split("#", 1)[0])
    joined = path if path.startswith("/") else posixpath.join(posixpath.dirname(base), path)
    return posixpath.normpath(joined).lstrip("/")


def _too_large(size: int, limit: int) -> BrokenDocumentError:
    return BrokenDocumentError(
        f"it unpacks to {size / 2**20:,.0f} MiB, above the limit of {limit / 2**20:,.0f} MiB; "
        "it is either a zip bomb or must be split"
    )
