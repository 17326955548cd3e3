"""OpenDocument (.odt, .ods, .odp, and their flat XML forms; ISO/IEC 26300)."""

from __future__ import annotations

from clew.documents.archive import Archive, resolve
from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.odf_body import OdfBody
from clew.documents.readers.odf_styles import OdfStyles
from clew.documents.xml_tree import Element, child, local_name, parse_xml
from clew.errors import BrokenDocumentError, EncryptedDocumentError

_MEDIA = "application/vnd.oasis.opendocument."
_BODIES = ("text", "spreadsheet", "presentation", "drawing")
_MANIFEST = "META-INF/manifest.xml"
_DETAILS = {"creator": "author", "initial-creator": "author", "subject": "subject"}
_DETAILS |= {"creation-date": "created", "date": "modified", "description": "description"}
_DETAILS |= {"keyword": "keywords", "language": "language"}


def read_odf(file: SourceFile) -> Parsed:
    parts = OdfParts(file.data)
    content = parts.root("content.xml")
    if content is None:
        raise BrokenDocumentError("its part 'content.xml' is missing")
    kind, body = _body(content)
    builder = TextBuilder()
    side = parts.side("styles.xml")
    styles = OdfStyles([root for root in (side, content) if root is not None])
    OdfBody(builder, styles, parts.embedded).add(body)
    meta = parts.side("meta.xml")
    title, details = _details(meta if meta is not None else content)
    metadata: dict[str, object] = {**details, "unreadable_parts": parts.damaged}
    return built(builder, media_type=_MEDIA + kind, title=title, metadata=metadata)


class OdfParts:
    """The parts of a package, or of the one flat file that holds them all."""

    def __init__(self, data: bytes) -> None:
        self._archive = Archive(data) if data.startswith(b"PK") else None
        self._flat = None if self._archive else parse_xml(data, "the file")
        self.damaged: list[str] = []
        if self._archive and b"encryption-data" in (self._archive.find(_MANIFEST) or b""):
            raise EncryptedDocumentError("it is encrypted; save it without a password")

    def root(self, name: str) -> Element | None:
        if self._archive is None:
            return self._flat
        data = self._archive.find(name)
        return None if data is None else parse_xml(data, name)

    def side(self, name: str) -> Element | None:
        """Return a part that the text can do without, or None where it is missing or damaged."""
        try:
            return self.root(name)
        except BrokenDocumentError:
            if self._archive is None or self._archive.is_exhausted:
                raise
            self.damaged.append(name)
            return None

    def embedded(self, target: str) -> Element | None:
        """Return the content of an embedded object (a chart, a formula) if it is in the file."""
        return self.side(resolve("", f"{target}/content.xml")) if self._archive else None


def _body(content: Element) -> tuple[str, Element]:
    holder = child(content, "body")
    for element in holder if holder is not None else ():
        if local_name(element) in _BODIES:
            return local_name(element), element
    raise BrokenDocumentError("it holds no text, spreadsheet or presentation")


def _details(root: Element) -> tuple[str, dict[str, str]]:
    title = ""
    details: dict[str, str] = {}
    holder = child(root, "meta")
    for element in holder if holder is not None else ():
        text = " ".join((element.text or "").split())
        name = local_name(element)
        if name == "title":
            title = text
        elif name in _DETAILS and text:
            details.setdefault(_DETAILS[name], text)
    return title, details
