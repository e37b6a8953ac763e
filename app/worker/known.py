"""The table of what a message may name: jobs, callbacks, listeners and models."""

import importlib
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

from arvel.queue import Job
from arvel.queue.listener import CallQueuedListener

import app.jobs
from app.worker.names import LABELS
from app.worker.payloads import CARRIED
from app.worker.routing import existing


def reference(target: Any) -> str:
    """The name under which arvel puts a class or function into a payload."""
    return f"{target.__module__}:{target.__qualname__}"


class Known:
    """Jobs in the modules of ``package`` are known by themselves; a provider adds all else."""

    def __init__(self, package: ModuleType = app.jobs) -> None:
        self._package = package
        self._jobs: dict[str, type[Job]] = {reference(CallQueuedListener): CallQueuedListener}
        self._callbacks: set[str] = set()
        self._listeners: set[str] = set()
        self._models: set[str] = set()
        self._queues: dict[str, str] = {}
        self.carried = set(CARRIED)
        self._discovered = False

    def allow(self, job_cls: type[Job]) -> None:
        self._jobs[_loadable(job_cls)] = job_cls

    def allow_callback(self, function: Callable[..., Any]) -> None:
        self._callbacks.add(_loadable(function))

    def allow_listener(self, listener_cls: type[Any]) -> None:
        self._listeners.add(_loadable(listener_cls))

    def allow_model(self, model_cls: type[Any]) -> None:
        self._models.add(_loadable(model_cls))

    def allow_context(self, *names: str) -> None:
        """Let jobs carry what is bound to the log or the ``Context`` by these names.

        It is written into messages and tables in the clear, so no secret and no address; of what
        is no text, number or truth value, jobs carry its ``str()``.
        """
        self.carried.update(names)

    def allow_queue(self, name: str, *, on: str = "default") -> None:
        """Let jobs name a queue of the application's own; they travel on the queue ``on``.

        Raises:
            UnknownQueue: no worker reads ``on``.
            ValueError: ``name`` is a queue already.
        """
        if name in LABELS:
            raise ValueError(f"{name!r} is a queue already.")
        self._queues[name] = existing(on)

    def queue(self, name: str) -> str:
        """The queue that workers read for jobs on the queue ``name``.

        Raises:
            UnknownQueue: there is none.
        """
        return existing(self._queues.get(name, name))

    def job(self, name: str) -> type[Job] | None:
        self.discover()
        return self._jobs.get(name)

    def is_callback(self, name: object) -> bool:
        return name in self._callbacks

    def is_listener(self, name: object) -> bool:
        return name in self._listeners

    def is_model(self, name: object) -> bool:
        return name in self._models

    def discover(self) -> None:
        """Import every module of the package, once: a worker must know all that may be sent to it.

        Raises:
            ImportError: when one of them can't be imported.
        """
        if self._discovered:
            return
        for module in pkgutil.walk_packages(self._package.__path__, f"{self._package.__name__}."):
            for value in vars(importlib.import_module(module.name)).values():
                if _is_job_of(value, module.name):
                    self._jobs[reference(value)] = value
        self._discovered = True


def _is_job_of(value: object, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, Job) and value.__module__ == module


def _loadable(target: Any) -> str:
    name = reference(target)
    module, _, attribute = name.partition(":")
    if getattr(importlib.import_module(module), attribute, None) is not target:
        raise ValueError(
            f"A worker can't find {name}: only what stands at the top of a module can be allowed."
        )
    return name
