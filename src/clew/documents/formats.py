"""Which format a file has: its first bytes decide, then its suffix."""

from __future__ import annotations

import io
import re
import zipfile

from clew.errors import BrokenDocumentError, EncryptedDocumentError, UnsupportedFormatError

PLAIN, MARKDOWN, RST, HTML = "plain", "markdown", "rst", "html"
PDF, DOCX, PPTX, XLSX, EPUB, ODF = "pdf", "docx", "pptx", "xlsx", "epub", "odf"
CSV, JSON, JSONL, NOTEBOOK, MAIL = "csv", "json", "jsonl", "notebook", "mail"

_SUFFIXES: dict[str, str] = {
    **dict.fromkeys("md markdown mdown mkd mkdn mdx qmd rmd".split(), MARKDOWN),
    **dict.fromkeys("rst rest".split(), RST),
    **dict.fromkeys("html htm xhtml xht".split(), HTML),
    **dict.fromkeys("docx docm dotx dotm".split(), DOCX),
    **dict.fromkeys("pptx pptm ppsx ppsm potx".split(), PPTX),
    **dict.fromkeys("xlsx xlsm xltx".split(), XLSX),
    **dict.fromkeys("odt ods odp ott ots otp fodt fods fodp".split(), ODF),
    **dict.fromkeys("csv tsv tab".split(), CSV),
    **dict.fromkeys("jsonl ndjson".split(), JSONL),
    "pdf": PDF,
    "epub": EPUB,
    "json": JSON,
    "ipynb": NOTEBOOK,
    "eml": MAIL,
    **dict.fromkeys(
        "txt text log org adoc asciidoc textile wiki tex bib srt vtt yaml yml toml ini cfg conf "
        "xml xsd py pyi js ts jsx tsx java c h cc cpp hpp cs go rs rb php pl sh bash ps1 sql r jl "
        "lua swift kt scala css proto graphql properties env diff patch po".split(),
        PLAIN,
    ),
}
SUFFIXES = tuple(f".{suffix}" for suffix in sorted(_SUFFIXES))
"""The suffixes that have a reader."""

_ZIPPED = frozenset({DOCX, PPTX, XLSX, EPUB, ODF})
_TEXTUAL = frozenset({PLAIN, MARKDOWN, RST, HTML, CSV, JSON, JSONL, NOTEBOOK, MAIL})
_MIME_TYPES = {b"application/epub+zip": EPUB, b"application/vnd.oasis.opendocument": ODF}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OFFICE_ENCRYPTION = "EncryptedPackage".encode("utf-16-le")
_HTML_HEAD = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html)\b", re.IGNORECASE
)
_FOREIGN = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"{\\rtf", "a Rich Text file; save it as .docx or .odt"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"7z\xbc\xaf'\x1c", "a 7-Zip archive; unpack it first"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\xfd7zXZ\x00", "an xz archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\x00", "a database"),
    (b"ID3", "a sound file"),
    (b"OggS", "a sound file"),
    (b"RIFF", "a sound, film or picture file"),
)


def find_format(data: bytes, suffix: str) -> str:
    """Return the format of ``data``; ``suffix`` is that of its name, with its dot, any case."""
    named = _SUFFIXES.get(suffix.lower().removeprefix("."), "")
    if suffix and not named and not _is_known_by_content(data):
        raise UnsupportedFormatError(
            f"there is no reader for {suffix!r} files; rename it to .txt if it is plain text, or "
            "convert it to one of: .txt .md .rst .html .pdf .docx .pptx .xlsx .odt .epub .csv "
            ".json .jsonl .ipynb .eml"
        )
    return _by_content(data, named) or _by_name(data, named)


def media_type_of_text(name: str) -> str:
    """Return what the suffix of ``name`` says of a text that is already decoded."""
    stem, _, suffix = name.rpartition(".")
    kinds = {MARKDOWN: "text/markdown", RST: "text/x-rst"}
    return kinds.get(_SUFFIXES.get(suffix.lower(), ""), "text/plain") if stem else "text/plain"


def _is_known_by_content(data: bytes) -> bool:
    return b"%PDF-" in data[:1024] or data.startswith((b"PK\x03\x04", _OLE))


def _by_content(data: bytes, named: str) -> str:
    if b"%PDF-" in data[:1024] and not (named in _TEXTUAL and not data.startswith(b"%PDF-")):
        return PDF
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_format(data, named)
    if data.startswith(_OLE):
        _refuse_ole(data)
    for magic, what in _FOREIGN:
        if data.startswith(magic):
            raise UnsupportedFormatError(f"it is {what}, whatever its name says")
    return ""


def _by_name(data: bytes, named: str) -> str:
    if named in _TEXTUAL:
        return named
    if named == ODF and data.lstrip().startswith(b"<"):
        return ODF
    if _HTML_HEAD.match(data[:4096]):
        return HTML
    if named:
        what = "it is empty" if not data else "its bytes are not of that format"
        raise BrokenDocumentError(f"named as {named.upper()}, but {what}")
    return PLAIN


def _zip_format(data: bytes, named: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            names = container.namelist()
            mime = container.read("mimetype")[:200] if "mimetype" in names else b""
    except (zipfile.BadZipFile, ValueError, RuntimeError, OSError) as error:
        if named in _ZIPPED:
            raise BrokenDocumentError(f"it is a damaged zip container ({error})") from error
        raise UnsupportedFormatError(f"it is a damaged zip container ({error})") from error
    return _format_of_members(names, mime.strip(), named)


def _format_of_members(names: list[str], mime: bytes, named: str) -> str:
    for prefix, format_ in _MIME_TYPES.items():
        if mime.startswith(prefix):
            return format_
    roots = {name.lstrip("/").split("/", 1)[0] for name in names}
    for root, format_ in (("word", DOCX), ("ppt", PPTX), ("xl", XLSX)):
        if root in roots and "[Content_Types].xml" in names:
            return format_
    if "META-INF/container.xml" in names:
        return EPUB
    if "content.xml" in names:
        return ODF
    if named in _ZIPPED:
        raise BrokenDocumentError(f"named as {named.upper()}, but its main part is missing")
    raise UnsupportedFormatError("it is a zip archive of other files; unpack it first")


def _refuse_ole(data: bytes) -> None:
    if _OFFICE_ENCRYPTION in data:
        raise EncryptedDocumentError("it is encrypted; save it without a password")
    raise UnsupportedFormatError(
        "it is in the binary format of Office before 2007; save it as .docx, .pptx or .odt"
    )
