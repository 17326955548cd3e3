"""A graph of networkx (extra ``networkx``)."""

from __future__ import annotations

from typing import Any

from clew.exchange.elements import Node, elements_of
from clew.exchange.selection import Selection
from clew.models.extras import import_extra


def network_of(selection: Selection) -> Any:
    """Return a ``networkx.MultiDiGraph`` with the nodes and edges of
    :mod:`clew.exchange.elements`; the key of an edge is its id.
    """
    networkx = import_extra("networkx", extra="networkx", purpose="to_networkx()")
    graph = networkx.MultiDiGraph()
    for element in elements_of(selection):
        if isinstance(element, Node):
            graph.add_node(element.id, **element.attributes)
        else:
            graph.add_edge(element.source, element.target, key=element.id, **element.attributes)
    return graph
