"""What tests of several folders share: one PostgreSQL server for the whole run, and a Ray."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

from clew.executors.ray_session import ray_session

settings.register_profile("clew", deadline=None)  # how fast a machine is decides no test
settings.load_profile("clew")

_FOLDER = "PYTEST_SERVERS_FOLDER"
_OWNER = "PYTEST_SERVERS_OWNER"
_OF_RAY = "ray"
_RAY = ExitStack()


def pytest_configure(config: pytest.Config) -> None:
    """Where servers will be, for all workers of the run; whoever needs one first starts it."""
    if not hasattr(config, "workerinput"):
        from clew.testing.postgres_server import open_folder

        folder = open_folder("clew-tests-")
        os.environ[_FOLDER] = str(folder)
        os.environ[_OWNER] = str(os.getpid())
        os.environ["RAY_TMPDIR"] = str(folder / "ray")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server when all workers are done."""
    folder = os.environ.get(_FOLDER)
    if folder and not hasattr(config, "workerinput"):
        from clew.testing.postgres_server import PostgresServer

        PostgresServer(Path(folder) / "pg").stop()
        shutil.rmtree(folder, ignore_errors=True)  # the last of Ray may be writing its logs still
        del os.environ[_FOLDER], os.environ[_OWNER], os.environ["RAY_TMPDIR"]


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of several processes that test (``--dist loadgroup``), one starts a Ray, for all that need
    it, and they come first; tests of a file stay together, with what is made once for them.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            needs_ray = "ray_cluster" in getattr(item, "fixturenames", ())
            group = _OF_RAY if needs_ray else item.nodeid.partition("::")[0]
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: not _needs_ray(item))


def _needs_ray(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("xdist_group")
    return marker is not None and marker.args == (_OF_RAY,)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """A Ray that nobody needs any more would take a tenth of a core."""
    if nextitem is None or not _needs_ray(nextitem):
        _RAY.close()


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of a database; ``CLEW_TEST_POSTGRES`` names one of a server that runs already."""
    from clew.testing.postgres_server import PostgresServer

    if given := os.environ.get("CLEW_TEST_POSTGRES"):
        return given
    server = PostgresServer(Path(os.environ[_FOLDER]) / "pg")
    return server.started(owner=int(os.environ[_OWNER]))


@pytest.fixture(scope="session")
def _kept_schema(postgres_server: str) -> Iterator[str]:
    from clew.testing.postgres_server import drop_schema, with_schema

    url = with_schema(postgres_server, f"clew_test_{uuid4().hex[:12]}")
    yield url
    drop_schema(url)


@pytest.fixture
def postgres_url(_kept_schema: str) -> str:
    """The address of an empty store: the same tables in all tests of a worker, emptied before
    each.
    """
    from clew.testing.postgres_server import empty_store

    empty_store(_kept_schema)
    return _kept_schema


@pytest.fixture
def new_postgres_url(postgres_server: str) -> Iterator[str]:
    """An address where there is nothing yet, for tests that change tables."""
    from clew.testing.postgres_server import drop_schema, with_schema

    url = with_schema(postgres_server, f"clew_test_{uuid4().hex[:12]}")
    yield url
    drop_schema(url)


@pytest.fixture
def ray_cluster() -> None:
    """A real Ray with two processors, on this machine, started once for all tests in a row that
    need it: every executor that finds this process connected to a Ray uses it. ``CLEW_TEST_RAY``
    names another, ``auto`` or HOST:PORT; its machines must find clew and the folders of the tests.
    """
    ray = sys.modules.get("ray")
    if ray is None or not ray.is_initialized():
        _RAY.enter_context(ray_session(os.environ.get("CLEW_TEST_RAY"), cpus=2))
