"""YAML that people write: a name that stands twice in a mapping is an error, not the last of both.

Everything else is as in ``yaml.safe_load``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml


def load_yaml(text: str) -> Any:
    """Read one document. Raises :class:`yaml.YAMLError`, which says where."""
    return yaml.load(text, _StrictLoader)  # noqa: S506 - it is a safe loader


class _StrictLoader(yaml.SafeLoader):
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            line = key.start_mark.line + 1
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    f"{key.value!r} stands in line {seen[key.value]} and again in line {line}",
                )
            seen[key.value] = line
        return super().construct_mapping(node, deep=deep)
