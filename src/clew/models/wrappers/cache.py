"""Replies that were paid for, kept so that none is paid for twice.

A reply is kept before anything else is done with it: whoever is killed a moment later has it. Two
equal calls at the same time are one, those of another process too where the store can tell
(:class:`clew.models.wrappers.keeping.Claiming`). What is kept goes with the documents whose text
was asked about (:mod:`clew.models.purpose`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Event, Lock

from clew.errors import ReadOnlyStoreError, StoreLockedError
from clew.ids import content_id
from clew.models.base import Completion, PaidReply, Usage
from clew.models.purpose import Purpose, current_purpose
from clew.models.wrappers.keeping import Keeping
from clew.models.wrappers.layers import Proceed, Reply, Request


class CacheLayer:
    """Answers from ``keeping`` what was asked before of the model ``fingerprint``; ``on_hit`` is
    called each time that it does.
    """

    def __init__(
        self, fingerprint: str, keeping: Keeping, on_hit: Callable[[], None] = lambda: None
    ) -> None:
        self._on_hit = on_hit
        self._fingerprint = fingerprint
        self._keeping = keeping
        self._lock = Lock()
        self._unwritten: dict[str, str] = {}
        self._underway: dict[str, _Call] = {}

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        key = request_key(self._fingerprint, request)
        if request.streamed:  # its reader may stop half-way: nobody should wait for it
            yield from self._asked(key, request, proceed)
            return
        while True:
            with self._lock:
                other = self._underway.get(key)
                if other is None:
                    own = self._underway[key] = _Call()
            if other is None:
                yield from self._alone(key, own, request, proceed)
                return
            if (completion := other.outcome()) is not None:
                self._on_hit()
                yield from _pieces(completion)
                return

    def _alone(self, key: str, call: _Call, request: Request, proceed: Proceed) -> Reply:
        """Ask while all who would ask the same wait for what it brings."""
        try:
            for item in self._asked(key, request, proceed):
                call.completion = item if isinstance(item, Completion) else call.completion
                yield item
        except Exception as error:
            call.error = error
            raise
        finally:
            with self._lock:
                del self._underway[key]
            call.ended.set()

    def _asked(self, key: str, request: Request, proceed: Proceed) -> Reply:
        purpose = current_purpose()
        known = self._known(key)
        if known is None:
            with self._keeping.claimed(key):
                known = self._known(key)  # of another process, meanwhile
                if known is None:
                    yield from self._kept(key, proceed(request), purpose)
                    return
        self._on_hit()
        yield from _pieces(known)

    def _kept(self, key: str, reply: Reply, purpose: Purpose) -> Reply:
        for item in reply:
            if isinstance(item, Completion) and item.text.strip():
                self._keep(key, _written(item), purpose)
            yield item

    def _known(self, key: str) -> Completion | None:
        reply = self._keeping.remembered(key) or self._unwritten.get(key)
        return None if reply is None else _read(reply)

    def _keep(self, key: str, reply: str, purpose: Purpose) -> None:
        """What was asked for the sake of documents must be kept: the error says that it could not
        be. A question has its answer even where the store cannot be written.
        """
        try:
            self._keeping.keep(PaidReply(key=key, text=reply, documents=purpose.documents))
        except (ReadOnlyStoreError, StoreLockedError):
            if purpose.documents and not purpose.question:
                raise
            self._unwritten[key] = reply


class _Call:
    """One that is under way; others that would ask the same wait for it."""

    def __init__(self) -> None:
        self.ended = Event()
        self.completion: Completion | None = None
        self.error: Exception | None = None

    def outcome(self) -> Completion | None:
        """What it brought; None where it was given up, so that the next may try."""
        self.ended.wait()
        if self.error is not None:
            raise self.error
        return self.completion


def request_key(fingerprint: str, request: Request) -> str:
    """Equal for calls whose replies would be the same."""
    messages = [[message.role, message.content] for message in request.messages]
    asked = json.dumps([messages, request.max_tokens, request.schema], sort_keys=True)
    return content_id("a", fingerprint, asked)


def _written(completion: Completion) -> str:
    values = {
        "text": completion.text,
        "model": completion.model,
        "truncated": completion.truncated,
    }
    return json.dumps(values)  # in ASCII, for replies with half of a surrogate pair in them


def _read(reply: str) -> Completion:
    return Completion(**json.loads(reply), usage=Usage(cached_calls=1))


def _pieces(completion: Completion) -> Reply:
    """A reply that is there already, in one piece."""
    yield completion.text
    yield Completion(
        text=completion.text,
        usage=Usage(cached_calls=1),
        model=completion.model,
        truncated=completion.truncated,
    )
