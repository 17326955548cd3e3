"""One module per file format: bytes in, :class:`~clew.documents.readers.base.Parsed` out."""
