"""The sets that constants are fitted on: never those that results are reported on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clew.errors import ConfigError
from clew.evaluation.datasets import Dataset, data_folder, load_dataset

_TEST = "eval"


def load_tuning_sets(names: Sequence[str], *, folder: Path | None = None) -> list[Dataset]:
    """Read the sets ``names``. Raises :class:`ConfigError` for one that lies under ``eval/``, for
    one that is named twice, and what :func:`load_dataset` raises.
    """
    for name in names:
        if _is_test_set(name, folder):
            raise ConfigError(
                f"{name!r} is a test set: what is fitted on it, or chosen by it, looks better "
                "there than it is. Fit on sets under tune/, or on questions of your own"
            )
        if names.count(name) > 1:
            raise ConfigError(f"{name!r} is named twice: a set is fitted on or held out, not both")
    return [load_dataset(name, folder=folder) for name in names]


def _is_test_set(name: str, folder: Path | None) -> bool:
    places = (Path(name), (data_folder(folder) / name).resolve(), Path(name).resolve())
    return any(place.parent.name == _TEST or _TEST in Path(name).parts for place in places)
