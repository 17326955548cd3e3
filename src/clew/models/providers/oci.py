"""Language models of OCI Generative AI."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from clew.errors import ConfigError, ModelRefusedError, ModelUnavailableError, nearest
from clew.models.base import Completion, Message, Usage
from clew.models.extras import import_extra
from clew.models.providers.calling import fingerprint_of
from clew.models.providers.dialect import Dialect, Sent
from clew.models.providers.negotiating import NegotiatingLLM
from clew.models.providers.oci_access import make_client
from clew.models.providers.oci_chat import ChatForm, ChatPiece, CohereForm, GenericForm
from clew.models.providers.oci_genai import (
    CLIENT,
    compartment,
    inference_models,
    oci_errors,
    serving_mode,
)
from clew.models.providers.schema_forms import with_schema

_API_FORMS: dict[str, type[ChatForm]] = {"cohere": CohereForm, "generic": GenericForm}
_LIMITS = ("max_tokens", "max_completion_tokens")


class OCIGenAILLM(NegotiatingLLM):
    """A :class:`clew.models.base.StreamingLLM`.

    ``compartment_id`` (None: ``OCI_COMPARTMENT_ID``) is the compartment that pays; ``model`` a
    model served on demand, or, with ``endpoint_id``, a dedicated one. ``api_format`` says how it is
    asked: ``cohere`` or ``generic``; None goes by the name of the model. ``options`` are any others
    of the service's, in snake case (``top_p``). ``client``, ``auth``, ``profile`` and
    ``config_file`` are those of :class:`clew.models.providers.oci_embedding.OCIGenAIEmbedding`;
    ``base_url`` names the region's service.
    """

    forms: ClassVar[tuple[str, ...]] = ("schema", "json", "prompt")

    def __init__(
        self,
        compartment_id: str | None = None,
        model: str = "meta.llama-3.3-70b-instruct",
        *,
        temperature: float | None = 0.0,
        seed: int | None = None,
        max_tokens: int | None = None,
        options: Mapping[str, Any] | None = None,
        api_format: Literal["cohere", "generic"] | None = None,
        endpoint_id: str | None = None,
        client: Any = None,
        auth: str = "config_file",
        profile: str | None = None,
        config_file: str | Path | None = None,
        base_url: str | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        self.model = model
        super().__init__(f"oci:{model}")
        self._form = _form_of(api_format, model)
        self.compartment_id = compartment(compartment_id, self._who)
        self._client = client or make_client(
            CLIENT,
            auth=auth,
            profile=profile,
            config_file=config_file,
            endpoint=base_url,
            timeout_s=timeout_s,
        )
        self._endpoint_id = endpoint_id
        self._max_tokens = max_tokens
        chosen = {"temperature": temperature, "seed": seed}
        own = {name: value for name, value in chosen.items() if value is not None}
        self._options: dict[str, Any] = own | dict(options or {})

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(
            "oci",
            self.model,
            endpoint=self._endpoint_id,
            max_tokens=self._max_tokens,
            **self._options,
        )

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        """Yield the pieces of one reply as they come, then the whole."""

        def open_stream(dialect: Dialect) -> Any:
            with oci_errors(self._who):
                asked = self._asked(messages, max_tokens, None, dialect, stream=True)
                return self._client.chat(asked).data

        events = self._negotiated(open_stream, max_tokens)
        if hasattr(events, "chat_response"):  # a model that does not stream
            whole = self._whole(*self._read(events))
            yield whole.text
            yield whole
            return
        texts: list[str] = []
        last = ChatPiece()
        with oci_errors(self._who):
            try:
                for event in events.events():
                    piece = self._form.piece(json.loads(event.data))
                    last = _joined(last, piece)
                    if piece.text and not piece.is_whole:
                        texts.append(piece.text)
                        yield piece.text
            finally:
                events.close()
        yield self._whole(last, "".join(texts), self.model)

    def _once(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> Completion:
        asked = self._asked(messages, max_tokens, schema, dialect, stream=False)
        return self._whole(*self._reply(asked))

    def _sent_options(self, max_tokens: int | None) -> Sent:
        return Sent(
            limit=max_tokens is not None or self._max_tokens is not None,
            temperature=self._options.get("temperature") == 0,
            seed="seed" in self._options,
        )

    def _reply(self, asked: Any) -> tuple[ChatPiece, str, str]:
        with oci_errors(self._who):
            data = self._client.chat(asked).data
            if not hasattr(data, "chat_response"):
                data.close()  # a response that nobody has read
                raise ValueError("it is not JSON")
        return self._read(data)

    def _read(self, data: Any) -> tuple[ChatPiece, str, str]:
        util = import_extra("oci.util", extra="oci", purpose="OCI Generative AI")
        with oci_errors(self._who):
            piece = self._form.piece(_in_camel_case(util.to_dict(data.chat_response)))
        return piece, piece.text, str(data.model_id or self.model)

    def _asked(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
        *,
        stream: bool,
    ) -> Any:
        form = self.forms[dialect.form]
        if schema is not None and form != "schema":
            messages = with_schema(messages, schema)
        refused = {"temperature": dialect.no_temperature, "seed": dialect.no_seed}
        options = {name: own for name, own in self._options.items() if not refused.get(name)}
        most = max_tokens if max_tokens is not None else self._max_tokens
        if most is not None:
            options[_LIMITS[dialect.other_limit]] = most
        try:
            request = self._form.request(messages, options, schema=schema, form=form, stream=stream)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{self._who}: {error}") from error
        return inference_models().ChatDetails(
            compartment_id=self.compartment_id,
            serving_mode=serving_mode(self.model, self._endpoint_id),
            chat_request=request,
        )

    def _whole(self, last: ChatPiece, text: str, model: str) -> Completion:
        if last.fault or (last.end and last.end not in {"stop", "length"}):
            raise ModelRefusedError(f"{self._who} stopped its reply: {last.end} {last.fault}")
        if not last.end:
            raise ModelUnavailableError(f"{self._who}: the reply broke off")
        usage = Usage(calls=1, input_tokens=last.input_tokens, output_tokens=last.output_tokens)
        return Completion(text=text, usage=usage, model=model, truncated=last.end == "length")


def _joined(before: ChatPiece, piece: ChatPiece) -> ChatPiece:
    return ChatPiece(
        end=piece.end or before.end,
        input_tokens=piece.input_tokens or before.input_tokens,
        output_tokens=piece.output_tokens or before.output_tokens,
        fault=piece.fault or before.fault,
    )


def _form_of(api_format: str | None, model: str) -> ChatForm:
    name = api_format or ("cohere" if model.startswith("cohere.") else "generic")
    if name not in _API_FORMS:
        raise ConfigError(
            f"api_format={name!r} is not one of {', '.join(_API_FORMS)}{nearest(name, _API_FORMS)}"
        )
    return _API_FORMS[name]()


def _in_camel_case(value: Any) -> Any:
    """Names as they come over the wire."""
    if isinstance(value, Mapping):
        return {_camel(name): _in_camel_case(part) for name, part in value.items()}
    return [_in_camel_case(part) for part in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)
