"""Addresses of servers."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_this_machine(url: str) -> bool:
    """Whether ``url`` leads to this machine itself, where no proxy stands between."""
    host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
