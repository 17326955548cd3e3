"""Which reader reads which format. Readers are imported on use: each brings its own library."""

from __future__ import annotations

from importlib import import_module

from clew.documents import formats
from clew.documents.readers.base import Reader, RecordReader

_HERE = "clew.documents.readers"
_READERS = {
    formats.PLAIN: ("plain_text", "read_plain"),
    formats.MARKDOWN: ("plain_text", "read_markdown"),
    formats.RST: ("plain_text", "read_rst"),
    formats.HTML: ("html_page", "read_html"),
    formats.PDF: ("pdf", "read_pdf"),
    formats.DOCX: ("word", "read_docx"),
    formats.PPTX: ("slides", "read_pptx"),
    formats.XLSX: ("workbook", "read_xlsx"),
    formats.EPUB: ("epub", "read_epub"),
    formats.ODF: ("open_document", "read_odf"),
    formats.NOTEBOOK: ("notebook", "read_notebook"),
    formats.MAIL: ("mail", "read_mail"),
}
_RECORD_READERS = {
    formats.CSV: ("delimited", "read_delimited"),
    formats.JSON: ("json_records", "read_json"),
    formats.JSONL: ("json_records", "read_json_lines"),
}


def find_reader(format_: str) -> Reader:
    module, function = _READERS[format_]
    reader: Reader = getattr(import_module(f"{_HERE}.{module}"), function)
    return reader


def find_record_reader(format_: str) -> RecordReader | None:
    if format_ not in _RECORD_READERS:
        return None
    module, function = _RECORD_READERS[format_]
    reader: RecordReader = getattr(import_module(f"{_HERE}.{module}"), function)
    return reader
