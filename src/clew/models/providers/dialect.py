"""What a server was found not to take, so that it is refused once and not with every call.

Servers that speak one protocol differ in what they take: some refuse ``max_tokens`` and some the
name after it, some have no temperature, and for a JSON schema there are four forms. Each refusal is
answered with one concession, and what then works is remembered with the object that asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, TypeVar

from clew.errors import ModelError, ModelRefusedError, ModelUnavailableError

Reply = TypeVar("Reply")
Schema = Mapping[str, Any]

_BAD_REQUEST = {400, 422, 501}
_TOO_LONG = re.compile(
    r"context.?(length|size|window)|too long|too many tokens|too large|reduce the length",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"max_(completion_)?tokens", re.IGNORECASE)
_UNLUCKY = re.compile(r"json_validate_failed|failed to (generate|validate) json", re.IGNORECASE)
_MOST_CONCESSIONS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """How one server takes a request: by default all as its protocol says. ``form`` is the place
    among the forms of a schema that its provider knows, from the strictest to the prompt alone.
    """

    other_limit: bool = False
    no_temperature: bool = False
    no_seed: bool = False
    no_stream_usage: bool = False
    no_system: bool = False
    form: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """What a request holds that could be conceded. ``temperature`` only where nobody chose it:
    a chosen one that is refused is an error.
    """

    limit: bool = False
    temperature: bool = False
    seed: bool = False
    stream_usage: bool = False
    system: bool = False


class Negotiation:
    """The dialect of one server, found out by asking. ``forms`` are the forms of a schema;
    ``fails_on_schemas`` for servers that answer 500 to a form they do not know. Thread-safe.

    A 500 may as well be that of a server which is broken for now. So a weaker form that helped
    against one is kept to only when it helped again; and where all forms have failed, later calls
    make one request each, in one form after the other, until there is a reply.
    """

    def __init__(self, forms: int, *, fails_on_schemas: bool = False) -> None:
        self._last_form = forms - 1
        self._fails_on_schemas = fails_on_schemas
        self._dialect = Dialect()
        self._form_of: dict[str, int] = {}
        self._helped: set[tuple[str, int]] = set()
        self._next_form: dict[str, int] = {}
        self._lock = Lock()

    def ask(
        self, call: Callable[[Dialect], Reply], *, who: str, sent: Sent, schema: Schema | None
    ) -> Reply:
        """Return what ``call`` returns in a dialect that the server takes. Where none is taken, or
        the failure has nothing to do with it, its first error is raised.
        """
        name = "" if schema is None else json.dumps(schema, sort_keys=True)
        dialect = self._known(name)
        first: ModelError | None = None
        learns, by_failure = True, self._is_failing(name)
        for _ in range(_MOST_CONCESSIONS):
            try:
                reply = call(dialect)
            except ModelError as error:
                first = first or error
                conceded = self._conceded(dialect, error, who, sent, name)
                if conceded is None:
                    raise first from first.__cause__
                learns = learns and not _UNLUCKY.search(str(error))
                by_failure = by_failure or _is_failure(error)
                dialect = conceded
            else:
                if learns:
                    self._learn(dialect, name, by_failure=by_failure)
                return reply
        assert first is not None
        raise first

    def _known(self, name: str) -> Dialect:
        with self._lock:
            known = self._form_of.get(name, self._dialect.form)
            form = self._next_form.get(name, known) if name else 0
            return replace(self._dialect, form=form)

    def _is_failing(self, name: str) -> bool:
        """Whether all forms have failed, and nothing has succeeded since."""
        with self._lock:
            return name in self._next_form

    def _learn(self, dialect: Dialect, name: str, *, by_failure: bool) -> None:
        with self._lock:
            self._next_form.pop(name, None)
            form = self._dialect.form
            by_chance = by_failure and dialect.form and (name, dialect.form) not in self._helped
            if by_chance:
                self._helped.add((name, dialect.form))
            elif name:
                form = form if self._form_of else dialect.form
                self._form_of[name] = dialect.form
            self._dialect = replace(dialect, form=form)

    def _conceded(
        self, dialect: Dialect, error: ModelError, who: str, sent: Sent, name: str
    ) -> Dialect | None:
        reason = str(error).removeprefix(who)
        if _is_bad_request(error):
            if _TOO_LONG.search(reason):
                return None
            if less := _less(dialect, reason.lower(), sent):
                return less
        elif not (self._fails_on_schemas and _is_failure(error) and name not in self._form_of):
            return None
        if not name or (_is_failure(error) and self._all_fail(dialect.form, name)):
            return None
        return None if dialect.form >= self._last_form else replace(dialect, form=dialect.form + 1)

    def _all_fail(self, form: int, name: str) -> bool:
        """Whether no form is left to try after ``form`` failed; says which comes next."""
        with self._lock:
            if name not in self._next_form and form < self._last_form:
                return False
            self._next_form[name] = (form + 1) % (self._last_form + 1)
            return True


def _less(dialect: Dialect, reason: str, sent: Sent) -> Dialect | None:
    """The dialect without the one thing that ``reason`` names."""
    named = (
        (sent.limit and _LIMIT.search(reason), "other_limit"),
        (sent.temperature and "temperature" in reason, "no_temperature"),
        (sent.seed and re.search(r"\bseed\b", reason), "no_seed"),
        (sent.stream_usage and "stream_options" in reason, "no_stream_usage"),
        (sent.system and re.search(r"\bsystem\b.*\b(role|support)", reason), "no_system"),
        (sent.system and re.search(r"\brole\b.*\bsystem\b", reason), "no_system"),
    )
    for found, field in named:
        if found and not getattr(dialect, field):
            changes: dict[str, Any] = {field: True}
            return replace(dialect, **changes)
    return None


def _is_bad_request(error: ModelError) -> bool:
    return isinstance(error, ModelRefusedError) and error.status in _BAD_REQUEST


def _is_failure(error: ModelError) -> bool:
    cause = error.__cause__
    return isinstance(error, ModelUnavailableError) and getattr(cause, "status_code", 0) == 500
