"""Chat models of LangChain, and chains that end in one, as language models of clew."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from clew.models.base import Completion, Message, Usage
from clew.models.extras import import_extra
from clew.models.providers.calling import sendable, tokens
from clew.models.providers.dialect import Dialect
from clew.models.providers.langchain_access import langchain_errors, name_of, print_of
from clew.models.providers.negotiating import NegotiatingLLM
from clew.models.providers.schema_forms import with_schema
from clew.models.thoughts import ThoughtFilter, without_thoughts

_LIMITS = ("max_tokens", "max_output_tokens", "max_completion_tokens", "num_predict")
_CUT = {"length", "max_tokens"}
_SCHEMA_NAME = "reply"


class LangChainLLMAdapter(NegotiatingLLM):
    """A :class:`clew.models.base.StreamingLLM` over ``llm``: a chat model, a text model, or any
    runnable that takes messages and gives a message or a text.

    ``max_tokens`` reaches models that have a field for it, a schema those with
    ``with_structured_output``; all others are told in the prompt. ``fingerprint`` names the model
    for the cache; None makes one of its class, name and parameters. Give LangChain's model
    ``max_retries=0``: clew asks again by itself.

    Raises :class:`clew.errors.MissingExtraError` without langchain-core.
    """

    forms: ClassVar[tuple[str, ...]] = ("structured", "prompt")

    def __init__(self, llm: Any, *, fingerprint: str | None = None) -> None:
        self._messages = import_extra(
            "langchain_core.messages", extra="langchain", purpose="a model of LangChain"
        )
        self.llm = llm
        self.model = name_of(llm)
        super().__init__(f"langchain:{self.model}")
        self._fingerprint = fingerprint or print_of(llm)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of one reply as they come, then the whole."""
        shown, pieces, whole = ThoughtFilter(), [], None
        with langchain_errors(self._who, self.llm):
            for chunk in self._limited(max_tokens).stream(self._sent(messages)):
                whole = chunk if whole is None else whole + chunk
                if piece := shown.take(_text(chunk)):
                    pieces.append(piece)
                    yield piece
        if piece := shown.rest():
            pieces.append(piece)
            yield piece
        yield self._completion(whole, "".join(pieces))

    def _once(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> Completion:
        if schema is None:
            return self._plain(messages, max_tokens)
        keeper = self._keeper(schema, max_tokens) if dialect.form == 0 else None
        if keeper is None:
            return self._plain(with_schema(messages, schema), max_tokens)
        return self._structured(keeper, messages)

    def _plain(self, messages: Sequence[Message], max_tokens: int | None) -> Completion:
        with langchain_errors(self._who, self.llm):
            reply = self._limited(max_tokens).invoke(self._sent(messages))
        return self._completion(reply, without_thoughts(_text(reply)))

    def _keeper(self, schema: Mapping[str, Any], max_tokens: int | None) -> Any:
        """The model that keeps to ``schema``; None where it cannot."""
        make = getattr(self.llm, "with_structured_output", None)
        if make is None:
            return None
        named = {"title": _SCHEMA_NAME, "description": "The reply.", **schema}
        try:
            return self._limited(max_tokens).with_structured_output(named, include_raw=True)
        except (NotImplementedError, ValueError):
            return None

    def _structured(self, keeper: Any, messages: Sequence[Message]) -> Completion:
        with langchain_errors(self._who, self.llm):
            reply = keeper.invoke(self._sent(messages))
        raw, parsed = reply["raw"], reply["parsed"]
        text = without_thoughts(_text(raw))
        if parsed is not None:  # of a call of a tool, the message itself has no text
            text = json.dumps(parsed, ensure_ascii=False)
        return self._completion(raw, text)

    def _limited(self, max_tokens: int | None) -> Any:
        fields = getattr(type(self.llm), "model_fields", {})
        field = next((name for name in _LIMITS if name in fields), None)
        if max_tokens is None or field is None:
            return self.llm
        return self.llm.model_copy(update={field: max_tokens})

    def _sent(self, messages: Sequence[Message]) -> list[Any]:
        kinds = {
            "system": self._messages.SystemMessage,
            "user": self._messages.HumanMessage,
            "assistant": self._messages.AIMessage,
        }
        return [kinds[one.role](content=sendable(one.content)) for one in messages]

    def _completion(self, reply: Any, text: str) -> Completion:
        used = getattr(reply, "usage_metadata", None) or {}
        told = getattr(reply, "response_metadata", None) or {}
        ends = [told.get(name) for name in ("finish_reason", "stop_reason", "done_reason")]
        return Completion(
            text=text,
            usage=Usage(
                calls=1,
                input_tokens=tokens(used.get("input_tokens")),
                output_tokens=tokens(used.get("output_tokens")),
            ),
            model=str(told.get("model_name") or told.get("model") or self.model),
            truncated=any(str(end).lower() in _CUT for end in ends if end),
        )


def _text(reply: Any) -> str:
    """The text of a message, whose content may be in blocks, or of a plain text."""
    content = getattr(reply, "content", reply)
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    return "".join(
        block if isinstance(block, str) else str(block.get("text") or "")
        for block in content
        if isinstance(block, str) or block.get("type") == "text"
    )
