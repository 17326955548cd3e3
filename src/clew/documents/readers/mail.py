"""E-mail (RFC 5322 and MIME): the body is the text, the header fields are metadata."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage, Message

from clew.documents.decoding import decode
from clew.documents.readers.base import Parsed, SourceFile
from clew.documents.readers.html_page import parse_html
from clew.errors import BrokenDocumentError, DocumentError

_FIELDS = ("subject", "from", "to", "cc", "date", "message-id", "in-reply-to")


def read_mail(file: SourceFile) -> Parsed:
    """Return the plain body, else the HTML body; attachments are listed by name."""
    message = message_from_bytes(file.data, policy=policy.default)
    if not message.keys():
        raise BrokenDocumentError("it has no header fields, so it is no e-mail")
    metadata: dict[str, object] = {}
    for name in _FIELDS:
        value = _header(message, name)
        if value:
            metadata[name.replace("-", "_")] = value
    attachments = _attachments(message)
    if attachments:
        metadata["attachments"] = attachments
    body = _body(message)
    return Parsed(
        text=body.text,
        title=_header(message, "subject") or body.title,
        media_type="message/rfc822",
        metadata=metadata,
        blocks=body.blocks,
    )


def _body(message: EmailMessage) -> Parsed:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return Parsed(text="")
    text = _content(part)
    if part.get_content_subtype() == "html":
        return parse_html(text)
    return Parsed(text=text.replace("\r\n", "\n"))


def _content(part: Message) -> str:
    """Decode by the charset that the part names, by the bytes where that is none or wrong."""
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    charset = part.get_content_charset()
    if charset and charset != "us-ascii":
        try:
            return payload.decode(charset)
        except (LookupError, UnicodeDecodeError):
            return decode(payload)
    return decode(payload)


def _attachments(message: EmailMessage) -> list[str]:
    names: list[str] = []
    for part in message.walk():
        if part.is_multipart() and part.get_content_type() != "message/rfc822":
            continue
        name = part.get_filename()
        if name is None and part.get_content_disposition() == "attachment":
            name = part.get_content_type()
        if name:
            names.append(str(name))
    return names


def _header(message: EmailMessage, name: str) -> str:
    """Return a header field; the strict parser of the standard library fails on broken ones."""
    try:
        value = message.get(name)
    except (ValueError, IndexError, AttributeError, TypeError, KeyError):
        raw = next((text for key, text in message.raw_items() if key.lower() == name), "")
        value = _loosely_decoded(str(raw))
    return " ".join(str(value or "").split())


def _loosely_decoded(raw: str) -> str:
    try:
        return str(make_header(decode_header(raw)))
    except (ValueError, LookupError, DocumentError):
        return raw
