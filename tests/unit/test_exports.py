"""The public surface is what ``__all__`` says, sorted, and all of it is there."""

from __future__ import annotations

import inspect

import clew
from clew import errors


def test_all_is_flat_sorted_and_complete() -> None:
    public = {
        name
        for name, value in vars(clew).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert set(clew.__all__) == public | {"__version__"}
    assert len(clew.__all__) == len(set(clew.__all__))


def test_every_error_is_public_and_in_the_tree() -> None:
    tree = errors.__doc__ or ""
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, errors.ClewError):
            assert getattr(clew, name) is value
            assert name in tree
            assert value.__doc__, name
