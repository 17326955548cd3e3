"""Every executor gives the same results in the same order, and takes no more than it needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.errors import ExecutorError
from clew.executors.base import Caller, Executor
from clew.executors.calling_home import call_home
from clew.executors.choice import executor_of
from clew.executors.inline import InlineExecutor
from clew.executors.processes import ProcessExecutor
from clew.executors.ray_cluster import RayExecutor
from clew.executors.threads import ThreadExecutor

EXECUTORS: dict[str, Executor] = {
    "inline": InlineExecutor(),
    "one thread": ThreadExecutor(1),
    "four threads": ThreadExecutor(4),
    "one process": ProcessExecutor(1),
    "two processes": ProcessExecutor(2),
    "two of Ray": RayExecutor(2),
}


@pytest.fixture(
    params=[
        pytest.param(name, marks=[pytest.mark.xdist_group("ray")] if "Ray" in name else [])
        for name in EXECUTORS
    ]
)
def executor(request: pytest.FixtureRequest) -> Executor:
    if request.param == "two of Ray":
        request.getfixturevalue("ray_cluster")
    return EXECUTORS[request.param]


def _double(number: int) -> int:
    return 2 * number


def _fail_at_seven(number: int) -> int:
    if number == 7:
        raise ValueError("seven is not wanted")
    return number


class _DieElsewhere:
    """Kills any process but the one in which it was made."""

    def __init__(self) -> None:
        self.home = os.getpid()

    def __call__(self, number: int) -> int:
        if os.getpid() != self.home:
            os.kill(os.getpid(), signal.SIGKILL)
        return -number


class _Where:
    def __call__(self, _: int) -> int:
        return os.getpid()


@pytest.mark.parametrize("count", [0, 3, 40])
def test_results_come_in_the_order_of_the_items(executor: Executor, count: int) -> None:
    """As closures make them, which can be sent too."""
    offset = 5
    results = executor.map(lambda number: number + offset, range(count))
    assert list(results) == list(range(offset, offset + count))


def test_an_error_is_raised_when_its_turn_comes(executor: Executor) -> None:
    results = executor.map(_fail_at_seven, range(30))
    assert [next(results) for _ in range(7)] == list(range(7))
    with pytest.raises(ValueError, match="seven is not wanted"):
        next(results)


def test_items_are_taken_as_they_are_needed(executor: Executor) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = executor.map(_double, items())
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    results.close()
    assert len(taken) < 50


def test_other_processes_do_a_part_of_the_work() -> None:
    places = set(ProcessExecutor(1).map(_Where(), range(200)))
    assert len(places) == 2
    assert os.getpid() in places


def test_one_item_needs_no_other_process() -> None:
    assert list(ProcessExecutor(2).map(_Where(), [0])) == [os.getpid()]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_process_costs_nothing_but_time(workers: int) -> None:
    with pytest.warns(UserWarning, match="a worker process ended") as caught:
        results = list(ProcessExecutor(workers).map(_DieElsewhere(), range(40)))
    assert results == [-number for number in range(40)]
    assert len(caught) == 1


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    """Processes must not run the caller's main module again."""
    script = tmp_path / "script.py"
    script.write_text(
        "from clew.executors.processes import ProcessExecutor\n"
        "print('begun')\n"
        "print(sum(ProcessExecutor(1).map(abs, range(-30, 0))))\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["begun", str(sum(range(31)))]
    assert done.stderr == ""


def test_workers_end_with_a_killed_caller(tmp_path: Path) -> None:
    """Their output is our pipe, which ends when the last of them has ended."""
    script = tmp_path / "killed.py"
    script.write_text(
        "import os, signal\n"
        "from clew.executors.processes import ProcessExecutor\n"
        "results = ProcessExecutor(1).map(abs, range(1000))\n"
        "print([next(results) for _ in range(100)][-1], flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(script)], stdout=subprocess.PIPE, timeout=60, check=False
    )
    assert done.stdout.split() == [b"99"]
    assert done.returncode == -signal.SIGKILL


def test_the_setting_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.executors.choice._cores", lambda: 2)
    assert isinstance(executor_of("auto", None, separable=True), ProcessExecutor)
    assert isinstance(executor_of("auto", None, separable=False), InlineExecutor)
    assert isinstance(executor_of("inline", 4, separable=True), InlineExecutor)
    monkeypatch.setattr("clew.executors.choice._cores", lambda: 1)
    assert isinstance(executor_of("auto", None, separable=True), InlineExecutor)
    assert isinstance(executor_of("processes", None, separable=True), ProcessExecutor)
    assert isinstance(executor_of("threads", None, separable=False), ThreadExecutor)
    assert isinstance(executor_of("ray", 2, separable=False), RayExecutor)
    assert isinstance(executor_of("auto", None, separable=True, address="auto"), RayExecutor)
    assert isinstance(executor_of("inline", None, separable=True, address="auto"), InlineExecutor)


class _DieOnce:
    """Kills the process that first does a number of ``fatal``, and leaves a file that names it."""

    def __init__(self, folder: Path, *fatal: int) -> None:
        self.folder = folder
        self.fatal = fatal

    def __call__(self, number: int) -> tuple[int, int]:
        mark = self.folder / str(number)
        if number in self.fatal and not mark.exists():
            mark.write_text(str(os.getpid()), encoding="utf-8")
            os.kill(os.getpid(), signal.SIGKILL)
        return -number, os.getpid()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_worker_of_ray_is_replaced(
    ray_cluster: None, tmp_path: Path, workers: int
) -> None:
    """By a new one where there is no other; of two, either may do what is left."""
    with pytest.warns(UserWarning, match="a worker was lost .process") as caught:
        results = list(RayExecutor(workers).map(_DieOnce(tmp_path, 3, 30), range(40)))
    assert [number for number, _ in results] == [-number for number in range(40)]
    assert len(caught) == 2
    killed = [int((tmp_path / name).read_text(encoding="utf-8")) for name in ("3", "30")]
    assert len({*killed, os.getpid()}) == 3
    by = [process for _, process in results]
    assert os.getpid() not in by
    assert by[3] != killed[0]
    assert by[30] != killed[1]


class _DieAtFive:
    """Ends every worker that does five. Four is slower than that, or waits in vain where the same
    worker is to do five after it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, number: int) -> int:
        if number == 5:
            (self.folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        for _ in range(100 if number == 4 else 0):
            if len(list(self.folder.iterdir())) == 3:
                break
            time.sleep(0.1)
        return number


def test_an_item_that_ends_every_worker_of_ray_ends_the_run(
    ray_cluster: None, tmp_path: Path
) -> None:
    """What came before it is given first, also what a lost worker had just done."""
    results = RayExecutor(2).map(_DieAtFive(tmp_path), range(40))
    found: list[int] = []
    with (
        pytest.warns(UserWarning, match="a worker was lost"),
        pytest.raises(ExecutorError, match="the same batch ended 3 workers, the last one process"),
    ):
        found.extend(results)
    assert found == list(range(5))


class _Unpicklable(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def _fail_oddly(_: int) -> None:
    raise _Unpicklable(1, 2)


def test_an_error_that_cannot_travel_is_told(ray_cluster: None) -> None:
    with pytest.raises(ExecutorError, match="_Unpicklable: 1 and 2"):
        list(RayExecutor(1).map(_fail_oddly, range(3)))


def test_workers_of_ray_call_home(ray_cluster: None) -> None:
    home = os.getpid()
    told: list[str] = []
    caller = Caller(
        offers={"where": lambda number: (number, os.getpid()), "refuse": _fail_at_seven},
        at_once=3,
        while_waiting=lambda: told.append("waiting"),
        when_over=lambda: told.append("over"),
    )
    executor = RayExecutor(1).attended(caller)

    def ask(number: int) -> object:
        return call_home("refuse" if number == 20 else "where", number % 20 or 7)

    results = executor.map(ask, range(30))
    assert [next(results) for _ in range(20)] == [(number or 7, home) for number in range(20)]
    with pytest.raises(ValueError, match="seven is not wanted"):
        next(results)
    assert told.count("over") == 1
    assert told[-1] == "over"


def test_whoever_waits_for_ray_may_give_up(ray_cluster: None) -> None:
    class Enough(Exception):
        pass

    def enough() -> None:
        raise Enough

    executor = RayExecutor(1).attended(Caller(while_waiting=enough))
    with pytest.raises(Enough):
        list(executor.map(time.sleep, [60.0]))


def test_a_ray_that_has_no_room_says_so(ray_cluster: None) -> None:
    with pytest.raises(ExecutorError, match="a worker needs 1 CPUs and 3 GPUs, and the whole Ray"):
        list(RayExecutor(1, gpus=3).map(_double, range(3)))


def test_no_warning_where_nothing_goes_wrong() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sum(ProcessExecutor(1).map(_double, range(100))) == 9900
