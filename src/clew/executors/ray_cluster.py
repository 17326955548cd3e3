"""Do the work on a Ray cluster, which may be this machine alone.

Each worker is an actor: a process that keeps its models from item to item. The caller hands out,
keeps the order and is told of every loss. A worker that dies (killed, out of memory, its machine
gone) is replaced by a new one, and what it had at hand is done again; work is a function of its
item, so doing it twice is doing it once. An item that ends three workers ends the run when its turn
comes.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic

from clew.errors import ExecutorError
from clew.executors.base import Caller, Item, Result
from clew.executors.pickled_work import pickled, pickled_function, unpickled
from clew.executors.ray_actors import Origin, Worker, opened, origin
from clew.executors.ray_desk import Desk, open_desk
from clew.executors.ray_session import ray_session

_AT_HAND = 2
"""Items of a worker: the one that it does, and the next, for the time that the caller is away with
the results."""

_AHEAD = 2
"""Further items a worker may be ahead of the one that is due."""

_MOST_LOSSES = 3
_MOST_TOLD = 300
_EVERY_S = 0.25


class RayExecutor:
    """``workers`` processes of the Ray cluster at ``address``, each with so many ``cpus`` and
    ``gpus`` (a fraction lets several share one).

    ``workers`` None is one for each core: of the cluster, or of this machine. Without an address
    Ray is started on this machine and ended after the work; a Ray that this process is connected
    to already (``ray.init``) is used as it is.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        address: str | None = None,
        cpus: float = 1.0,
        gpus: float = 0.0,
        caller: Caller | None = None,
    ) -> None:
        self._workers = workers
        self._address = address
        self._cpus = cpus
        self._gpus = gpus
        self._caller = caller or Caller()

    def attended(self, caller: Caller) -> RayExecutor:
        return RayExecutor(
            self._workers, address=self._address, cpus=self._cpus, gpus=self._gpus, caller=caller
        )

    def map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """As :class:`clew.executors.base.Executor` says; Ray is started with the first item.

        Raises :class:`ExecutorError` when Ray, or its workers, cannot be had or are lost for good.
        """
        source = iter(items)
        first = list(islice(source, 1))
        if not first:
            return
        needed = None if self._workers is None else self._workers * self._cpus
        with (
            ray_session(self._address, cpus=needed) as ray,
            open_desk(ray, self._caller) as desk,
        ):
            workers = self._workers or self._most_workers(ray)
            crew = _Crew(ray, workers, self._maker(ray, function, desk))
            try:
                line = _Line[Item, Result](crew, self._attend(desk))
                yield from line.work(first, source)
            finally:
                crew.dismiss()

    def _attend(self, desk: Desk | None) -> Callable[[], None]:
        def attend() -> None:
            if desk is not None:
                desk.require_open()
            self._caller.while_waiting()

        return attend

    def _maker(
        self, ray: Any, function: Callable[[Any], Any], desk: Desk | None
    ) -> Callable[[], Any]:
        self._require_room(ray)
        sent = ray.put(pickled_function(function))
        mailbox = None if desk is None else desk.mailbox
        kind = ray.remote(num_cpus=self._cpus, num_gpus=self._gpus)(Worker)
        return lambda: kind.remote(sent, mailbox)

    def _most_workers(self, ray: Any) -> int:
        """As many as the cluster has room for now."""
        has = ray.cluster_resources()
        most = has.get("CPU", 0) // self._cpus
        if self._gpus:
            most = min(most, has.get("GPU", 0) // self._gpus)
        return max(1, int(most))

    def _require_room(self, ray: Any) -> None:
        has = ray.cluster_resources()
        cpus, gpus = has.get("CPU", 0.0), has.get("GPU", 0.0)
        if cpus < self._cpus or gpus < self._gpus:
            raise ExecutorError(
                f"a worker needs {self._cpus:g} CPUs and {self._gpus:g} GPUs, and the whole Ray "
                f"cluster has {cpus:g} and {gpus:g}: ask for less, or let machines join first "
                "(`ray start --address=…`)"
            )


@dataclass(eq=False, slots=True)
class _Slot:
    """An item in line. One with ``losses`` was being done, or had just been done, when a worker
    ended; which of the two, nobody knows.
    """

    item: bytes
    losses: int = 0
    outcome: bytes | None = None
    failure: ExecutorError | None = None
    is_given: bool = False

    @property
    def is_free(self) -> bool:
        return not self.is_given and self.outcome is None and self.failure is None


@dataclass(eq=False, slots=True)
class _Hand:
    """A worker: ``due`` are its calls under way, the first one being done; ``said_hello`` once it
    is up.
    """

    actor: Any
    hello: Any
    said_hello: bool = False
    where: str = "not started"
    due: deque[tuple[Any, _Slot]] = field(default_factory=deque)

    @property
    def awaited(self) -> Any:
        """The call that ends next, if any is under way."""
        if not self.said_hello:
            return self.hello
        return self.due[0][0] if self.due else None

    def has_room_for(self, slot: _Slot, depth: int) -> bool:
        """What may have ended a worker has one for itself: if that ends too, it was this item."""
        if not self.said_hello or len(self.due) > depth:
            return False
        return not self.due or not (slot.losses or any(other.losses for _, other in self.due))


class _Crew:
    """The workers, and a new one for each that was lost."""

    def __init__(self, ray: Any, workers: int, make: Callable[[], Any]) -> None:
        self._ray = ray
        self._make = make
        self._stillborn = 0
        self._hands = [self._hired() for _ in range(workers)]
        self.at_most = workers * (_AT_HAND + _AHEAD)

    def hand_out(self, slots: Iterable[_Slot]) -> None:
        """Give the first of ``slots`` that are nobody's to those who have least at hand."""
        waiting = [slot for slot in slots if slot.is_free]
        for depth in range(_AT_HAND):
            for hand in self._hands:
                slot = next((slot for slot in waiting if hand.has_room_for(slot, depth)), None)
                if slot is not None:
                    waiting.remove(slot)
                    slot.is_given = True
                    hand.due.append((hand.actor.work.remote(slot.item), slot))

    def wait(self) -> bool:
        """Take what has come; False when nothing did for a while."""
        awaited = {hand.awaited: hand for hand in self._hands if hand.awaited is not None}
        ready, _ = self._ray.wait(list(awaited), num_returns=1, timeout=_EVERY_S)
        for call in ready:
            self._take(awaited[call])
        return bool(ready)

    def dismiss(self) -> None:
        for hand in self._hands:
            self._ray.kill(hand.actor)

    def _take(self, hand: _Hand) -> None:
        errors = self._ray.exceptions
        try:
            value = self._ray.get(hand.awaited)
        except (errors.RayActorError, errors.RaySystemError, errors.ObjectLostError) as error:
            self._replace(hand, error)
        except errors.RayError as error:
            raise ExecutorError(f"a worker cannot work: {_cause(error)}") from error
        else:
            if hand.said_hello:
                _, slot = hand.due.popleft()
                slot.outcome = value
            else:
                hand.said_hello, hand.where = True, _place(unpickled(value))
                self._stillborn = 0

    def _replace(self, hand: _Hand, error: Exception) -> None:
        """Have another do what the lost one had at hand."""
        self._ray.kill(hand.actor)
        for place, (_, slot) in enumerate(hand.due):
            slot.is_given = False
            slot.losses += place == 0
        if hand.said_hello:
            warnings.warn(f"a worker was lost ({hand.where}); another does its work", stacklevel=2)
        else:
            self._stillborn += 1
            if self._stillborn > len(self._hands) + _MOST_LOSSES:
                raise ExecutorError(f"workers end before they begin: {_cause(error)}") from error
        if hand.due and hand.due[0][1].losses >= _MOST_LOSSES:
            failure = ExecutorError(
                f"the same batch ended {_MOST_LOSSES} workers, the last one {hand.where}: "
                f"{_cause(error)}"
            )
            failure.__cause__ = error
            hand.due[0][1].failure = failure
        self._hands[self._hands.index(hand)] = self._hired()

    def _hired(self) -> _Hand:
        actor = self._make()
        return _Hand(actor, actor.hello.remote())


class _Line(Generic[Item, Result]):
    """The items between the one taken last and the one yielded last."""

    def __init__(self, crew: _Crew, attend: Callable[[], None]) -> None:
        self._crew = crew
        self._attend = attend
        self._slots: deque[_Slot] = deque()

    def work(self, first: Iterable[Item], source: Iterator[Item]) -> Iterator[Result]:
        self._take(first)
        while self._slots:
            for item in source:
                self._take([item])
                if len(self._slots) >= self._crew.at_most:
                    break
            yield self._next()

    def _take(self, items: Iterable[Item]) -> None:
        self._slots.extend(_Slot(pickled(item)) for item in items)
        self._crew.hand_out(self._slots)

    def _next(self) -> Result:
        due = self._slots[0]
        while due.outcome is None:
            if due.failure is not None:
                raise due.failure
            if not self._crew.wait():
                self._attend()
            self._crew.hand_out(self._slots)
        self._slots.popleft()
        result: Result = opened(due.outcome)
        return result


def _place(worker: Origin) -> str:
    own = origin()
    if (worker.clew, worker.python) != (own.clew, own.python):
        raise ExecutorError(
            f"a worker on {worker.machine} has clew {worker.clew} and Python {worker.python}, this "
            f"process clew {own.clew} and Python {own.python}: all machines need the same"
        )
    return f"process {worker.process} on {worker.machine}"


def _cause(error: Exception) -> str:
    """What Ray says in the end, without its report of the worker."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:_MOST_TOLD] if lines else type(error).__name__
