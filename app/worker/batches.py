"""Watches arvel's batches: the callbacks that one names are called by their names."""

from collections.abc import Mapping
from typing import Any, cast

from app.worker.guard import Guard

CALLBACKS = ("then", "catch", "finally")


class BatchWatch:
    """Every time that a batch is written or read; raises ``Refused`` before anything is called."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def creating(self, batch: Any) -> None:
        self._check(batch.options)

    def retrieved(self, batch: Any) -> None:
        self._check(batch.options)

    def _check(self, options: object) -> None:
        named = cast("Mapping[str, list[object]]", options if isinstance(options, dict) else {})
        for callback in CALLBACKS:
            self._guard.check_callbacks(named.get(callback) or [])
