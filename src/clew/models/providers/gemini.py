"""Language models of Google's Gemini, over either of its SDKs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from clew.models.base import Completion, Message
from clew.models.providers.access import OWN_KEY
from clew.models.providers.calling import fingerprint_of, sendable
from clew.models.providers.dialect import Dialect
from clew.models.providers.gemini_access import (
    GeminiClient,
    GeminiRequest,
    gemini_access,
    gemini_client,
    model_name,
)
from clew.models.providers.gemini_replies import Piece, completion_of
from clew.models.providers.gemini_schema import gemini_schema
from clew.models.providers.negotiating import NegotiatingLLM
from clew.models.providers.schema_forms import with_schema

_CAN_DO_WITHOUT_THOUGHTS = re.compile(r"gemini-2\.5-flash(-lite)?\b")
_ROLES = {"user": "user", "assistant": "model"}


class GeminiLLM(NegotiatingLLM):
    """A :class:`clew.models.base.StreamingLLM`.

    The key is ``api_key``, else ``CLEW_LLM_KEY``, else ``GEMINI_API_KEY``, else ``GOOGLE_API_KEY``.
    ``base_url`` (else ``GOOGLE_GEMINI_BASE_URL``) is that of a gateway. ``thinking_budget`` is the
    number of tokens that the model may think before it writes: None is none where the model can do
    without, since thoughts count among ``max_tokens``; -1 leaves it to the model.
    ``safety_settings`` maps categories of harm to thresholds. ``sdk`` is ``genai`` or
    ``generativeai``; None takes what is installed, the newer one first.

    Raises :class:`clew.errors.MissingExtraError` without an SDK, ``MissingModelError`` without a
    key.
    """

    forms: ClassVar[tuple[str, ...]] = ("schema", "json", "prompt")

    def __init__(
        self,
        api_key: str | None = None,
        model: str = "gemini-2.5-flash",
        *,
        base_url: str | None = None,
        temperature: float | None = 0.0,
        top_p: float | None = None,
        seed: int | None = None,
        max_tokens: int | None = None,
        thinking_budget: int | None = None,
        safety_settings: Mapping[str, str] | None = None,
        timeout_s: float = 120.0,
        sdk: str | None = None,
    ) -> None:
        self.model = model_name(model)
        self._access = gemini_access(
            self.model, api_key=api_key, base_url=base_url, own_key=OWN_KEY
        )
        self.client: GeminiClient = gemini_client(self._access, sdk=sdk, timeout_s=timeout_s)
        super().__init__(self._access.who)
        self._max_tokens = max_tokens
        self._safety = dict(safety_settings or {})
        self._thinking_budget = self._budget(thinking_budget)
        chosen = {"temperature": temperature, "top_p": top_p, "seed": seed}
        self._options = {name: value for name, value in chosen.items() if value is not None}

    def __repr__(self) -> str:
        return f"GeminiLLM({self.fingerprint!r}, sdk={self.client.sdk!r})"

    @property
    def fingerprint(self) -> str:
        safety = ",".join(f"{one}:{level}" for one, level in sorted(self._safety.items()))
        return fingerprint_of(
            "gemini",
            self.model,
            self._access.named_url,
            max_tokens=self._max_tokens,
            thinking_budget=self._thinking_budget,
            safety=safety or None,
            **self._options,
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of one reply as they come, then the whole."""
        pieces: list[Piece] = []
        for piece in self.client.stream(self._request(messages, max_tokens, None, "")):
            pieces.append(piece)
            if piece.text:
                yield piece.text
        yield self._whole(pieces)

    def _once(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> Completion:
        request = self._request(messages, max_tokens, schema, self.forms[dialect.form])
        return self._whole([self.client.generate(request)])

    def _whole(self, pieces: Sequence[Piece]) -> Completion:
        return completion_of(pieces, model=self.model, who=self._who)

    def _request(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        form: str,
    ) -> GeminiRequest:
        options: dict[str, Any] = {**self._options}
        most = max_tokens if max_tokens is not None else self._max_tokens
        if most is not None:
            options["max_output_tokens"] = most
        said = None
        if schema is not None:
            if form == "schema":
                said = gemini_schema(schema, alternatives=self.client.sdk == "genai")
            if form != "prompt":
                options["response_mime_type"] = "application/json"
            if said is None:
                messages = with_schema(messages, schema)
        system, turns = _told(messages)
        return GeminiRequest(
            model=self.model,
            turns=turns,
            system=system,
            options=options,
            thinking_budget=self._thinking_budget,
            schema=said,
            safety=self._safety,
        )

    def _budget(self, given: int | None) -> int | None:
        spared = self.client.sdk == "genai" and _CAN_DO_WITHOUT_THOUGHTS.match(self.model)
        return 0 if given is None and spared else given


def _told(messages: Sequence[Message]) -> tuple[str, list[tuple[str, str]]]:
    """The instruction, and the turns; an instruction by itself is a turn, for there must be one."""
    system = "\n\n".join(sendable(one.content) for one in messages if one.role == "system")
    turns = [
        (_ROLES[one.role], sendable(one.content) or " ") for one in messages if one.role in _ROLES
    ]
    return (system, turns) if turns else ("", [("user", system or " ")])
