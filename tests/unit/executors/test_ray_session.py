"""What can be wrong with a Ray before it is there is told at once, and says what to do."""

from __future__ import annotations

import socket
import sys

import pytest

from clew import ClewConfig, IndexPipeline
from clew.errors import ConfigError, ExecutorError, MissingExtraError
from clew.executors.ray_cluster import RayExecutor


def _map(address: str | None) -> None:
    list(RayExecutor(1, address=address).map(abs, [-1]))


@pytest.mark.parametrize("address", ["ray://head:10001", "head", "head:", "head:port", ""])
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="give HOST:PORT of the head node"):
        _map(address)


def test_a_cluster_that_nobody_answers_for_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(ExecutorError, match=f"ray_address='127.0.0.1:{port}': nobody answers"):
            _map(f"127.0.0.1:{port}")


def test_without_the_package_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    config = ClewConfig(executor="ray", embedding_model="none")
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[ray\]'"):
        IndexPipeline(config=config).run(["Ada Orm built a mill."])


def test_no_items_need_no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert list(RayExecutor(2).map(abs, [])) == []
