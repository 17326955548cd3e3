"""clew's models for LangChain (the extra ``langchain``): a language model as a chat model, an
embedder as embeddings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clew.models.adapters import as_embedder, as_llm
from clew.models.base import LLM, Completion, Embedder, Message, StreamingLLM
from clew.models.extras import import_extra

if TYPE_CHECKING:
    from langchain_core.callbacks import CallbackManagerForLLMRun
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel, LanguageModelInput
    from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
    from langchain_core.output_parsers import JsonOutputParser, PydanticOutputParser
    from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
    from langchain_core.runnables import Runnable, RunnableLambda
    from langchain_core.utils.function_calling import convert_to_json_schema
else:

    def _core(module: str) -> Any:
        return import_extra(
            f"langchain_core.{module}", extra="langchain", purpose="models for LangChain"
        )

    Embeddings = _core("embeddings").Embeddings
    BaseChatModel = _core("language_models").BaseChatModel
    AIMessage, AIMessageChunk = _core("messages").AIMessage, _core("messages").AIMessageChunk
    JsonOutputParser = _core("output_parsers").JsonOutputParser
    PydanticOutputParser = _core("output_parsers").PydanticOutputParser
    ChatGeneration, ChatResult = _core("outputs").ChatGeneration, _core("outputs").ChatResult
    ChatGenerationChunk = _core("outputs").ChatGenerationChunk
    RunnableLambda = _core("runnables").RunnableLambda
    convert_to_json_schema = _core("utils.function_calling").convert_to_json_schema

_ROLES = {"system": "system", "ai": "assistant", "AIMessageChunk": "assistant"}


class ClewChatModel(BaseChatModel):
    """A chat model of LangChain that asks ``llm``, any language model that clew takes.

    Tokens are told in ``usage_metadata``. ``max_tokens`` bounds each reply; stop words cut it.
    ``with_structured_output`` hands the schema to the model and parses what it says; tools are not
    called. Asked from async code, it runs in a thread.
    """

    llm: Any
    max_tokens: int | None = None

    @property
    def _llm_type(self) -> str:
        return "clew"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {"model": self._model.fingerprint, "max_tokens": self.max_tokens}

    @property
    def _model(self) -> LLM:
        return as_llm(self.llm)

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> ChatResult:
        completion = self._model.complete(
            _messages(messages),
            max_tokens=kwargs.get("max_tokens", self.max_tokens),
            schema=kwargs.get("schema"),
        )
        message = AIMessage(
            content=_before(completion.text, stop),
            usage_metadata=_usage(completion),
            response_metadata=_metadata(completion),
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        """The pieces as they come; in one where the model gives none, or where words stop it."""
        model = self._model
        if stop or "schema" in kwargs or not isinstance(model, StreamingLLM):
            whole = self._generate(messages, stop, run_manager, **kwargs).generations[0].message
            yield _chunk(**whole.model_dump(include={"content", *_TOLD}))
            return
        limit = kwargs.get("max_tokens", self.max_tokens)
        for piece in model.stream(_messages(messages), max_tokens=limit):
            if isinstance(piece, Completion):
                yield _chunk("", usage_metadata=_usage(piece), response_metadata=_metadata(piece))
                continue
            chunk = _chunk(piece)
            if run_manager:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def with_structured_output(
        self,
        schema: dict[str, Any] | type,
        *,
        include_raw: bool = False,
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, Any]:
        """Return a runnable that gives objects of ``schema``, a JSON schema or a pydantic class;
        with ``include_raw`` a dict of ``raw``, ``parsed`` and ``parsing_error``.
        """
        asked = self.bind(schema=convert_to_json_schema(schema), **kwargs)
        parser: Any = JsonOutputParser()
        if isinstance(schema, type) and hasattr(schema, "model_validate"):
            parser = PydanticOutputParser[Any](pydantic_object=schema)
        return asked | (
            RunnableLambda(lambda raw: _with_raw(raw, parser)) if include_raw else parser
        )


class ClewEmbeddings(Embeddings):
    """Embeddings of LangChain that ask ``embedder``, any embedder that clew takes."""

    def __init__(self, embedder: object) -> None:
        self.embedder: Embedder = as_embedder(embedder)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(value) for value in row] for row in self.embedder.embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        return [float(value) for value in self.embedder.embed([text], kind="query")[0]]


_TOLD = ("usage_metadata", "response_metadata")


def _messages(messages: Sequence[BaseMessage]) -> list[Message]:
    """Whoever is neither the system nor the model speaks as the user."""
    return [
        Message(role=_ROLES.get(one.type, "user"), content=_text(one))  # type: ignore[arg-type]
        for one in messages
    ]


def _text(message: Any) -> str:
    text = message.text
    return text if isinstance(text, str) else str(text())  # a method before version 1


def _chunk(content: str, **told: Any) -> ChatGenerationChunk:
    return ChatGenerationChunk(message=AIMessageChunk(content=content, **told))


def _usage(completion: Completion) -> Any:
    read, written = completion.usage.input_tokens, completion.usage.output_tokens
    return {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}


def _metadata(completion: Completion) -> dict[str, Any]:
    reason = "length" if completion.truncated else "stop"
    return {"model_name": completion.model, "finish_reason": reason}


def _before(text: str, stop: Sequence[str] | None) -> str:
    places = [text.find(word) for word in stop or () if word in text]
    return text[: min(places)] if places else text


def _with_raw(raw: Any, parser: Any) -> dict[str, Any]:
    try:
        return {"raw": raw, "parsed": parser.invoke(raw), "parsing_error": None}
    except ValueError as error:
        return {"raw": raw, "parsed": None, "parsing_error": error}
