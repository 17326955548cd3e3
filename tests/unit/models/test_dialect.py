"""Every server that refuses some of what is sent is understood, at the cost of one call each."""

from __future__ import annotations

from itertools import product

import pytest

from clew.errors import ModelRefusedError, ModelUnavailableError, RateLimitError
from clew.models.providers.dialect import Dialect, Negotiation, Sent

WHO = "provider:seed-temperature-max_tokens"
EVERYTHING = Sent(limit=True, temperature=True, seed=True, stream_usage=True, system=True)
SCHEMA = {"type": "object"}


class Server:
    """Refuses what it does not take, one thing at a time, in its own words."""

    def __init__(self, refused: dict[str, str], last_form: int) -> None:
        self.refused = refused
        self.last_form = last_form
        self.calls = 0

    def __call__(self, dialect: Dialect) -> str:
        self.calls += 1
        for field, words in self.refused.items():
            if not getattr(dialect, field):
                raise ModelRefusedError(f"{WHO}: HTTP 400: {words}", status=400)
        if dialect.form < self.last_form:
            raise ModelRefusedError(f"{WHO}: HTTP 400: no such format", status=400)
        return "yes"


REFUSALS = {
    "other_limit": "Unsupported parameter: 'max_tokens'",
    "no_temperature": "temperature is not supported",
    "no_seed": "extra inputs are not permitted: seed",
    "no_system": "messages[0].role does not support 'system'",
}


@pytest.mark.parametrize("last_form", range(4))
@pytest.mark.parametrize("chosen", list(product((False, True), repeat=len(REFUSALS))))
def test_any_mixture_of_refusals_is_conceded_once(chosen: list[bool], last_form: int) -> None:
    refused = {
        field: words
        for (field, words), is_refused in zip(REFUSALS.items(), chosen, strict=True)
        if is_refused
    }
    server = Server(refused, last_form)
    negotiation = Negotiation(4)
    for _ in range(2):
        before = server.calls
        assert negotiation.ask(server, who=WHO, sent=EVERYTHING, schema=SCHEMA) == "yes"
    assert before == 1 + len(refused) + last_form
    assert server.calls == before + 1


def test_what_was_not_sent_is_not_conceded() -> None:
    server = Server({"no_seed": REFUSALS["no_seed"]}, 0)
    with pytest.raises(ModelRefusedError, match="extra inputs"):
        Negotiation(4).ask(server, who=WHO, sent=Sent(temperature=True), schema=None)
    assert server.calls == 1


def test_words_in_the_name_of_a_model_are_no_reasons() -> None:
    server = Server({"no_seed": "invalid request"}, 0)
    with pytest.raises(ModelRefusedError, match="invalid request"):
        Negotiation(4).ask(server, who=WHO, sent=EVERYTHING, schema=None)
    assert server.calls == 1


@pytest.mark.parametrize(
    "error",
    [
        RateLimitError(f"{WHO}: temperature"),
        ModelUnavailableError(f"{WHO}: seed"),
        ModelRefusedError(f"{WHO}: temperature", status=401),
        ModelRefusedError(f"{WHO}: this model's maximum context length is 8192", status=400),
        ModelRefusedError(f"{WHO}: max_tokens is too large: 99999", status=400),
    ],
)
def test_other_failures_are_told_at_once(error: Exception) -> None:
    calls: list[Dialect] = []

    def fail(dialect: Dialect) -> str:
        calls.append(dialect)
        raise error

    with pytest.raises(type(error)):
        Negotiation(4).ask(fail, who=WHO, sent=EVERYTHING, schema=SCHEMA)
    assert len(calls) == 1


def test_each_schema_keeps_the_best_form_that_it_was_taken_in() -> None:
    def strict(dialect: Dialect) -> int:
        return dialect.form

    def loose(dialect: Dialect) -> int:
        if dialect.form < 2:
            raise ModelRefusedError(f"{WHO}: schema is not supported", status=400)
        return dialect.form

    negotiation = Negotiation(4)
    first, second, third = ({"title": name} for name in "abc")
    assert negotiation.ask(strict, who=WHO, sent=EVERYTHING, schema=first) == 0
    assert negotiation.ask(loose, who=WHO, sent=EVERYTHING, schema=second) == 2
    assert negotiation.ask(strict, who=WHO, sent=EVERYTHING, schema=first) == 0
    assert negotiation.ask(strict, who=WHO, sent=EVERYTHING, schema=second) == 2
    assert negotiation.ask(strict, who=WHO, sent=EVERYTHING, schema=third) == 0
