"""What statuses and headers of providers mean."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from clew.errors import (
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models.providers.calling import fingerprint_of, of_length_one, sendable
from clew.models.providers.statuses import failure_of, retry_after_s


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ModelRefusedError),
        (307, ModelRefusedError),
        (401, ModelRefusedError),
        (404, ModelRefusedError),
        (408, ModelTimeoutError),
        (409, ModelUnavailableError),
        (429, RateLimitError),
        (500, ModelUnavailableError),
        (503, ModelUnavailableError),
        (504, ModelTimeoutError),
        (529, ModelUnavailableError),
    ],
)
def test_each_status_has_its_error(status: int, kind: type[ModelError]) -> None:
    error = failure_of(status, "m: no", retry_after_s=3.0)
    assert type(error) is kind
    assert str(error).startswith("m: no")
    if isinstance(error, ModelRefusedError):
        assert error.status == status
    else:
        assert getattr(error, "retry_after_s", None) == 3.0
    assert ("key" in str(error)) == (status == 401)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds


def test_a_message_is_not_longer_than_people_read() -> None:
    assert len(str(failure_of(500, "m: " + "no " * 1000))) == 500


def test_a_date_to_wait_for() -> None:
    at = format_datetime(datetime.now(UTC) + timedelta(seconds=30))
    assert 20.0 < (retry_after_s({"Retry-After": at}) or 0.0) <= 30.0


def test_a_date_without_a_zone_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        at = datetime.now(UTC) + timedelta(seconds=30)
        wait = retry_after_s({"Retry-After": f"{at:%a, %d %b %Y %H:%M:%S}"})
    finally:
        monkeypatch.undo()
        time.tzset()
    assert 20.0 < (wait or 0.0) <= 30.0


def test_a_fingerprint_names_what_was_chosen() -> None:
    assert fingerprint_of("p", "m", temperature=0.0, seed=None) == "p/m/temperature=0.0"
    assert fingerprint_of("p", "m", "http://h", b=1, a=2) == "p/m/http://h/a=2/b=1"


def test_what_is_no_character_is_not_sent() -> None:
    assert sendable("a\ud800b") == "a?b"
    assert of_length_one([[3.0, 4.0], [0.0, 0.0]]).tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0.0, 0.0],
    ]
