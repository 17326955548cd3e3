"""Bytes → text, whatever the encoding and the locale; binary data is refused."""

import codecs
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from clew.documents import load_file
from clew.documents.decoding import decode
from clew.errors import UnsupportedFormatError
from clew.records import Document

QUOTES = "The “Skerry” isn’t a light-house – it’s a beacon… 12 € a year."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_encodings_give_one_text(encoding: str) -> None:
    assert decode(QUOTES.encode(encoding)) == QUOTES


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_marks_decide(mark: bytes, encoding: str) -> None:
    assert decode(mark + "Łódź 橋".encode(encoding)) == "Łódź 橋"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (QUOTES, "cp1252"),
        ("“Aye,” she said.", "cp1252"),
        ("naïve café, Göteborg, Århus", "cp1252"),
        ("Señor Muñoz vivió en A Coruña.", "latin-1"),
        ("灯台は一九一一年に建てられました。とても高いです。", "shift_jis"),
        ("食べ物", "shift_jis"),
        ("とうだいは みなとの きたに あります。", "euc_jp"),
        ("등대는 항구의 북쪽에 있습니다.", "euc_kr"),
        ("Маяк стоит к северу от гавани, и его видно издалека.", "cp1251"),
        ("Ο φάρος βρίσκεται βόρεια του λιμανιού και φαίνεται από μακριά.", "cp1253"),
        (
            "灯塔位于港口以北，从远处就能看到。它建于一九一一年。每天晚上，守塔人都会点亮灯火。",
            "gb18030",
        ),
    ],
)
def test_older_encodings_are_told_apart(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_a_few_stray_bytes_do_not_spoil_utf_8() -> None:
    data = "Ærø, Samsø, Læsø, Fanø, Rømø, Als".encode() + b" \xff end"
    assert decode(data) == "Ærø, Samsø, Læsø, Fanø, Rømø, Als \ufffd end"


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 20,
        b"\x00\x01\x02\x03" * 100,
        random.Random(7).randbytes(4096),
    ],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedFormatError, match="binary"):
        decode(data)


def test_a_single_nul_is_no_reason_to_refuse() -> None:
    assert decode(b"a\x00b") == "a\x00b"


def test_the_locale_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "quay.txt"
    path.write_bytes(QUOTES.encode("utf-8"))
    script = (
        "import sys; from clew.documents import load_file;"
        "sys.stdout.buffer.write(next(load_file(sys.argv[1])).text.encode())"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        env=environment,
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.decode() == QUOTES


def test_every_encoding_gives_the_same_blocks(tmp_path: Path) -> None:
    text = "First “light”.\n\nSecond — light’s end.\n"
    found = []
    for encoding in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1252"):
        path = tmp_path / f"{encoding}.txt"
        path.write_bytes(text.encode(encoding))
        (document,) = load_file(path)
        assert isinstance(document, Document)
        found.append((document.text, document.blocks))
    assert found == [found[0]] * 5
    assert found[0][0] == text
