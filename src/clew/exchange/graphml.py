"""GraphML (graphml.graphdrawing.org), written as it is read from the store: for networkx, Gephi and
others.

Attributes are typed. XML 1.0 has no form for most control characters: each becomes U+FFFD, so that
the offsets of what follows still hold.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import IO, Final
from xml.sax.saxutils import escape, quoteattr

from clew.exchange.elements import EDGE_TYPES, NODE_TYPES, Edge, Node, Value, elements_of
from clew.exchange.selection import Selection
from clew.exchange.streams import text_target

_TYPES: Final[Mapping[type[Value], str]] = {
    str: "string",
    bool: "boolean",
    int: "long",
    float: "double",
}
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
    http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write_graphml(selection: Selection, path: Path) -> None:
    """Write the selection to ``path``, whole or not at all."""
    with text_target(path) as file:
        file.write(_HEAD)
        for kind, types in (("node", NODE_TYPES), ("edge", EDGE_TYPES)):
            for name, hint in types.items():
                file.write(
                    f'<key id="{kind}.{name}" for="{kind}" attr.name="{name}" '
                    f'attr.type="{_TYPES[hint]}"/>\n'
                )
        file.write('<graph id="clew" edgedefault="directed">\n')
        for element in elements_of(selection):
            _write(element, file)
        file.write("</graph>\n</graphml>\n")


def _write(element: Node | Edge, file: IO[str]) -> None:
    if isinstance(element, Node):
        kind, ends = "node", ""
    else:
        kind = "edge"
        ends = f" source={_quoted(element.source)} target={_quoted(element.target)}"
    data = (
        f'<data key="{kind}.{name}">{_text(value)}</data>'
        for name, value in element.attributes.items()
    )
    head = f"<{kind} id={_quoted(element.id)}{ends}>"
    file.write("".join(chain((head,), data, (f"</{kind}>\n",))))


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return escape(_NOT_IN_XML.sub("\ufffd", value), {"\r": "&#13;"})


def _quoted(value: str) -> str:
    return quoteattr(_NOT_IN_XML.sub("\ufffd", value))
