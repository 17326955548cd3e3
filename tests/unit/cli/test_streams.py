"""Streams that no locale, closed descriptor or hostile text can break."""

from __future__ import annotations

import io
import sys

import pytest

from clew.cli.streams import prepare_streams, speaks_unicode, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("\x1b]0;owned\x07", "␛]0;owned␇"),
        ("\x9b31m", "␡31m"),
        ("a\u202egpj.exe", "a\ufffdgpj.exe"),
        ("Zoë 👩\u200d👧", "Zoë 👩\u200d👧"),
    ],
)
def test_visible_text_cannot_steer_a_terminal(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_closed_streams_read_and_write_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    prepare_streams()
    assert sys.stdin.read() == ""
    sys.stdout.write("nowhere")
    sys.stderr.write("nowhere")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()


def test_what_an_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert not speaks_unicode(sys.stdout)
    prepare_streams()
    sys.stdout.write("ælin \udce9")
    sys.stdout.flush()
    assert raw.getvalue() == b"\\xe6lin \\udce9"


def test_bytes_that_are_no_text_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9\n"), encoding="utf-8"))
    prepare_streams()
    assert sys.stdin.readline() == "caf\ufffd\n"
