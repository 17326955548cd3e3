"""Files with bytes changed, cut out or put in: read or refused by name, never anything else."""

import io
import tempfile
import zipfile
from functools import cache
from itertools import pairwise
from pathlib import Path

import docx
import pptx
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from clew.documents import LoadFailure, load_file
from clew.errors import DocumentError
from clew.records import Document

EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 400), st.binary(max_size=40)), min_size=1, max_size=4
)


@cache
def whole(suffix: str) -> bytes:
    buffer = io.BytesIO()
    if suffix == "docx":
        document = docx.Document()
        document.add_heading("The Tern", 1)
        document.add_table(2, 2).cell(0, 0).text = "Boat"
        document.save(buffer)
    elif suffix == "pptx":
        show = pptx.Presentation()
        show.slides.add_slide(show.slide_layouts[0]).shapes.title.text = "The Tern"
        show.save(buffer)
    elif suffix == "pdf":
        canvas = Canvas(buffer, pageCompression=0, invariant=True)
        canvas.drawString(72, 700, "The Tern is a boat of Varde.")
        canvas.showPage()
        canvas.save()
    else:
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as package:
            package.writestr("mimetype", "application/vnd.oasis.opendocument.text")
            package.writestr("content.xml", "<a><body><text><p>The Tern</p></text></body></a>")
    return buffer.getvalue()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["docx", "pptx", "pdf", "odt"]), EDITS)
def test_damaged_files(suffix: str, edits: list[tuple[float, int, bytes]]) -> None:
    data = bytearray(whole(suffix))
    for place, cut, put in edits:
        at = int(place * len(data))
        data[at : at + cut] = put
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(bytes(data))
        items, reason = loaded_or_refused(path)
    assert reason is None or str(path) in reason
    for item in items:
        assert isinstance(item, Document)
        assert "".join(item.text[b.start : b.end] for b in item.blocks) == item.text
        assert all(a.end <= b.start for a, b in pairwise(item.pages))


def loaded_or_refused(path: Path) -> tuple[list[Document | LoadFailure], str | None]:
    try:
        return list(load_file(path)), None
    except DocumentError as error:
        return [], str(error)


def test_the_files_are_sound_to_begin_with(tmp_path: Path) -> None:
    for suffix in ("docx", "pptx", "pdf", "odt"):
        path = tmp_path / f"a.{suffix}"
        path.write_bytes(whole(suffix))
        (document,) = load_file(path)
        assert isinstance(document, Document)
        assert document.text.startswith("The Tern")
