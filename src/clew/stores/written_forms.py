"""The forms in which a store may keep a text that somebody gave it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from clew.text.names import name_key


def written_forms(texts: Iterable[str]) -> list[str]:
    """Each text as written, in small letters and as a key of names, and each of these with its
    letters escaped, as in the replies of models that are kept.

    >>> written_forms(["Über"])
    ['Über', '\\\\u00dcber', 'über', '\\\\u00fcber']
    """
    found: dict[str, None] = {}
    for text in texts:
        key = name_key(text)
        whole = _signs(key) == _signs(text)  # what lost a letter may be another word
        for form in (text, text.casefold(), *([key] if whole else [])):
            if form.strip():
                found |= {form: None, json.dumps(form)[1:-1]: None}
    return list(found)


def _signs(text: str) -> int:
    return sum(sign.isalnum() for sign in text)
