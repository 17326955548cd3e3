"""What several families of tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clew.executors.ray_session import ray_session


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[None]:
    """A real Ray with two processors, on this machine, started once: every executor that finds this
    process connected to a Ray uses it.
    """
    with ray_session(None, cpus=2):
        yield
