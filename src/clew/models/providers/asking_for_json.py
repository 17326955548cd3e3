"""Replies that follow a schema, also from servers and models that cannot be told to keep to one.

A refusal of a request that carried a schema may be about the schema. Then the same is asked once
more, with the schema in the prompt; if that is answered, schemas are not sent to this model again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from clew.errors import ModelRefusedError
from clew.models.base import Completion, Message
from clew.models.providers.calling import Generates

_MAY_BE_THE_SCHEMA = {400, 404, 405, 415, 422, 501}
_IS_NOT_THE_SCHEMA = re.compile(
    r"too (long|large|many)|context (length|window|size)|maximum|exceed|api.?key|not found|blocks",
    re.IGNORECASE,
)


class AsksForJSON(Generates):
    """An LLM whose :meth:`_complete` sends one request; ``schema`` never costs a reply."""

    _refuses_schemas = False

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return one reply. A ``schema`` asks for JSON of that form. Raises
        :class:`clew.errors.ModelError`.
        """
        if schema is None or self._refuses_schemas:
            return self._complete(_told(messages, schema), max_tokens, None)
        try:
            return self._complete(messages, max_tokens, schema)
        except ModelRefusedError as error:
            if error.status not in _MAY_BE_THE_SCHEMA or _IS_NOT_THE_SCHEMA.search(str(error)):
                raise
        completion = self._complete(_told(messages, schema), max_tokens, None)
        self._refuses_schemas = True
        return completion

    def _complete(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
    ) -> Completion:
        raise NotImplementedError


def _told(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> Sequence[Message]:
    """Put the schema behind the last message."""
    if schema is None:
        return messages
    wish = f"Reply with JSON alone, of this schema:\n{json.dumps(schema, ensure_ascii=False)}"
    if not messages:
        return [Message(role="user", content=wish)]
    last = messages[-1]
    return [*messages[:-1], replace(last, content=f"{last.content}\n\n{wish}")]
