"""What Gemini answers, read from the JSON form that both of its SDKs can give.

Thoughts are dropped, blocks for safety are refusals that name their reason, and a reply without a
reason for its end has broken off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError
from clew.models.base import Completion, Usage
from clew.models.providers.access import Access
from clew.models.providers.calling import tokens
from clew.models.providers.http_refusal import HTTPRefusal
from clew.models.providers.pages import in_words
from clew.models.providers.sdk_errors import translated
from clew.models.providers.statuses import failure_of, retry_after_s

_DONE = {"STOP", "MAX_TOKENS"}
_PASSING = {"OTHER", "MALFORMED_RESPONSE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"}
_UNSAID = {
    "",
    "FINISH_REASON_UNSPECIFIED",
    "BLOCK_REASON_UNSPECIFIED",
    "BLOCKED_REASON_UNSPECIFIED",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A reply, or the piece of one that came while it is written."""

    text: str = ""
    finish: str = ""
    blocked: str = ""
    harms: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    model: str = ""

    def then(self, later: Piece) -> Piece:
        """Join the next piece: counts are those of the reply so far, so the larger ones hold."""
        return Piece(
            text=self.text + later.text,
            finish=later.finish or self.finish,
            blocked=later.blocked or self.blocked,
            harms=later.harms or self.harms,
            input_tokens=max(self.input_tokens, later.input_tokens),
            output_tokens=max(self.output_tokens, later.output_tokens),
            model=later.model or self.model,
        )


def piece_of(reply: Mapping[str, Any]) -> Piece:
    """Read one reply in the JSON form of the REST protocol."""
    candidate: Mapping[str, Any] = next(iter(reply.get("candidates") or ()), {})
    feedback = reply.get("promptFeedback") or {}
    parts = (candidate.get("content") or {}).get("parts") or ()
    ratings = candidate.get("safetyRatings") or feedback.get("safetyRatings") or ()
    usage = reply.get("usageMetadata") or {}
    read = tokens(usage.get("promptTokenCount"))
    return Piece(
        text="".join(part.get("text") or "" for part in parts if not part.get("thought")),
        finish=_said(candidate.get("finishReason")),
        blocked=_said(feedback.get("blockReason")),
        harms=tuple(str(one.get("category")) for one in ratings if one.get("blocked")),
        input_tokens=read,
        output_tokens=_written(usage, read),
        model=str(reply.get("modelVersion") or ""),
    )


def completion_of(pieces: Iterable[Piece], *, model: str, who: str) -> Completion:
    """Join all pieces of one reply. Raises :class:`ModelRefusedError` for what was blocked,
    :class:`ModelUnavailableError` for what broke off.
    """
    whole = Piece()
    for piece in pieces:
        whole = whole.then(piece)
    _check(whole, who)
    return Completion(
        text=whole.text,
        usage=Usage(calls=1, input_tokens=whole.input_tokens, output_tokens=whole.output_tokens),
        model=whole.model or model,
        truncated=whole.finish == "MAX_TOKENS",
    )


@contextmanager
def gemini_errors(found: Access) -> Iterator[None]:
    """Raise what an SDK, or the hook in its HTTP client, raises inside as errors of clew."""
    with translated(found.who, secrets=found.secrets):
        try:
            yield
        except HTTPRefusal as refusal:
            status, body, headers = refusal.status, refusal.body, refusal.headers
            raise failure_from(status, body, headers, found) from None


def failure_from(status: int, body: Any, headers: Mapping[str, str], found: Access) -> ModelError:
    """Return the error for a status and the body that came with it. How long to wait stands in
    ``RetryInfo``, a detail of the body, or else in the header.
    """
    error = _error_in(body)
    details = _mappings(error.get("details"))
    wait = next(filter(None, map(_asked_wait_s, details)), None)
    reason = next((str(one["reason"]) for one in details if "reason" in one), "")
    violations = [one for detail in details for one in _mappings(detail.get("violations"))]
    quotas = [str(one["quotaId"]) for one in violations if "quotaId" in one]
    told = error.get("message") or error.get("status") or in_words(str(body))
    said = f"{found.who}: HTTP {status}: {told}"
    if quotas:
        said += f" (quota {', '.join(quotas)})"
    if reason == "API_KEY_INVALID":
        status, said = 401, f"{said} (GEMINI_API_KEY)"  # Google itself says 400
    asked = wait if wait is not None else retry_after_s(headers)
    return failure_of(status, said, retry_after_s=asked, secrets=found.secrets)


def _check(whole: Piece, who: str) -> None:
    harms = f" ({', '.join(whole.harms)})" if whole.harms else ""
    if whole.blocked:
        raise ModelRefusedError(f"{who} blocks the prompt: {whole.blocked}{harms}")
    if not whole.finish:
        raise ModelUnavailableError(f"{who}: the reply broke off, or there was none")
    if whole.finish in _PASSING:
        raise ModelUnavailableError(f"{who} stopped without a reply: {whole.finish}")
    if whole.finish not in _DONE:
        raise ModelRefusedError(
            f"{who} stopped its reply: {whole.finish}{harms}; other safety_settings may "
            "let it through"
        )


def _written(usage: Mapping[str, Any], read: int) -> int:
    """Thoughts are paid for as output. The older SDK counts them in the total alone."""
    stated = tokens(usage.get("candidatesTokenCount")) + tokens(usage.get("thoughtsTokenCount"))
    return max(stated, tokens(usage.get("totalTokenCount")) - read)


def _said(value: Any) -> str:
    name = str(value or "")
    return "" if name in _UNSAID else name


def _error_in(body: Any) -> Mapping[str, Any]:
    """The error itself, which streams put into a list."""
    inner = body[0] if isinstance(body, list) and body else body
    inner = inner.get("error", inner) if isinstance(inner, Mapping) else {}
    return inner if isinstance(inner, Mapping) else {"message": str(inner)}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    given = value if isinstance(value, list) else []
    return [one for one in given if isinstance(one, Mapping)]


def _asked_wait_s(detail: Mapping[str, Any]) -> float | None:
    """``"retryDelay": "34.07s"`` of a ``google.rpc.RetryInfo``."""
    text = str(detail.get("retryDelay") or "")
    try:
        return max(0.0, float(text.removesuffix("s"))) if text else None
    except ValueError:
        return None
