"""EPUB 2 and 3: the chapters in the order of the spine, each read as a page of HTML."""

from __future__ import annotations

from collections.abc import Iterator

from clew.documents.archive import Archive, resolve
from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.html_page import add_html, decode_html
from clew.documents.xml_tree import Element, attribute, child, children, local_name, parse_xml
from clew.errors import BrokenDocumentError, EncryptedDocumentError

MEDIA_TYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(file: SourceFile) -> Parsed:
    archive = Archive(file.data)
    book = _book_part(archive)
    root = parse_xml(archive.read(book), book)
    locked = _encrypted(archive)
    builder = TextBuilder()
    missing: list[str] = []
    for part in _chapters(root, book):
        if part in locked:
            raise EncryptedDocumentError("it is protected; only a book without DRM can be read")
        data = archive.find(part)
        if data is None:
            missing.append(part)
        else:
            add_html(builder, decode_html(data))
    details = _details(root)
    title = details.pop("title", "")
    metadata: dict[str, object] = {**details, "missing_chapters": missing}
    return built(builder, media_type=MEDIA_TYPE, title=title, metadata=metadata)


def _book_part(archive: Archive) -> str:
    data = archive.find(_CONTAINER)
    if data is not None:
        for element in parse_xml(data, _CONTAINER).iter():
            path = attribute(element, "full-path")
            if local_name(element) == "rootfile" and path in archive:
                return path
    found = sorted(name for name in archive.names if name.endswith(".opf"))
    if not found:
        raise BrokenDocumentError("its table of parts (.opf) is missing")
    return found[0]


def _chapters(root: Element, book: str) -> Iterator[str]:
    """Yield the parts of the spine; a list of contents that is a page of its own is left out."""
    manifest, spine = child(root, "manifest"), child(root, "spine")
    items = {
        attribute(item, "id"): item
        for item in (children(manifest, "item") if manifest is not None else ())
    }
    order = (
        [attribute(ref, "idref") for ref in children(spine, "itemref")] if spine is not None else []
    )
    for name in order or list(items):
        item = items.get(name)
        if item is None or attribute(item, "media-type") not in _PAGES:
            continue
        if "nav" not in attribute(item, "properties").split():
            yield resolve(book, attribute(item, "href"))


def _details(root: Element) -> dict[str, str]:
    wanted = {"title": "title", "creator": "author", "language": "language"}
    wanted |= {"publisher": "publisher", "date": "date", "description": "description"}
    found: dict[str, list[str]] = {}
    metadata = child(root, "metadata")
    for element in metadata.iter() if metadata is not None else ():
        key = wanted.get(local_name(element))
        text = " ".join((element.text or "").split())
        if key and text:
            found.setdefault(key, []).append(text)
    return {
        key: "; ".join(values) if key == "author" else values[0] for key, values in found.items()
    }


def _encrypted(archive: Archive) -> frozenset[str]:
    """Return the parts that are encrypted for real: fonts are only obfuscated."""
    data = archive.find(_ENCRYPTION)
    if data is None:
        return frozenset()
    parts: set[str] = set()
    for element in parse_xml(data, _ENCRYPTION).iter():
        if local_name(element) == "EncryptedData":
            method = child(element, "EncryptionMethod")
            target = child(element, "CipherData", "CipherReference")
            algorithm = "" if method is None else attribute(method, "Algorithm")
            if target is not None and algorithm not in _OBFUSCATED_FONTS:
                parts.add(resolve("", attribute(target, "URI")))
    return frozenset(parts)
