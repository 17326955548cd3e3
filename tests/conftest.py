"""What several families of tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from clew.executors.ray_session import ray_session


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[None]:
    """A real Ray with two processors, on this machine, started once: every executor that finds this
    process connected to a Ray uses it. ``CLEW_TEST_RAY`` names another, ``auto`` or HOST:PORT; its
    machines must find clew and the folders of the tests.
    """
    with ray_session(os.environ.get("CLEW_TEST_RAY"), cpus=2):
        yield
