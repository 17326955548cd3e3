"""The two forms in which OCI Generative AI is asked and answers: models of Cohere have one of their
own, all others share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clew.models.base import Message
from clew.models.providers.calling import sendable, tokens
from clew.models.providers.oci_genai import inference_models
from clew.models.providers.schema_forms import SCHEMA_NAME, closed_schema

_ENDS = {
    "stop": "stop",
    "complete": "stop",
    "stop_sequence": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "maxtokens": "length",
}
"""Reasons for the end of a reply; others are failures."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChatPiece:
    """A reply, or an event of its stream. ``is_whole`` where ``text`` repeats all that came."""

    text: str = ""
    end: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    is_whole: bool = False
    fault: str = ""


class ChatForm(Protocol):
    """One of the forms: ``form`` of the schema is ``schema``, ``json`` or ``prompt``."""

    def request(
        self,
        messages: Sequence[Message],
        options: Mapping[str, Any],
        *,
        schema: Mapping[str, Any] | None,
        form: str,
        stream: bool,
    ) -> Any: ...

    def piece(self, reply: Mapping[str, Any]) -> ChatPiece:
        """Read a reply or an event, as JSON."""
        ...


class GenericForm:
    """Models of Meta, Google, xAI, OpenAI."""

    def request(
        self,
        messages: Sequence[Message],
        options: Mapping[str, Any],
        *,
        schema: Mapping[str, Any] | None,
        form: str,
        stream: bool,
    ) -> Any:
        models = inference_models()
        kinds = {
            "system": models.SystemMessage,
            "user": models.UserMessage,
            "assistant": models.AssistantMessage,
        }
        told: dict[str, Any] = dict(options)
        if schema is not None and form == "schema":
            told["response_format"] = models.JsonSchemaResponseFormat(
                json_schema=models.ResponseJsonSchema(
                    name=SCHEMA_NAME, schema=closed_schema(schema)
                )
            )
        elif schema is not None and form == "json":
            told["response_format"] = models.JsonObjectResponseFormat()
        if stream:
            told["is_stream"] = True
            told["stream_options"] = models.StreamOptions(is_include_usage=True)
        return models.GenericChatRequest(
            messages=[
                kinds[one.role](content=[models.TextContent(text=sendable(one.content))])
                for one in messages
            ],
            **told,
        )

    def piece(self, reply: Mapping[str, Any]) -> ChatPiece:
        choices = reply.get("choices")
        choice = choices[0] if choices else reply
        parts = (choice.get("message") or {}).get("content") or ()
        usage = reply.get("usage") or choice.get("usage") or {}
        return ChatPiece(
            text="".join(part.get("text") or "" for part in parts),
            end=_end(choice.get("finishReason")),
            input_tokens=tokens(usage.get("promptTokens")),
            output_tokens=tokens(usage.get("completionTokens")),
        )


class CohereForm:
    """Models of Cohere: one message, what was said before it, and a preamble."""

    def request(
        self,
        messages: Sequence[Message],
        options: Mapping[str, Any],
        *,
        schema: Mapping[str, Any] | None,
        form: str,
        stream: bool,
    ) -> Any:
        models = inference_models()
        system = "\n\n".join(one.content for one in messages if one.role == "system")
        turns = [one for one in messages if one.role != "system"]
        *before, last = turns or [Message(role="user", content=system)]
        kinds = {"user": models.CohereUserMessage, "assistant": models.CohereChatBotMessage}
        told: dict[str, Any] = dict(options)
        if system and turns:
            told["preamble_override"] = sendable(system)
        if schema is not None and form != "prompt":
            told["response_format"] = models.CohereResponseJsonFormat(
                schema=dict(schema) if form == "schema" else None
            )
        if stream:
            told["is_stream"] = True
            told["stream_options"] = models.StreamOptions(is_include_usage=True)
        return models.CohereChatRequest(
            message=sendable(last.content),
            chat_history=[kinds[one.role](message=sendable(one.content)) for one in before],
            **told,
        )

    def piece(self, reply: Mapping[str, Any]) -> ChatPiece:
        usage = reply.get("usage") or {}
        end = _end(reply.get("finishReason"))
        return ChatPiece(
            text=str(reply.get("text") or ""),
            end=end,
            input_tokens=tokens(usage.get("promptTokens")),
            output_tokens=tokens(usage.get("completionTokens")),
            is_whole=bool(end),
            fault=str(reply.get("errorMessage") or ""),
        )


def _end(reason: Any) -> str:
    said = str(reason or "")
    return _ENDS.get(said.lower(), said)
