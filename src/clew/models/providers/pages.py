"""What a web page says that came instead of a reply: from a proxy, a login, a wrong address."""

from __future__ import annotations

import re

_PAGE = re.compile(r"\s*<(!doctype|html|head|body|\?xml|h\d|title|center)\b", re.IGNORECASE)
_MARKUP = re.compile(r"(?is)<(script|style|svg)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>")


def in_words(text: str) -> str:
    """``text`` on one line; of a page, its words alone, each once in a row.

    >>> in_words("<html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx</html>")
    'a web page: 502 Bad Gateway, nginx'
    """
    if not _PAGE.match(text):
        return " ".join(text.split())
    lines = [" ".join(line.split()) for line in _MARKUP.sub("\n", text).splitlines()]
    return f"a web page: {', '.join(dict.fromkeys(filter(None, lines))) or 'without words'}"
