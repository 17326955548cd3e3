"""XML read without entities, without DTDs and without the network."""

from __future__ import annotations

from lxml import etree

from clew.errors import BrokenDocumentError

Element = etree._Element  # noqa: SLF001 - lxml exports its element type under no other name


def parse_xml(data: bytes, part: str) -> Element:
    """Return the root of ``data``; damage that leaves a readable tree is repaired.

    ``part`` names the place in the message of :class:`BrokenDocumentError`.
    """
    try:
        return etree.fromstring(data, _parser(recover=False))
    except (etree.XMLSyntaxError, ValueError) as error:
        root = _repaired(data)
        if root is None:
            raise BrokenDocumentError(f"its part {part!r} is no XML ({error})") from error
        return root


def local_name(element: Element) -> str:
    """Return the tag without its namespace; ``""`` for comments and instructions."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str, default: str = "") -> str:
    """Return an attribute by its local name, whatever its namespace."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return default


def children(element: Element, name: str) -> list[Element]:
    return [child for child in element if local_name(child) == name]


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first child at ``path`` of local names, or None."""
    for name in path:
        if element is None:
            return None
        element = next((found for found in element if local_name(found) == name), None)
    return element


def _repaired(data: bytes) -> Element | None:
    try:
        root = etree.fromstring(data, _parser(recover=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    return root if root is not None and len(root) else None


def _parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
    )
